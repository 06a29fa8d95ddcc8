"""Shared by all actions that call a compiler directly."""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

# gcc records its working directory, which is another one in each of Bazel's sandboxes.
HOST_ENV = {
    "LC_ALL": "C",
    "PATH": "/usr/bin:/bin",
    "PWD": "/proc/self/cwd",
}

def add_includes(args, context):
    """Adds a compilation context's include folders and defines to a compiler's arguments."""

    # -I and not -iquote, which nvcc does not know.
    args.add_all(context.quote_includes, before_each = "-I")
    args.add_all(context.includes, before_each = "-I")
    args.add_all(context.system_includes, before_each = "-isystem")
    args.add_all(context.defines, format_each = "-D%s")

def compilation_context(deps):
    """The headers, include folders and defines of some libraries."""
    infos = [dep[CcInfo] for dep in deps]
    return cc_common.merge_cc_infos(cc_infos = infos).compilation_context

def declare_output(ctx, src, extension):
    """Declares a file of the rule that is made from src."""
    return ctx.actions.declare_file("_%s/%s%s" % (ctx.label.name, src.basename, extension))
