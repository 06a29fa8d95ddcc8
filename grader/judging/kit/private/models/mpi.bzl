"""How submissions to message-passing labs are built, with g++: once for all phases."""

load("@local_compilers//:defs.bzl", "GXX")
load("@local_mpi//:defs.bzl", "MPI_INCLUDE")
load("//common/lab:flags.bzl", "HOST_FLAGS", "HOST_LINK_FLAGS", "MPI_ENV", "MPI_FLAGS")
load(
    "//grader/judging/kit/private:steps.bzl",
    "EXPORTS_ONLY_THE_TABLE",
    "INCLUDE",
    "LIBRARY",
    "NOT_UNIQUE",
    "UNTRACKED",
    "build",
    "compile_exports",
    "own_object",
    "precompiled",
    "program",
)

# MPICH's header is the machine's own.
_MPI = ["-isystem", MPI_INCLUDE, "-DMPICH_SKIP_MPICXX=1"]

_PATH = "/out/student"

def _steps(file):
    compile = [GXX] + MPI_FLAGS + UNTRACKED + NOT_UNIQUE + ["-fPIC"]
    return [
        compile + _MPI + INCLUDE + ["-E", "-x", "c++", "/submission/" + file, "-o", _PATH + ".ii"],
        compile + ["-x", "c++-cpp-output", "-c", _PATH + ".ii", "-o", _PATH + ".o"],
    ] + own_object(GXX, _PATH) + [
        [GXX] + LIBRARY + EXPORTS_ONLY_THE_TABLE + ["-o", _PATH + ".so"] +
        ["/kit/lib/exports.o", _PATH + "_own.o"] + HOST_LINK_FLAGS,
    ]

def _builds(ctx, files):
    file = ctx.file.reference.basename
    files["public/worker_ranks"] = ctx.executable._worker_ranks
    files["public/lib/exports.o"] = compile_exports(ctx, GXX, HOST_FLAGS, "exports.o")
    steps = _steps(file)
    return {"tests": build(
        "student",
        steps,
        worker = "public/worker_ranks",
        # The worker's open files for findings (wire::kFindingsFd) and counters (wire::kProfileFd).
        env = dict(
            MPI_ENV,
            LAB_MPI_FILE = file,
            LAB_MPI_LOG = "/proc/self/fd/15",
            LAB_MPI_PROFILE = "/proc/self/fd/14",
        ),
        headers = precompiled(steps, _PATH + ".ii"),
    )}

MPI_KIT = struct(
    name = "mpi",
    builds = _builds,
    versions = {},
    attrs = {"_worker_ranks": program("//grader/sandbox/worker/ranks:worker_ranks")},
)
