"""CUDA files as C++ libraries. Use //common/lab:cuda.bzl."""

load("@local_compilers//:defs.bzl", "GXX")
load("@local_cuda//:defs.bzl", "NVCC")
load("@rules_cc//cc:defs.bzl", "cc_library")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(
    "//common/cudasim:flags.bzl",
    "CHECK_COPTS",
    "CHECK_DEFINES",
    "LINKOPTS",
    "PLAIN_COPTS",
    "PREPROCESS",
    "PROFILE_COPTS",
    "X86_64_COPTS",
)
load("//common/lab:flags.bzl", "NO_TOOLKIT", "nvcc_flags")
load("//common/lab:host.bzl", "HOST_ENV", "add_includes")
load("//third_party/compilers:aarch64.bzl", "AARCH64_GXX")

_SIMULATOR = "//common/cudasim"

_CHECKING_SIMULATOR = "//common/cudasim:cudasim_check"

_PROFILING_SIMULATOR = "//common/cudasim:cudasim_profile"

_TOOLKIT = "@local_cuda//:cudart"

# For the deps of host code that includes <cuda_runtime.h>.
CUDA_RUNTIME = select({
    "@lab//common/lab:cuda_is_check": [_CHECKING_SIMULATOR],
    "@lab//common/lab:cuda_is_gpu": [_TOOLKIT],
    "@lab//common/lab:cuda_is_profile": [_PROFILING_SIMULATOR],
    "@lab//common/lab:cuda_is_sim": [_SIMULATOR],
})

_COPTS = {
    "check": CHECK_COPTS,
    "plain": PLAIN_COPTS,
    "profile": PROFILE_COPTS,
}

def _context(ctx):
    infos = [dep[CcInfo] for dep in ctx.attr.deps]
    return cc_common.merge_cc_infos(cc_infos = infos).compilation_context

def _declare(ctx, src, extension):
    return ctx.actions.declare_file("_%s/%s%s" % (ctx.label.name, src.basename, extension))

def _simulate(ctx, src, context):
    preprocessed = _declare(ctx, src, ".ii")
    args = ctx.actions.args()
    args.add_all(PREPROCESS)
    args.add_all([] if ctx.attr.mode == "plain" else CHECK_DEFINES)
    args.add_all(ctx.attr.local_defines, before_each = "-D")
    add_includes(args, context)
    args.add(src)
    args.add("-o", preprocessed)
    ctx.actions.run(
        arguments = [args],
        env = HOST_ENV,
        executable = ctx.attr.compiler,
        inputs = depset([src], transitive = [context.headers]),
        mnemonic = "CudasimPreprocess",
        outputs = [preprocessed],
        progress_message = "Preprocessing %s" % src.short_path,
    )
    rewritten = _declare(ctx, src, ".sim.ii")
    ctx.actions.run(
        arguments = [preprocessed.path, rewritten.path],
        executable = ctx.executable._rewrite,
        inputs = [preprocessed],
        mnemonic = "CudasimRewrite",
        outputs = [rewritten],
        progress_message = "Rewriting %s" % src.short_path,
    )
    compiled = _declare(ctx, src, ".o")
    args = ctx.actions.args()
    args.add(ctx.attr.compiler)
    args.add_all(_COPTS[ctx.attr.mode])
    args.add_all(ctx.attr.copts)
    args.add("-c", rewritten)
    args.add("-o", compiled)
    ctx.actions.run(
        arguments = [args],
        env = HOST_ENV,
        executable = ctx.executable._compile,
        inputs = [rewritten],
        mnemonic = "CudasimCompile",
        outputs = [compiled],
        progress_message = "Compiling %s for the simulator" % src.short_path,
    )
    return compiled

def _simulated_objects_impl(ctx):
    context = _context(ctx)
    objects = [_simulate(ctx, src, context) for src in ctx.files.srcs]
    return [DefaultInfo(files = depset(objects))]

_ATTRS = {
    "deps": attr.label_list(providers = [CcInfo]),
    "srcs": attr.label_list(allow_files = [".cu"]),
}

_simulated_objects = rule(
    implementation = _simulated_objects_impl,
    doc = "Objects of .cu files for the simulator; link them with the runtime of the same mode.",
    attrs = dict(
        _ATTRS,
        compiler = attr.string(mandatory = True),
        copts = attr.string_list(),
        local_defines = attr.string_list(),
        mode = attr.string(
            doc = "Which of the simulator's runtimes they are for.",
            default = "plain",
            values = ["check", "plain", "profile"],
        ),
        _compile = attr.label(
            cfg = "exec",
            default = "//common/cudasim:compile",
            executable = True,
        ),
        _rewrite = attr.label(
            cfg = "exec",
            default = "//common/cudasim:rewrite",
            executable = True,
        ),
    ),
)

def simulated_objects(name, mode = "plain", **kwargs):
    """Object files of .cu files for the simulator.

    Args:
      name: the target's name.
      mode: which of the simulator's runtimes they are for: "check", "plain" or "profile".
      **kwargs: srcs, deps, local_defines, and what every rule has.
    """
    _simulated_objects(
        name = name,
        compiler = select({
            "@lab//third_party/compilers:is_cross": AARCH64_GXX,
            "//conditions:default": GXX,
        }),
        copts = select({
            "@platforms//cpu:x86_64": X86_64_COPTS[mode],
            "//conditions:default": [],
        }),
        mode = mode,
        **kwargs
    )

def _nvcc(ctx, src, context):
    compiled = _declare(ctx, src, ".o")
    if not NVCC:
        command = "echo '%s' >&2; exit 1" % NO_TOOLKIT
        ctx.actions.run_shell(command = command, mnemonic = "CudaMissing", outputs = [compiled])
        return compiled
    args = ctx.actions.args()
    args.add_all(nvcc_flags(GXX))
    add_includes(args, context)
    args.add("-c", src)
    args.add("-o", compiled)
    ctx.actions.run(
        arguments = [args],
        env = HOST_ENV,
        executable = NVCC,
        inputs = depset([src], transitive = [context.headers]),
        mnemonic = "CudaCompile",
        outputs = [compiled],
        progress_message = "Compiling %s for the GPU" % src.short_path,
    )
    return compiled

def _gpu_objects_impl(ctx):
    context = _context(ctx)
    objects = [_nvcc(ctx, src, context) for src in ctx.files.srcs]
    return [DefaultInfo(files = depset(objects))]

_gpu_objects = rule(implementation = _gpu_objects_impl, attrs = _ATTRS)

def cuda_library(name, srcs, deps = [], linkopts = [], simulator_defines = [], **kwargs):
    """A cc_library of .cu files.

    Args:
      name: the target's name.
      srcs: the .cu files.
      deps: libraries whose headers they include.
      linkopts: as in cc_library.
      simulator_defines: macros for the simulator's headers.
      **kwargs: passed on to cc_library.
    """
    private = {"tags": ["manual"], "visibility": ["//visibility:private"]}
    simulated = dict(private, local_defines = simulator_defines)
    simulated_objects(name = name + "_sim", srcs = srcs, deps = deps + [_SIMULATOR], **simulated)
    simulated_objects(
        name = name + "_check",
        srcs = srcs,
        mode = "check",
        deps = deps + [_CHECKING_SIMULATOR],
        **simulated
    )
    simulated_objects(
        name = name + "_profile",
        srcs = srcs,
        mode = "profile",
        deps = deps + [_PROFILING_SIMULATOR],
        **simulated
    )
    _gpu_objects(name = name + "_gpu", srcs = srcs, deps = deps + [_TOOLKIT], **private)
    cc_library(
        name = name,
        srcs = select({
            "@lab//common/lab:cuda_is_check": [":%s_check" % name],
            "@lab//common/lab:cuda_is_gpu": [":%s_gpu" % name],
            "@lab//common/lab:cuda_is_profile": [":%s_profile" % name],
            "@lab//common/lab:cuda_is_sim": [":%s_sim" % name],
        }),
        linkopts = linkopts + LINKOPTS,
        deps = deps + CUDA_RUNTIME,
        **kwargs
    )
