"""@local_compilers: the compilers that build submissions, by absolute path; find.sh chooses them.

A submission is compiled by these in the grader's jail, so they must lie under /usr, and the
kit's own parts are compiled by the same ones. clang may be missing: then there is no races build.
"""

def _version(repository_ctx, compiler):
    if not compiler:
        return ""
    result = repository_ctx.execute([compiler, "--version"])
    return result.stdout.split("\n")[0] if result.return_code == 0 else ""

def _impl(repository_ctx):
    script = repository_ctx.path(Label("//third_party/compilers:find.sh"))
    result = repository_ctx.execute(["bash", script])
    if result.return_code != 0:
        fail(result.stderr.strip())
    found = dict([line.split(" ", 1) for line in result.stdout.splitlines()])
    clang = found.get("clang")
    clangxx = clang + "/bin/clang++" if clang else ""
    repository_ctx.file("WORKSPACE", "")
    repository_ctx.file("BUILD", "")
    lines = [
        "GXX = %r" % found["gxx"],
        "GXX_VERSION = %r" % _version(repository_ctx, found["gxx"]),
        "CLANGXX = %r  # empty: no clang with ThreadSanitizer and OpenMP" % clangxx,
        "CLANGXX_VERSION = %r" % _version(repository_ctx, clangxx),
        # Tells ThreadSanitizer about OpenMP's threads.
        "ARCHER = %r" % found.get("archer", ""),
        "FUZZER = %r  # libFuzzer of that clang; empty: it has none" % found.get("fuzzer", ""),
        # Turns a sanitizer's addresses into lines.
        "SYMBOLIZER = %r" % (clang + "/bin/llvm-symbolizer" if clang else ""),
    ]
    repository_ctx.file("defs.bzl", "\n".join(lines) + "\n")

local_compilers = repository_rule(implementation = _impl, configure = True, local = True)
