"""How submissions to message-passing labs are built, with g++."""

load("@local_compilers//:defs.bzl", "GXX", "SYMBOLIZER")
load("@local_mpi//:defs.bzl", "MPI_INCLUDE")
load(
    "//common/lab:flags.bzl",
    "ASAN_OPTIONS",
    "HOST_LINK_FLAGS",
    "MPI_ENV",
    "MPI_FLAGS",
    "MPI_MEMORY_FLAGS",
    "UBSAN_OPTIONS",
)
load(
    "//grader/judging/kit/private:steps.bzl",
    "NOT_UNIQUE",
    "UNTRACKED",
    "build",
    "compile_exports",
    "library_steps",
    "precompiled",
    "program",
)

# MPICH's header is the machine's own.
_MPI = ["-isystem", MPI_INCLUDE, "-DMPICH_SKIP_MPICXX=1"]

# The worker's open files for findings (wire::kFindingsFd) and counters (wire::kProfileFd). The same
# for every build, so that a program cannot tell from it which build it is.
_ENV = dict(
    MPI_ENV,
    # Symbolizing here would start a process in the jail; it is done after the run.
    ASAN_OPTIONS = ASAN_OPTIONS + " symbolize=0",
    LAB_MPI_LOG = "/proc/self/fd/15",
    LAB_MPI_PROFILE = "/proc/self/fd/14",
    UBSAN_OPTIONS = UBSAN_OPTIONS + " symbolize=0",
)

def _build(ctx, files, name, flags, worker, symbolizer = ""):
    student = "student" + name
    exports = "exports%s.o" % name
    file = ctx.file.reference.basename
    files["public/lib/" + exports] = compile_exports(ctx, GXX, flags, exports)
    flags = flags + UNTRACKED + NOT_UNIQUE + _MPI
    steps = library_steps(student, GXX, flags, HOST_LINK_FLAGS, exports, file)
    return build(
        student,
        steps,
        worker = worker,
        env = dict(_ENV, LAB_MPI_FILE = file),
        headers = precompiled(steps, "/out/%s.ii" % student),
        symbolizer = symbolizer,
    )

def _builds(ctx, files):
    files["public/worker_ranks"] = ctx.executable._worker_ranks
    builds = {"tests": _build(ctx, files, "", MPI_FLAGS, "public/worker_ranks")}
    if SYMBOLIZER:
        worker = "public/worker_ranks_memory"
        files[worker] = ctx.executable._worker_ranks_memory
        builds["memory"] = _build(ctx, files, "_memory", MPI_MEMORY_FLAGS, worker, SYMBOLIZER)
    return builds

MPI_KIT = struct(
    name = "mpi",
    builds = _builds,
    versions = {},
    attrs = {
        "_worker_ranks": program("//grader/sandbox/worker/ranks:worker_ranks"),
        "_worker_ranks_memory": program("//grader/sandbox/worker/ranks:worker_ranks_memory"),
    },
)
