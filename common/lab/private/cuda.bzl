"""CUDA files as C++ libraries. Use //common/lab:cuda.bzl."""

load("@local_compilers//:defs.bzl", "GXX")
load("@local_cuda//:defs.bzl", "NVCC")
load("@rules_cc//cc:defs.bzl", "cc_library")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//common/cudasim:flags.bzl", "LINKOPTS")
load("//common/cudasim:objects.bzl", "simulated_objects")
load("//common/lab:flags.bzl", "NO_TOOLKIT", "is_relocatable", "nvcc_steps")
load(
    "//third_party/compilers:actions.bzl",
    "HOST_ENV",
    "add_includes",
    "compilation_context",
    "declare_output",
)

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

def _nvcc(ctx, src, context):
    compiled = declare_output(ctx, src, ".o")
    if not NVCC:
        command = "echo '%s' >&2; exit 1" % NO_TOOLKIT
        ctx.actions.run_shell(command = command, mnemonic = "CudaMissing", outputs = [compiled])
        return compiled
    steps = nvcc_steps(NVCC, GXX, is_relocatable(context), ["$@"], src.path, compiled.path)
    args = ctx.actions.args()
    add_includes(args, context)
    ctx.actions.run_shell(
        arguments = [args],
        command = " && ".join([" ".join(step).replace("$@", '"$@"') for step in steps]),
        env = HOST_ENV,
        inputs = depset([src], transitive = [context.headers]),
        mnemonic = "CudaCompile",
        outputs = [compiled],
        progress_message = "Compiling %s for the GPU" % src.short_path,
    )
    return compiled

def _gpu_objects_impl(ctx):
    context = compilation_context(ctx.attr.deps)
    objects = [_nvcc(ctx, src, context) for src in ctx.files.srcs]
    return [DefaultInfo(files = depset(objects))]

_gpu_objects = rule(
    implementation = _gpu_objects_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "srcs": attr.label_list(allow_files = [".cu"]),
    },
)

def cuda_library(name, srcs, deps = [], linkopts = [], has_gpu = True, **kwargs):
    """A cc_library of .cu files.

    Args:
      name: the target's name.
      srcs: the .cu files.
      deps: libraries whose headers they include.
      linkopts: as in cc_library.
      has_gpu: whether --config=gpu compiles them; else it leaves them out.
      **kwargs: passed on to cc_library.
    """
    private = {"tags": ["manual"], "visibility": ["//visibility:private"]}
    simulated_objects(name = name + "_sim", srcs = srcs, deps = deps + [_SIMULATOR], **private)
    simulated_objects(
        name = name + "_check",
        srcs = srcs,
        mode = "check",
        deps = deps + [_CHECKING_SIMULATOR],
        **private
    )
    simulated_objects(
        name = name + "_profile",
        srcs = srcs,
        mode = "profile",
        deps = deps + [_PROFILING_SIMULATOR],
        **private
    )
    if has_gpu:
        _gpu_objects(name = name + "_gpu", srcs = srcs, deps = deps + [_TOOLKIT], **private)
    cc_library(
        name = name,
        srcs = select({
            "@lab//common/lab:cuda_is_check": [":%s_check" % name],
            "@lab//common/lab:cuda_is_gpu": [":%s_gpu" % name] if has_gpu else [],
            "@lab//common/lab:cuda_is_profile": [":%s_profile" % name],
            "@lab//common/lab:cuda_is_sim": [":%s_sim" % name],
        }),
        linkopts = linkopts + LINKOPTS,
        target_compatible_with = [] if has_gpu else select({
            "@lab//common/lab:cuda_is_gpu": ["@platforms//:incompatible"],
            "//conditions:default": [],
        }),
        deps = deps + CUDA_RUNTIME,
        **kwargs
    )

def opencl_library(**kwargs):
    """A cc_library of files with OpenCL, for the simulator alone.

    Args:
      **kwargs: as in cuda_library; srcs are the .cxx files.
    """
    cuda_library(has_gpu = False, **kwargs)
