"""refusals(): what the grader refuses in a student's file."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//common/lab/private:models.bzl", "ENDINGS", "model_of")
load("//third_party/compilers:actions.bzl", "HOST_ENV", "add_includes", "compilation_context")

def _written(ctx, suffix, args):
    """A file with an argument a line."""
    file = ctx.actions.declare_file(ctx.label.name + suffix)
    args.set_param_file_format("multiline")
    ctx.actions.write(file, args)
    return file

def _command(ctx, name, command, context):
    args = ctx.actions.args()
    args.add_all(command)
    add_includes(args, context)
    return _written(ctx, "." + name, args)

def _impl(ctx):
    context = compilation_context(ctx.attr.deps)
    source = ctx.file.src
    model = model_of(source.basename)
    preprocessors = [
        _command(ctx, "preprocessor%d" % number, command, context)
        for number, command in enumerate(model.preprocessors)
    ]

    compiler = ctx.actions.args()
    compiler.add_all(model.compiler + ["-w", "-c"])
    compiler = _written(ctx, ".compiler", compiler)
    names = ctx.actions.args()
    names.add_all(context.headers)
    headers = _written(ctx, ".headers", names)
    out = ctx.actions.declare_file(ctx.label.name)
    args = ctx.actions.args()
    args.add("-m", "common.lab.refusals.show")
    args.add("--source", source)
    args.add("--lab-toml", ctx.file.lab_toml)
    args.add("--headers", headers)
    args.add_all(preprocessors, before_each = "--preprocessor")
    args.add("--compiler", compiler)
    if ctx.executable.rewriter:
        args.add("--rewriter", ctx.executable.rewriter)
    args.add("--out", out)
    ctx.actions.run_shell(
        arguments = [args],
        command = 'PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1 exec python3 -P "$@"',
        env = HOST_ENV,
        inputs = depset(
            [source, ctx.file.lab_toml, headers] + [compiler] + preprocessors + ctx.files._program,
            transitive = [context.headers],
        ),
        mnemonic = "Refusals",
        outputs = [out],
        tools = [ctx.executable.rewriter] if ctx.executable.rewriter else [],
        progress_message = "Checking the rules for %s" % source.short_path,
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

refusals = rule(
    implementation = _impl,
    doc = "As data of a test: the problems of the file, a line each.",
    attrs = {
        "deps": attr.label_list(doc = "What the file includes.", providers = [CcInfo]),
        "lab_toml": attr.label(allow_single_file = True, mandatory = True),
        "rewriter": attr.label(cfg = "exec", doc = "The simulator's, for CUDA labs.", executable = True),
        "src": attr.label(allow_single_file = ENDINGS, mandatory = True),
        "_program": attr.label(default = "//common/lab/refusals:program"),
    },
)
