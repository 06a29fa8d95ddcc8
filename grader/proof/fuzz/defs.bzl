"""fuzz_program(): a C++ libFuzzer program that reads a student's bytes."""

load("@local_compilers//:defs.bzl", "CLANGXX", "FUZZER")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//third_party/compilers:actions.bzl", "HOST_ENV", "add_includes")

_FLAGS = [
    "-std=c++20",
    "-gline-tables-only",
    "-O1",
    "-fno-omit-frame-pointer",
    "-fsanitize=fuzzer,address,undefined",
    "-fno-sanitize-recover=undefined",
    "-pthread",
]

# Printed by the stub that replaces the program where it cannot be built.
_SKIPPED = "SKIPPED: no clang with libFuzzer was found: install clang and libclang-rt of one version"

def _archives(info):
    return [
        library.pic_static_library or library.static_library
        for linker_input in info.linking_context.linker_inputs.to_list()
        for library in linker_input.libraries
        if library.pic_static_library or library.static_library
    ]

def _compile(ctx, out):
    info = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps])
    archives = _archives(info)
    args = ctx.actions.args()
    args.add_all(_FLAGS)
    args.add("-I.")
    add_includes(args, info.compilation_context)

    # Most of the time goes into common headers, so the sources are compiled as one.
    joined = ctx.actions.declare_file(ctx.label.name + "_sources.cc")
    ctx.actions.write(joined, "".join([
        "#include \"%s\"\n" % src.path
        for src in ctx.files.srcs
        if src.extension == "cc"
    ]))
    args.add(joined)
    args.add_all(archives)
    args.add_all(["-ldl", "-l:libseccomp.a", "-o", out])
    ctx.actions.run(
        arguments = [args],
        env = HOST_ENV,
        executable = CLANGXX,
        inputs = depset(
            ctx.files.srcs + [joined] + archives,
            transitive = [info.compilation_context.headers],
        ),
        mnemonic = "FuzzCompile",
        outputs = [out],
        progress_message = "Compiling the fuzzer %s" % out.short_path,
    )

def _impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name)
    if CLANGXX and FUZZER:
        _compile(ctx, out)
    else:
        script = "#!/bin/sh\necho '%s'\n" % _SKIPPED
        ctx.actions.write(out, script, is_executable = True)
    return [DefaultInfo(
        executable = out,
        files = depset([out]),
        runfiles = ctx.runfiles([out]),
    )]

fuzz_program = rule(
    implementation = _impl,
    doc = "Sources compiled by clang with libFuzzer, AddressSanitizer and UBSan.",
    attrs = {
        "deps": attr.label_list(
            doc = "Libraries, used uninstrumented: only srcs have coverage and sanitizers.",
            providers = [CcInfo],
        ),
        "srcs": attr.label_list(
            doc = "The entry point and what it tests, whose names differ; headers, too.",
            allow_files = [".cc", ".h"],
        ),
    },
    executable = True,
)
