"""sanitized_program(): the worker, or a test's program, with a sanitizer's runtime in it."""

load("@local_compilers//:defs.bzl", "CLANGXX")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//common/lab:flags.bzl", "CPU_RACES_FLAGS")
load("//grader/judging/kit/private:steps.bzl", "program")
load("//grader/judging/kit/private/models:cpu.bzl", "to_instrumented_object")
load("//third_party/compilers:actions.bzl", "HOST_ENV", "add_includes", "compilation_context")

def _submission_object(ctx, context):
    """The submission as an object file, compiled in the steps of a CPU lab's races build."""
    file = ctx.file.submission
    out = ctx.actions.declare_file("_%s/%s.o" % (ctx.label.name, file.basename))
    preprocess = ctx.actions.args()
    preprocess.add_all([CLANGXX] + CPU_RACES_FLAGS)
    add_includes(preprocess, context)
    preprocess.add("-E", file)
    preprocess.add("-o", out.path[:-len(".o")] + ".ii")
    steps = to_instrumented_object(
        [CLANGXX] + CPU_RACES_FLAGS + ["-x"],
        out.path[:-len(".o")],
        ctx.executable._instrument.path,
    )
    quoted = [" ".join(["'%s'" % word for word in step]) for step in steps]
    ctx.actions.run_shell(
        arguments = [preprocess],
        command = " && ".join(['"$@"'] + quoted),
        env = HOST_ENV,
        inputs = depset([file], transitive = [context.headers]),
        mnemonic = "KitSubmission",
        outputs = [out],
        progress_message = "Compiling %s in steps" % file.short_path,
        tools = [ctx.executable._instrument],
    )
    return out

def _compile(ctx, arguments, inputs, out):
    context = compilation_context(ctx.attr.deps)
    args = ctx.actions.args()
    args.add_all(ctx.attr.flags)
    add_includes(args, context)
    args.add_all(arguments)
    args.add("-o", out)
    ctx.actions.run(
        arguments = [args],
        env = HOST_ENV,
        executable = CLANGXX,
        inputs = depset(ctx.files.srcs + inputs, transitive = [context.headers]),
        mnemonic = "KitSanitized",
        outputs = [out],
        progress_message = "Compiling %s with a sanitizer" % ctx.label.name,
    )

def _sources(ctx):
    return [file for file in ctx.files.srcs if file.extension == "cc"]

def _sanitized_object_impl(ctx):
    """The sources as one object: most of their compile time goes into common headers."""
    out = ctx.actions.declare_file(ctx.label.name + ".o")
    if not CLANGXX:
        ctx.actions.write(out, "")
        return [DefaultInfo(files = depset([out]))]
    joined = ctx.actions.declare_file(ctx.label.name + "_sources.cc")
    includes = ["#include \"%s\"\n" % file.path for file in _sources(ctx)]
    ctx.actions.write(joined, "".join(includes))
    _compile(ctx, ["-I.", "-c", joined], [joined], out)
    return [DefaultInfo(files = depset([out]))]

sanitized_object = rule(
    implementation = _sanitized_object_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "flags": attr.string_list(default = CPU_RACES_FLAGS, doc = "For the compiler."),
        "srcs": attr.label_list(allow_files = [".cc", ".h"]),
    },
)

def _sanitized_program_impl(ctx):
    """A program with a sanitizer, whose runtime must be linked into the program."""
    out = ctx.actions.declare_file(ctx.label.name)
    if not CLANGXX:
        ctx.actions.write(out, "#!/bin/sh\nexit 3\n", is_executable = True)
        return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]
    objects = ctx.files.objects
    if ctx.file.submission:
        objects = objects + [_submission_object(ctx, compilation_context(ctx.attr.deps))]
    hidden = ctx.file._hidden
    _compile(
        ctx,
        _sources(ctx) + objects + ["-Wl,--version-script=" + hidden.path, "-ldl"],
        objects + [hidden],
        out,
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

sanitized_program = rule(
    implementation = _sanitized_program_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "flags": attr.string_list(default = CPU_RACES_FLAGS, doc = "For the compiler."),
        "objects": attr.label_list(allow_files = [".o"], doc = "sanitized_object()s."),
        "srcs": attr.label_list(allow_files = [".cc", ".h"]),
        "submission": attr.label(allow_single_file = [".cc"]),
        "_instrument": program("//grader/judging/kit/instrument"),
        "_hidden": attr.label(
            allow_single_file = [".lds"],
            default = "//grader/judging/kit:race_checker.lds",
        ),
    },
)
