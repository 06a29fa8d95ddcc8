"""The commands that build a submission in the grader's jail.

There the kit's public folder is /kit, the student's file lies in /submission, and everything is
written to /out. The flags are the constants that Bazel's own targets are compiled with. The
preprocessed text is compiled, so that the policy checks exactly what is compiled.
"""

load(
    "//common/cudasim:flags.bzl",
    "CHECK_COPTS",
    "CHECK_DEFINES",
    "LINKOPTS",
    "LINK_LIBRARIES",
    "PLAIN_COPTS",
    "PREPROCESS",
    "PROFILE_COPTS",
)
load(
    "//common/lab:flags.bzl",
    "ASAN_OPTIONS",
    "CPU_FLAGS",
    "CPU_LINK_FLAGS",
    "CPU_MEMORY_FLAGS",
    "CPU_MEMORY_LINK_FLAGS",
    "CPU_RACES_FLAGS",
    "CPU_RACES_LINK_FLAGS",
    "TSAN_OPTIONS",
    "UBSAN_OPTIONS",
    "nvcc_flags",
)

_INCLUDE = ["-I/kit/include"]

# Leaves macros unexpanded: nvcc's headers and the simulator's define them differently.
_DIRECTIVES_ONLY = "-fdirectives-only"

# Apart from /kit/include: the labs' headers and the simulator's both have a folder called cudasim.
_SIMULATOR_INCLUDE = ["-isystem", "/kit/simulator"]

# What a submission defines is its own, as in a program: its variable `error` is not the C library's
# function, whichever library is loaded first; and its copies of std::string's functions are called,
# which are instrumented, unlike those in the C++ library.
_LIBRARY = ["-shared", "-Wl,-Bsymbolic"]

# Reports an undefined function when linking instead of in the worker. Not for sanitizers, whose
# functions are defined in the worker.
_COMPLETE = ["-Wl,-z,defs"]

def _build(name, steps, worker = "public/worker", env = {}, folders = [], symbolizer = ""):
    return {
        "env": env,
        "folders": folders,
        "library": name + ".so",
        "steps": steps,
        "symbolizer": symbolizer,
        "worker": worker,
    }

def _cpu_steps(name, compiler, flags, link_flags, exports, file, to_object):
    path = "/out/" + name
    compiler = [compiler]
    compile = compiler + flags + ["-fPIC"]

    # Initialised in this order: a submission's initialisers may start threads.
    objects = ["/kit/lib/" + exports, path + ".o"]
    return (
        [compile + _INCLUDE + ["-E", "/submission/" + file, "-o", path + ".ii"]] +
        to_object(compile + ["-x"], path) +
        [compiler + _LIBRARY + ["-o", path + ".so"] + objects + link_flags]
    )

def _to_object(compile, path):
    return [compile + ["c++-cpp-output", "-c", path + ".ii", "-o", path + ".o"]]

# For ThreadSanitizer, but not instrumented.
_NOT_INSTRUMENTED = [
    word
    for what in ["memory-accesses", "func-entry-exit", "atomics", "memintrinsics"]
    for word in ["-mllvm", "-tsan-instrument-%s=0" % what]
]
_TO_TEXT = ["-S", "-emit-llvm"]
_NOT_OPTIMISED = ["-Xclang", "-disable-llvm-passes"]

def to_exposed_object(compile, path, expose = "/kit/bin/expose"):
    """Compiles in steps, between which the program is rewritten for ThreadSanitizer.

    Args:
      compile: the compiler, its flags and "-x".
      path: of the preprocessed text and of all that is written, without their endings.
      expose: the program that rewrites.

    Returns:
      the commands.
    """
    parsed = path + ".ll"
    unoptimised = path + "_unoptimised.ll"
    optimised = path + "_optimised.ll"
    exposed = path + "_exposed.ll"
    quiet = ["-Wno-unused-command-line-argument"]
    compile_source = compile + ["c++-cpp-output"] + quiet
    compile_text = compile + ["ir"] + quiet
    return [
        compile_source + _NOT_OPTIMISED + _TO_TEXT + [path + ".ii", "-o", parsed],
        [expose, "unoptimised", parsed, unoptimised],
        compile_text + _NOT_INSTRUMENTED + _TO_TEXT + [unoptimised, "-o", optimised],
        [expose, "optimised", optimised, exposed],
        compile_text + ["-c", exposed, "-o", path + ".o"],
    ]

def cpu_builds(file, gxx, clangxx, archer, symbolizer):
    """The builds of a CPU lab.

    Args:
      file: the name of the lab's file.
      gxx: its compiler.
      clangxx: the compiler of the builds with sanitizers; empty: there are none.
      archer: the OpenMP tool that tells ThreadSanitizer about threads and barriers.
      symbolizer: the program that resolves addresses of a report to lines.

    Returns:
      builds as in the manifest, by name.
    """
    plain = _cpu_steps(
        "student",
        gxx,
        CPU_FLAGS,
        CPU_LINK_FLAGS + _COMPLETE,
        "exports.o",
        file,
        _to_object,
    )

    # The same for every build, so that a program cannot tell from it which build it is.
    env = {
        # From clang 16 on, programs no longer find Archer by themselves.
        "OMP_TOOL_LIBRARIES": archer,
        # Symbolizing here would start a process in the jail; it is done after the run.
        "ASAN_OPTIONS": ASAN_OPTIONS + " symbolize=0",
        "TSAN_OPTIONS": TSAN_OPTIONS + " symbolize=0",
        "UBSAN_OPTIONS": UBSAN_OPTIONS + " symbolize=0",
    } if clangxx else {}
    builds = {"tests": _build("student", plain, env = env)}
    if clangxx:
        steps = _cpu_steps(
            "student_races",
            clangxx,
            CPU_RACES_FLAGS,
            CPU_RACES_LINK_FLAGS,
            "exports_races.o",
            file,
            to_exposed_object,
        )
        builds["races"] = _build(
            "student_races",
            steps,
            worker = "public/worker_races",
            env = env,
            symbolizer = symbolizer,
        )
        steps = _cpu_steps(
            "student_memory",
            clangxx,
            CPU_MEMORY_FLAGS,
            CPU_MEMORY_LINK_FLAGS,
            "exports_memory.o",
            file,
            _to_object,
        )
        builds["memory"] = _build(
            "student_memory",
            steps,
            worker = "public/worker_memory",
            env = env,
            symbolizer = symbolizer,
        )
    return builds

def _whole(libraries):
    """Links all of the archives, so that redefining any of their functions is a linker error."""
    return (["-Wl,--whole-archive"] + ["/kit/lib/" + library for library in libraries] +
            ["-Wl,--no-whole-archive"])

def _cuda_steps(name, gxx, defines, flags, libraries, file):
    path = "/out/" + name
    return [
        [gxx] + PREPROCESS + defines + _INCLUDE + _SIMULATOR_INCLUDE +
        ["/submission/" + file, "-o", path + ".ii"],
        ["/kit/bin/rewrite", path + ".ii", path + ".sim.ii"],
        ["/kit/bin/compile", gxx] + flags + ["-c", path + ".sim.ii", "-o", path + ".o"],
        [gxx] + LINKOPTS + _LIBRARY + ["-o", path + ".so", path + ".o", "/kit/lib/exports.o"] +
        _whole(libraries) + LINK_LIBRARIES + _COMPLETE,
    ]

def gpu_build(file, nvcc, gxx, libraries):
    """The build of a CUDA lab for timing on a GPU.

    Args:
      file: the name of the lab's file.
      nvcc: the toolkit's compiler, in its folder bin.
      gxx: the host's compiler.
      libraries: the names of the runtime's archives, in link order.

    Returns:
      a build as in the manifest.
    """
    path = "/out/student_gpu"
    submission = ["/submission/" + file, "-o"]
    toolkit = nvcc[:-len("/bin/nvcc")]
    read_by_nvcc = [nvcc] + nvcc_flags(gxx) + _INCLUDE + ["-Xcompiler", _DIRECTIVES_ONLY, "-E"]
    steps = [
        # The text after each compiler's directives, which findings.py compares; nvcc compiles for
        # the device and for the host.
        [gxx] + PREPROCESS + [_DIRECTIVES_ONLY] + _INCLUDE + _SIMULATOR_INCLUDE + submission +
        [path + "_simulator.ii"],
        read_by_nvcc + submission + [path + "_device.ii"],
        read_by_nvcc + ["-U__CUDA_ARCH__"] + submission + [path + "_host.ii"],
        [nvcc] + nvcc_flags(gxx) + _INCLUDE + ["-c", "/submission/" + file, "-o", path + ".o"],
        [gxx] + _LIBRARY + ["-o", path + ".so", path + ".o", "/kit/lib/exports_gpu.o"] +
        _whole(libraries) + ["-ldl", "-lpthread", "-lrt"] + _COMPLETE,
    ]
    # The jail's compile steps see /usr already.
    folders = [] if toolkit.startswith("/usr/") else [toolkit]
    return _build("student_gpu", steps, folders = folders)

# The worker's open files for the simulator's counters (wire::kProfileFd) and its findings
# (wire::kFindingsFd). In every build, so that a program cannot tell from it which build it is. A
# cooperative launch of all threads of an H100 would take more memory than labs grant.
_CUDASIM_ENV = {
    "CUDASIM_COOPERATIVE_THREADS": "24576",
    "CUDASIM_LOG": "/proc/self/fd/15",
    "CUDASIM_PROFILE": "/proc/self/fd/14",
}

def cuda_builds(file, gxx, copts, plain_libraries, check_libraries, profile_libraries):
    """The builds of a CUDA lab, all for the simulator, with its libraries in link order.

    Args:
      file: the student's file.
      gxx: the compiler.
      copts: {mode: options} in addition to those of flags.bzl, for the processor.
      plain_libraries: files of the simulator in plain mode.
      check_libraries: in check mode.
      profile_libraries: in profile mode.

    Returns:
      {name: build}
    """
    plain = _cuda_steps("student", gxx, [], PLAIN_COPTS, plain_libraries, file)
    check = _cuda_steps(
        "student_races",
        gxx,
        CHECK_DEFINES,
        CHECK_COPTS + copts.get("check", []),
        check_libraries,
        file,
    )
    profile = _cuda_steps(
        "student_counters",
        gxx,
        CHECK_DEFINES,
        PROFILE_COPTS + copts.get("profile", []),
        profile_libraries,
        file,
    )
    return {
        "counters": _build(
            "student_counters",
            profile,
            env = _CUDASIM_ENV,
        ),
        "races": _build("student_races", check, env = _CUDASIM_ENV),
        "tests": _build("student", plain, env = _CUDASIM_ENV),
    }
