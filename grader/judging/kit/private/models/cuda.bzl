"""How submissions to CUDA labs are built: for the simulator's modes and, if asked, for a GPU."""

load("@local_compilers//:defs.bzl", "GXX")
load("@local_cuda//:defs.bzl", "NVCC")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//common/cudasim:archives.bzl", "archives_of")
load(
    "//common/cudasim:flags.bzl",
    "CHECK_COPTS",
    "CHECK_DEFINES",
    "LAB_ENV",
    "LINKOPTS",
    "PLAIN_COPTS",
    "PREPROCESS",
    "PROFILE_COPTS",
    "X86_64_COPTS",
)
load("//common/lab:flags.bzl", "HOST_FLAGS", "NO_TOOLKIT", "is_relocatable", "nvcc_flags", "nvcc_steps")
load(
    "//grader/judging/kit/private:steps.bzl",
    "COMPLETE",
    "EXPORTS_ONLY_THE_TABLE",
    "INCLUDE",
    "LIBRARY",
    "NOT_UNIQUE",
    "SIMULATOR_INCLUDE",
    "UNTRACKED",
    "build",
    "compile_exports",
    "headers_of",
    "own_object",
    "precompiled",
    "program",
)

# Leaves macros unexpanded: nvcc's headers and the simulator's define them differently.
_DIRECTIVES_ONLY = "-fdirectives-only"

# What a shared object needs of the simulator, the rest of which is in the worker.
_MODULE = "libmodule.lo"

def _whole(libraries):
    """Links all of the archives: nothing may name what initialises the runtime."""
    return (["-Wl,--whole-archive"] + ["/kit/lib/" + library for library in libraries] +
            ["-Wl,--no-whole-archive"])

def _cuda_steps(name, mode, gxx, defines, flags, file):
    path = "/out/" + name
    return [
        [gxx] + PREPROCESS + defines + INCLUDE + SIMULATOR_INCLUDE +
        ["/submission/" + file, "-o", path + ".ii"],
        ["/kit/bin/rewrite", path + ".ii", path + ".sim.ii"],
        ["/kit/bin/compile", gxx] + flags + UNTRACKED + NOT_UNIQUE +
        ["-c", path + ".sim.ii", "-o", path + ".o"],
    ] + own_object(gxx, path) + [
        [gxx] + LINKOPTS + LIBRARY + EXPORTS_ONLY_THE_TABLE + ["-o", path + ".so"] +
        _whole([_MODULE]) + ["/kit/lib/exports.o", path + "_own.o"] +
        ["/kit/lib/worker_%s.so" % mode] + COMPLETE,
    ]

def _gpu_build(file, nvcc, gxx, relocatable, libraries):
    """The build of a CUDA lab for timing on a GPU.

    Args:
      file: the name of the lab's file.
      nvcc: the toolkit's compiler, in its folder bin.
      gxx: the host's compiler.
      relocatable: whether kernels may launch kernels.
      libraries: the names of the runtime's archives, in link order.

    Returns:
      a build as in the manifest.
    """
    path = "/out/student_gpu"
    submission = ["/submission/" + file, "-o"]
    toolkit = nvcc[:-len("/bin/nvcc")]
    read_by_nvcc = ([nvcc] + nvcc_flags(gxx, relocatable) + INCLUDE +
                    ["-Xcompiler", _DIRECTIVES_ONLY, "-E"])
    steps = [
        # The text after each compiler's directives, which findings.py compares; nvcc compiles for
        # the device and for the host.
        [gxx] + PREPROCESS + [_DIRECTIVES_ONLY] + INCLUDE + SIMULATOR_INCLUDE + submission +
        [path + "_simulator.ii"],
        read_by_nvcc + submission + [path + "_device.ii"],
        read_by_nvcc + ["-U__CUDA_ARCH__"] + submission + [path + "_host.ii"],
    ] + nvcc_steps(
        nvcc,
        gxx,
        relocatable,
        ["-Xcompiler", ",".join(NOT_UNIQUE)] + INCLUDE,
        "/submission/" + file,
        path + ".o",
    ) + own_object(gxx, path) + [
        [gxx] + LIBRARY + EXPORTS_ONLY_THE_TABLE + ["-o", path + ".so"] +
        ["/kit/lib/exports_gpu.o", path + "_own.o"] + _whole(libraries) +
        ["-ldl", "-lpthread", "-lrt"] + COMPLETE,
    ]
    # The jail's compile steps see /usr already.
    folders = [] if toolkit.startswith("/usr/") else [toolkit]
    return build("student_gpu", steps, folders = folders)

# The worker's open files for the simulator's counters (wire::kProfileFd) and its findings
# (wire::kFindingsFd). In every build, so that a program cannot tell from it which build it is.
_CUDASIM_ENV = dict(
    LAB_ENV,
    CUDASIM_LOG = "/proc/self/fd/15",
    CUDASIM_PROFILE = "/proc/self/fd/14",
    CUDASIM_PROFILE_SAMPLES = "worst",
)

def _gpu(ctx, files):
    if not NVCC:
        fail(NO_TOOLKIT)
    cudart = [ctx.attr._cudart]
    exports = compile_exports(ctx, GXX, HOST_FLAGS, "exports_gpu.o", cudart)
    files["public/lib/exports_gpu.o"] = exports
    archives = archives_of(ctx.attr._cudart)
    for name, archive in archives.items():
        files["public/lib/" + name] = archive
    relocatable = is_relocatable(ctx.attr.contract[CcInfo].compilation_context)
    return _gpu_build(ctx.file.reference.basename, NVCC, GXX, relocatable, archives.keys())

def simulated_builds(ctx, files):
    """The builds for the simulator's modes.

    Args:
      ctx: the kit's context, with CUDA_KIT's attributes.
      files: the kit's files, to which those of the builds are added.

    Returns:
      builds as in the manifest, by name.
    """
    file = ctx.file.reference.basename
    exports = compile_exports(ctx, GXX, HOST_FLAGS, "exports.o", [ctx.attr._cudasim])
    files["public/lib/exports.o"] = exports
    x86_64 = ctx.attr._x86_64[platform_common.ConstraintValueInfo]
    is_x86_64 = ctx.target_platform_has_constraint(x86_64)
    builds = {}
    files["public/lib/" + _MODULE] = archives_of(ctx.attr._cudasim)[_MODULE]
    for name, mode, student, defines, copts in [
        ("tests", "plain", "student", [], PLAIN_COPTS),
        ("races", "check", "student_races", CHECK_DEFINES, CHECK_COPTS),
        ("counters", "profile", "student_counters", CHECK_DEFINES, PROFILE_COPTS),
    ]:
        worker, interface = getattr(ctx.files, "_worker_" + mode)
        files["public/worker_" + mode] = worker
        files["public/lib/" + interface.basename] = interface
        own = X86_64_COPTS[mode] if is_x86_64 else []
        steps = _cuda_steps(student, mode, GXX, defines, copts + own, file)
        builds[name] = build(
            student,
            steps,
            worker = "public/worker_" + mode,
            env = _CUDASIM_ENV,
            headers = precompiled(steps, "/out/%s.sim.ii" % student),
        )
    files.update(headers_of(ctx.attr._cudasim))
    files["public/bin/compile"] = ctx.executable._compile
    files["public/bin/rewrite"] = ctx.executable._rewrite
    return builds

def _builds(ctx, files):
    builds = simulated_builds(ctx, files)
    if ctx.attr.gpu:
        builds["gpu"] = _gpu(ctx, files)
    return builds

def _simulator(label):
    return attr.label(default = label, providers = [CcInfo])

CUDA_KIT = struct(
    name = "cuda",
    builds = _builds,
    versions = {},
    attrs = {
        "gpu": attr.bool(doc = "Whether submissions to a CUDA lab can be timed on a GPU, too."),
        "_compile": program("//common/cudasim:compile"),
        "_cudart": _simulator("@local_cuda//:cudart"),
        "_cudasim": _simulator("//common/cudasim"),
        "_rewrite": program("//common/cudasim:rewrite"),
        "_worker_check": attr.label(default = "//grader/judging/kit:worker_check"),
        "_worker_plain": attr.label(default = "//grader/judging/kit:worker_plain"),
        "_worker_profile": attr.label(default = "//grader/judging/kit:worker_profile"),
        "_x86_64": attr.label(default = "@platforms//cpu:x86_64"),
    },
)
