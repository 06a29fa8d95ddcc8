"""kit(): a folder from which the grader builds and judges submissions to one lab, without Bazel."""

load(
    "@local_compilers//:defs.bzl",
    "ARCHER",
    "CLANGXX",
    "CLANGXX_VERSION",
    "GXX",
    "GXX_VERSION",
    "SYMBOLIZER",
)
load("@local_cuda//:defs.bzl", "NVCC")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//common/cudasim:archives.bzl", "archives_of")
load("//common/cudasim:flags.bzl", "X86_64_COPTS")
load(
    "//common/lab:flags.bzl",
    "CPU_MEMORY_FLAGS",
    "CPU_RACES_FLAGS",
    "HOST_FLAGS",
    "NO_TOOLKIT",
)
load("//common/lab:host.bzl", "HOST_ENV", "add_includes")
load("//grader/kit/private:steps.bzl", "cpu_builds", "cuda_builds", "gpu_build", "to_exposed_object")

_SIMULATOR_HEADERS = "common/cudasim/include/"

# Where, below a target's folder, Bazel places headers that are included by a different path.
_VIRTUAL = "/_virtual_includes/"

def _compile_exports(ctx, compiler, flags, name, runtime = []):
    """The table of functions as an object file, for linking with a submission.

    Args:
      ctx: the rule's context.
      compiler: the compiler's path.
      flags: for the compiler.
      name: the object file's name.
      runtime: the libraries with cuda_runtime.h, for a CUDA lab.

    Returns:
      the object file.
    """
    infos = [dep[CcInfo] for dep in ctx.attr.exports_deps + runtime]
    context = cc_common.merge_cc_infos(cc_infos = infos).compilation_context
    out = ctx.actions.declare_file("_%s/%s" % (ctx.label.name, name))
    args = ctx.actions.args()
    args.add_all(flags + ["-fPIC"])
    add_includes(args, context)
    args.add("-c", ctx.file.exports)
    args.add("-o", out)
    ctx.actions.run(
        arguments = [args],
        env = HOST_ENV,
        executable = compiler,
        inputs = depset([ctx.file.exports], transitive = [context.headers]),
        mnemonic = "KitExports",
        outputs = [out],
        progress_message = "Compiling %s" % out.short_path,
    )
    return out

def _headers(dep):
    """{path in the kit: file} of a library's headers that belong to this workspace."""
    files = {}
    for header in dep[CcInfo].compilation_context.headers.to_list():
        path = header.short_path
        if path.startswith("../"):
            continue  # of another repository
        if _VIRTUAL in path:
            path = path.partition(_VIRTUAL)[2].partition("/")[2]
        if path.startswith(_SIMULATOR_HEADERS):
            files["public/simulator/" + path[len(_SIMULATOR_HEADERS):]] = header
        else:
            files["public/include/" + path] = header
    return files

def _common_files(ctx):
    files = {
        "checker": ctx.executable.checker,
        "jail": ctx.executable._jail,
        "lab.toml": ctx.file.lab_toml,
        "public/worker": ctx.executable._worker,
    }
    files.update(_headers(ctx.attr.contract))
    return files

def _cpu(ctx, files):
    files["public/lib/exports.o"] = _compile_exports(ctx, GXX, HOST_FLAGS, "exports.o")
    if CLANGXX:
        for name, flags in {"memory": CPU_MEMORY_FLAGS, "races": CPU_RACES_FLAGS}.items():
            exports = "exports_%s.o" % name
            files["public/lib/" + exports] = _compile_exports(ctx, CLANGXX, flags, exports)
        files["public/bin/expose"] = ctx.executable._expose
        files["public/worker_memory"] = ctx.file._worker_memory
        files["public/worker_races"] = ctx.file._worker_races
    return cpu_builds(ctx.file.reference.basename, GXX, CLANGXX, ARCHER, SYMBOLIZER)

def _gpu(ctx, files):
    if not NVCC:
        fail(NO_TOOLKIT)
    cudart = [ctx.attr._cudart]
    exports = _compile_exports(ctx, GXX, HOST_FLAGS, "exports_gpu.o", cudart)
    files["public/lib/exports_gpu.o"] = exports
    archives = archives_of(ctx.attr._cudart)
    for name, archive in archives.items():
        files["public/lib/" + name] = archive
    return gpu_build(ctx.file.reference.basename, NVCC, GXX, archives.keys())

def _cuda(ctx, files):
    exports = _compile_exports(ctx, GXX, HOST_FLAGS, "exports.o", [ctx.attr._cudasim])
    files["public/lib/exports.o"] = exports
    plain = archives_of(ctx.attr._cudasim)
    check = archives_of(ctx.attr._cudasim_check)
    profile = archives_of(ctx.attr._cudasim_profile)
    for name, archive in plain.items() + check.items() + profile.items():
        files["public/lib/" + name] = archive
    files.update(_headers(ctx.attr._cudasim))
    files["public/bin/compile"] = ctx.executable._compile
    files["public/bin/rewrite"] = ctx.executable._rewrite
    x86_64 = ctx.attr._x86_64[platform_common.ConstraintValueInfo]
    builds = cuda_builds(
        ctx.file.reference.basename,
        GXX,
        X86_64_COPTS if ctx.target_platform_has_constraint(x86_64) else {},
        plain.keys(),
        check.keys(),
        profile.keys(),
    )
    if ctx.attr.gpu:
        builds["gpu"] = _gpu(ctx, files)
    return builds

def _impl(ctx):
    cuda = ctx.file.reference.extension == "cu"
    files = _common_files(ctx)
    builds = _cuda(ctx, files) if cuda else _cpu(ctx, files)
    versions = {"g++": GXX_VERSION}
    if CLANGXX and not cuda:
        versions["clang++"] = CLANGXX_VERSION
    plan = ctx.actions.declare_file("_%s/plan.json" % ctx.label.name)
    ctx.actions.write(plan, json.encode_indent({
        "files": {path: file.path for path, file in files.items()},
        "manifest": {
            "builds": builds,
            "file": ctx.file.reference.basename,
            "lab": ctx.attr.lab,
            "model": "cuda" if cuda else "cpu",
            "schema": 1,
            "versions": versions,
        },
        "reference": ctx.file.reference.path,
    }))
    kit = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run(
        arguments = [plan.path, kit.path],
        env = HOST_ENV,
        executable = ctx.executable._assemble,
        inputs = depset([plan, ctx.file.reference] + files.values()),
        mnemonic = "Kit",
        outputs = [kit],
        progress_message = "Assembling the kit of %s" % ctx.attr.lab,
    )
    return [DefaultInfo(files = depset([kit]), runfiles = ctx.runfiles([kit]))]

def _program(label, cfg = "target"):
    return attr.label(cfg = cfg, default = label, executable = True)

kit = rule(
    implementation = _impl,
    doc = "NAME: a folder with manifest.json; grader/model/manifest.py reads it.",
    attrs = {
        "checker": attr.label(cfg = "target", executable = True, mandatory = True),
        "contract": attr.label(mandatory = True, providers = [CcInfo]),
        "exports": attr.label(allow_single_file = [".cc"], mandatory = True),
        "exports_deps": attr.label_list(providers = [CcInfo]),
        "gpu": attr.bool(doc = "Whether submissions to a CUDA lab can be timed on a GPU, too."),
        "lab": attr.string(mandatory = True),
        "lab_toml": attr.label(allow_single_file = True, mandatory = True),
        "reference": attr.label(allow_single_file = [".cc", ".cu"], mandatory = True),
        "_assemble": _program("//grader/kit:assemble", cfg = "exec"),
        "_x86_64": attr.label(default = "@platforms//cpu:x86_64"),
        "_compile": _program("//common/cudasim:compile"),
        "_cudart": attr.label(default = "@local_cuda//:cudart", providers = [CcInfo]),
        "_cudasim": attr.label(default = "//common/cudasim", providers = [CcInfo]),
        "_cudasim_check": attr.label(
            default = "//common/cudasim:cudasim_check",
            providers = [CcInfo],
        ),
        "_cudasim_profile": attr.label(
            default = "//common/cudasim:cudasim_profile",
            providers = [CcInfo],
        ),
        "_expose": _program("//grader/kit/expose"),
        "_jail": _program("//grader/run/jail"),
        "_rewrite": _program("//common/cudasim:rewrite"),
        "_worker": _program("//grader/run/worker"),
        "_worker_memory": attr.label(
            allow_single_file = True,
            default = "//grader/kit:worker_memory",
        ),
        "_worker_races": attr.label(allow_single_file = True, default = "//grader/kit:worker_races"),
    },
)

def _submission_object(ctx, context):
    """The submission as an object file, compiled in the steps of a CPU lab's races build."""
    file = ctx.file.submission
    out = ctx.actions.declare_file("_%s/%s.o" % (ctx.label.name, file.basename))
    preprocess = ctx.actions.args()
    preprocess.add_all([CLANGXX] + CPU_RACES_FLAGS)
    add_includes(preprocess, context)
    preprocess.add("-E", file)
    preprocess.add("-o", out.path[:-len(".o")] + ".ii")
    steps = to_exposed_object(
        [CLANGXX] + CPU_RACES_FLAGS + ["-x"],
        out.path[:-len(".o")],
        ctx.executable._expose.path,
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
        tools = [ctx.executable._expose],
    )
    return out

def _sanitized_program_impl(ctx):
    """A program with a sanitizer, whose runtime must be linked into the program."""
    out = ctx.actions.declare_file(ctx.label.name)
    if not CLANGXX:
        ctx.actions.write(out, "#!/bin/sh\nexit 3\n", is_executable = True)
        return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]
    context = cc_common.merge_cc_infos(
        cc_infos = [dep[CcInfo] for dep in ctx.attr.deps],
    ).compilation_context
    args = ctx.actions.args()
    args.add_all(ctx.attr.flags)
    add_includes(args, context)
    args.add_all([file for file in ctx.files.srcs if file.extension == "cc"])
    objects = [_submission_object(ctx, context)] if ctx.file.submission else []
    args.add_all(objects)
    args.add(ctx.file._hidden, format = "-Wl,--version-script=%s")
    args.add("-o", out)
    args.add("-ldl")
    ctx.actions.run(
        arguments = [args],
        env = HOST_ENV,
        executable = CLANGXX,
        inputs = depset(
            ctx.files.srcs + objects + [ctx.file._hidden],
            transitive = [context.headers],
        ),
        mnemonic = "KitSanitized",
        outputs = [out],
        progress_message = "Compiling %s with a sanitizer" % ctx.label.name,
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

sanitized_program = rule(
    implementation = _sanitized_program_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "flags": attr.string_list(default = CPU_RACES_FLAGS, doc = "For the compiler."),
        "srcs": attr.label_list(allow_files = [".cc", ".h"]),
        "submission": attr.label(allow_single_file = [".cc"]),
        "_expose": _program("//grader/kit/expose"),
        "_hidden": attr.label(
            allow_single_file = [".lds"],
            default = "//grader/kit:race_checker.lds",
        ),
    },
)
