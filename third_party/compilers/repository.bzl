"""@local_compilers: the compilers that build submissions, by absolute path.

A submission is compiled by these in the grader's jail, so they must lie under /usr, and the
kit's own parts are compiled by the same ones. clang may be missing: then there is no races build.
"""

_CLANGS = ["clang++-14", "clang++-15", "clang++-16", "clang++-17", "clang++-18", "clang++"]

def _usr_path(repository_ctx, names):
    for name in names:
        path = repository_ctx.path("/usr/bin/" + name)
        if path.exists:
            return str(path)
    return ""

def _version(repository_ctx, compiler):
    if not compiler:
        return ""
    result = repository_ctx.execute([compiler, "--version"])
    return result.stdout.split("\n")[0] if result.return_code == 0 else ""

def _clang_with_threads(repository_ctx):
    """The first clang that links a program with ThreadSanitizer and OpenMP, or ""."""
    repository_ctx.file("probe.cc", "#include <omp.h>\nint main() { return omp_get_level(); }\n")
    for name in _CLANGS:
        clang = _usr_path(repository_ctx, [name])
        flags = ["-fsanitize=thread", "-fopenmp", "probe.cc", "-o", "probe"]
        if clang and repository_ctx.execute([clang] + flags).return_code == 0:
            return clang
    return ""

def _symbolizer(repository_ctx, clang):
    """The program that turns a sanitizer's addresses into lines; it stands beside clang."""
    if not clang:
        return ""
    path = repository_ctx.path(clang).realpath.dirname.get_child("llvm-symbolizer")
    return str(path) if path.exists else ""

def _impl(repository_ctx):
    gxx = _usr_path(repository_ctx, ["g++"])
    clang = _clang_with_threads(repository_ctx)
    repository_ctx.file("WORKSPACE", "")
    repository_ctx.file("BUILD", "")
    lines = [
        "GXX = %r" % gxx,
        "GXX_VERSION = %r" % _version(repository_ctx, gxx),
        "CLANGXX = %r  # empty: no clang with ThreadSanitizer and OpenMP" % clang,
        "CLANGXX_VERSION = %r" % _version(repository_ctx, clang),
        "SYMBOLIZER = %r" % _symbolizer(repository_ctx, clang),
    ]
    repository_ctx.file("defs.bzl", "\n".join(lines) + "\n")

local_compilers = repository_rule(implementation = _impl, configure = True, local = True)
