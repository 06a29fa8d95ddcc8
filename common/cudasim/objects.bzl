"""simulated_objects(): object files for the simulator, in one of its modes."""

load("@local_compilers//:defs.bzl", "GXX")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(
    "//common/cudasim:flags.bzl",
    "CHECK_COPTS",
    "CHECK_DEFINES",
    "PLAIN_COPTS",
    "PREPROCESS",
    "PROFILE_COPTS",
    "X86_64_COPTS",
)
load(
    "//third_party/compilers:actions.bzl",
    "HOST_ENV",
    "add_includes",
    "compilation_context",
    "declare_output",
)
load("//third_party/compilers:aarch64.bzl", "AARCH64_GXX")

_COPTS = {
    "check": CHECK_COPTS,
    "plain": PLAIN_COPTS,
    "profile": PROFILE_COPTS,
}

def _simulate(ctx, src, context):
    preprocessed = declare_output(ctx, src, ".ii")
    args = ctx.actions.args()
    args.add_all(PREPROCESS)
    args.add_all([] if ctx.attr.mode == "plain" else CHECK_DEFINES)
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
    rewritten = declare_output(ctx, src, ".sim.ii")
    ctx.actions.run(
        arguments = [preprocessed.path, rewritten.path],
        executable = ctx.executable._rewrite,
        inputs = [preprocessed],
        mnemonic = "CudasimRewrite",
        outputs = [rewritten],
        progress_message = "Rewriting %s" % src.short_path,
    )
    compiled = declare_output(ctx, src, ".o")
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
    context = compilation_context(ctx.attr.deps)
    objects = [_simulate(ctx, src, context) for src in ctx.files.srcs]
    return [DefaultInfo(files = depset(objects))]

_simulated_objects = rule(
    implementation = _simulated_objects_impl,
    doc = "Objects of .cu files, or .cxx files with OpenCL, for the simulator; link them with the runtime of the same mode.",
    attrs = {
        "compiler": attr.string(mandatory = True),
        "copts": attr.string_list(),
        "deps": attr.label_list(providers = [CcInfo]),
        "mode": attr.string(
            doc = "Which of the simulator's runtimes they are for.",
            default = "plain",
            values = ["check", "plain", "profile"],
        ),
        "srcs": attr.label_list(allow_files = [".cu", ".cxx"]),
        "_compile": attr.label(
            cfg = "exec",
            default = "//common/cudasim:compile",
            executable = True,
        ),
        "_rewrite": attr.label(
            cfg = "exec",
            default = "//common/cudasim:rewrite",
            executable = True,
        ),
    },
)

def simulated_objects(name, mode = "plain", copts = [], **kwargs):
    """Object files of .cu files for the simulator.

    Args:
      name: the target's name.
      mode: which of the simulator's runtimes they are for: "check", "plain" or "profile".
      copts: options of the compiler after those of the mode.
      **kwargs: srcs, deps, and what every rule has.
    """
    _simulated_objects(
        name = name,
        compiler = select({
            "@lab//third_party/compilers:is_cross": AARCH64_GXX,
            "//conditions:default": GXX,
        }),
        copts = copts + select({
            "@platforms//cpu:x86_64": X86_64_COPTS[mode],
            "//conditions:default": [],
        }),
        mode = mode,
        **kwargs
    )
