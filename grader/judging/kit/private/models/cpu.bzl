"""How submissions to CPU labs are built: with g++, and with clang++'s sanitizers."""

load("@local_compilers//:defs.bzl", "ARCHER", "CLANGXX", "CLANGXX_VERSION", "GXX", "SYMBOLIZER")
load(
    "//common/lab:flags.bzl",
    "ASAN_OPTIONS",
    "CPU_FLAGS",
    "CPU_LINK_FLAGS",
    "CPU_MEMORY_FLAGS",
    "CPU_MEMORY_LINK_FLAGS",
    "CPU_RACES_FLAGS",
    "CPU_RACES_LINK_FLAGS",
    "HOST_FLAGS",
    "OWN_TEAMS",
    "TSAN_OPTIONS",
    "UBSAN_OPTIONS",
)
load(
    "//grader/judging/kit/private:steps.bzl",
    "COMPLETE",
    "NOT_UNIQUE",
    "UNTRACKED",
    "build",
    "compile_exports",
    "library_steps",
    "precompiled",
    "program",
    "to_object",
)

# For ThreadSanitizer, but not instrumented.
_NOT_INSTRUMENTED = [
    word
    for what in ["memory-accesses", "func-entry-exit", "atomics", "memintrinsics"]
    for word in ["-mllvm", "-tsan-instrument-%s=0" % what]
]
_TO_TEXT = ["-S", "-emit-llvm"]
_NOT_OPTIMISED = ["-Xclang", "-disable-llvm-passes"]

def to_instrumented_object(compile, path, instrument = "/kit/bin/instrument"):
    """Compiles in steps, between which the program is rewritten for ThreadSanitizer.

    Args:
      compile: the compiler, its flags and "-x".
      path: of the preprocessed text and of all that is written, without their endings.
      instrument: the program that rewrites.

    Returns:
      the commands.
    """
    parsed = path + ".ll"
    unoptimised = path + "_unoptimised.ll"
    optimised = path + "_optimised.ll"
    instrumented = path + "_instrumented.ll"
    quiet = ["-Wno-unused-command-line-argument"]
    compile_source = compile + ["c++-cpp-output"] + quiet
    compile_text = compile + ["ir"] + quiet
    return [
        compile_source + _NOT_OPTIMISED + _TO_TEXT + [path + ".ii", "-o", parsed],
        [instrument, "unoptimised", parsed, unoptimised],
        compile_text + _NOT_INSTRUMENTED + _TO_TEXT + [unoptimised, "-o", optimised],
        [instrument, "optimised", optimised, instrumented],
        compile_text + ["-c", instrumented, "-o", path + ".o"],
    ]

# The same for every build, so that a program cannot tell from it which build it is.
_ENV = {
    # From clang 16 on, programs no longer find Archer by themselves.
    "OMP_TOOL_LIBRARIES": ARCHER,
    "KMP_HOT_TEAMS_MAX_LEVEL": OWN_TEAMS,
    # Symbolizing here would start a process in the jail; it is done after the run.
    "ASAN_OPTIONS": ASAN_OPTIONS + " symbolize=0",
    "TSAN_OPTIONS": TSAN_OPTIONS + " symbolize=0",
    "UBSAN_OPTIONS": UBSAN_OPTIONS + " symbolize=0",
} if CLANGXX else {}

def _sanitized(name, flags, link_flags, file, to_object = to_object):
    student = "student_" + name
    exports = "exports_%s.o" % name
    steps = library_steps(student, CLANGXX, flags, link_flags, exports, file, to_object)
    return build(
        student,
        steps,
        worker = "public/worker_" + name,
        env = _ENV,
        headers = precompiled(steps, "/out/%s.ii" % student, clang = True),
        symbolizer = SYMBOLIZER,
    )

def _builds(ctx, files):
    file = ctx.file.reference.basename
    files["public/lib/exports.o"] = compile_exports(ctx, GXX, HOST_FLAGS, "exports.o")
    plain = library_steps(
        "student",
        GXX,
        CPU_FLAGS + UNTRACKED + NOT_UNIQUE,
        CPU_LINK_FLAGS + COMPLETE,
        "exports.o",
        file,
    )
    headers = precompiled(plain, "/out/student.ii")
    builds = {"tests": build("student", plain, env = _ENV, headers = headers)}
    if not CLANGXX:
        return builds
    for name, flags in {"memory": CPU_MEMORY_FLAGS, "races": CPU_RACES_FLAGS}.items():
        exports = "exports_%s.o" % name
        files["public/lib/" + exports] = compile_exports(ctx, CLANGXX, flags, exports)
    files["public/bin/instrument"] = ctx.executable._instrument
    files["public/worker_memory"] = ctx.file._worker_memory
    files["public/worker_races"] = ctx.file._worker_races
    files["public/worker_shares"] = ctx.executable._worker_shares
    builds["races"] = _sanitized(
        "races",
        CPU_RACES_FLAGS,
        CPU_RACES_LINK_FLAGS,
        file,
        to_instrumented_object,
    )
    builds["memory"] = _sanitized(
        "memory",
        CPU_MEMORY_FLAGS,
        CPU_MEMORY_LINK_FLAGS,
        file,
    )
    return builds

def _worker(name):
    return attr.label(allow_single_file = True, default = "//grader/judging/kit:worker_" + name)

CPU_KIT = struct(
    name = "cpu",
    builds = _builds,
    versions = {"clang++": CLANGXX_VERSION} if CLANGXX else {},
    attrs = {
        "_instrument": program("//grader/judging/kit/instrument"),
        "_worker_memory": _worker("memory"),
        "_worker_races": _worker("races"),
        "_worker_shares": program("//grader/sandbox/worker:worker_shares"),
    },
)
