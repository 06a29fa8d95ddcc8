"""The driver's folder: a relocatable installation that builds programs without Bazel."""

load("//common/cudasim:archives.bzl", "archives_of")
load(
    "//common/cudasim:flags.bzl",
    "CHECK_COPTS",
    "CHECK_DEFINES",
    "LINKOPTS",
    "LINK_LIBRARIES",
    "PLAIN_COPTS",
    "PREPROCESS",
    "PROFILE_COPTS",
    "X86_64_COPTS",
)

_FLAGS = {
    "compile": {
        "check": CHECK_COPTS,
        "plain": PLAIN_COPTS,
        "profile": PROFILE_COPTS,
    },
    "define": {
        "check": CHECK_DEFINES,
        "plain": [],
        "profile": CHECK_DEFINES,
    },
    "libraries": LINK_LIBRARIES,
    "link": LINKOPTS,
    "preprocess": PREPROCESS,
    "x86_64": X86_64_COPTS,
}

_START = """#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/cudasim/bin/cudasim-cc" "$@"
"""

def _place(file, ctx):
    """The file's path in the folder."""
    if file == ctx.file.launcher:
        return "bin/cudasim-cc"
    if file.extension == "py":
        return "lib/cudasim_cc/" + file.basename
    if "/include/" in file.short_path:
        return file.short_path[file.short_path.index("/include/") + 1:]
    return "lib/" + file.basename

def _driver_folder_impl(ctx):
    libraries = {}
    runtimes = {}
    for runtime, mode in ctx.attr.runtimes.items():
        libraries.update(archives_of(runtime))
        runtimes[mode] = list(archives_of(runtime))
    flags = ctx.actions.declare_file("cudasim/lib/flags.json")
    ctx.actions.write(flags, json.encode_indent(dict(_FLAGS, runtimes = runtimes)) + "\n")
    made = [flags]
    for file in [ctx.file.launcher] + ctx.files.srcs + libraries.values():
        copy = ctx.actions.declare_file("cudasim/" + _place(file, ctx))
        ctx.actions.run_shell(
            inputs = [file],
            outputs = [copy],
            command = 'cp -L "$1" "$2" && chmod u+w "$2"',
            arguments = [file.path, copy.path],
            mnemonic = "CudasimFolder",
        )
        made.append(copy)

    # The program lies beside the folder, because Bazel puts its runfiles next to it.
    program = ctx.actions.declare_file("cudasim-cc")
    ctx.actions.write(program, _START, is_executable = True)
    return [DefaultInfo(
        executable = program,
        files = depset([program] + made),
        runfiles = ctx.runfiles(files = made),
    )]

driver_folder = rule(
    implementation = _driver_folder_impl,
    doc = "Makes cudasim/{bin,lib,include}, which works from wherever it is copied.",
    attrs = {
        "launcher": attr.label(allow_single_file = True, mandatory = True),
        "runtimes": attr.label_keyed_string_dict(
            doc = "The simulator's libraries and the modes that each is for.",
            providers = [CcInfo],
        ),
        "srcs": attr.label_list(allow_files = True),
    },
    executable = True,
)
