"""@local_mpi: the machine's MPICH, or a stand-in whose header says how to get it."""

_LIBRARY = "libmpich.so"

def _multiarch(repository_ctx):
    """The folder names of Debian's architectures that have MPICH's header."""
    found = repository_ctx.execute(["sh", "-c", "ls -d /usr/include/*/mpich 2>/dev/null"])
    return [path.split("/")[3] for path in found.stdout.split("\n") if path]

_MISSING = """#error "MPICH is missing: run ./setup"
"""

_BUILD = """load("@rules_cc//cc:defs.bzl", "cc_library")

cc_library(
    name = "mpi",
    hdrs = glob(["include/**"]),
    # Its C++ bindings are no longer part of the standard.
    defines = ["MPICH_SKIP_MPICXX=1"],
    includes = ["include"],
    linkopts = %r,
    visibility = ["//visibility:public"],
)
"""

def _impl(repository_ctx):
    folders = _multiarch(repository_ctx)
    if folders:
        repository_ctx.symlink("/usr/include/%s/mpich" % folders[0], "include")
    else:
        repository_ctx.file("include/mpi.h", _MISSING)
    repository_ctx.file("WORKSPACE", "")
    repository_ctx.file("defs.bzl", "MPI_INCLUDE = %r  # empty: no MPICH\n" %
                                    ("/usr/include/%s/mpich" % folders[0] if folders else ""))
    repository_ctx.file("BUILD", _BUILD % (["-l:" + _LIBRARY] if folders else []))

local_mpi = repository_rule(
    implementation = _impl,
    configure = True,
    local = True,
)
