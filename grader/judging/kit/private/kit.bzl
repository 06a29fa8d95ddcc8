"""kit(): a folder from which the grader builds and judges submissions to one lab, without Bazel."""

load("@local_compilers//:defs.bzl", "GXX_VERSION")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//common/lab:lab.bzl", "ENDINGS", "model_of")
load("//grader/judging/kit/private:models.bzl", "KIT_MODELS")
load("//grader/judging/kit/private:steps.bzl", "headers_of", "program")
load("//third_party/compilers:actions.bzl", "HOST_ENV")

def _common_files(ctx):
    files = {
        "checker": ctx.executable.checker,
        "jail": ctx.executable._jail,
        "lab.toml": ctx.file.lab_toml,
        "public/lib/exports.lds": ctx.file._exports_lds,
        "public/worker": ctx.executable._worker,
    }
    files.update(headers_of(ctx.attr.contract))
    return files

def _impl(ctx):
    model = KIT_MODELS[model_of(ctx.file.reference.basename).name]
    files = _common_files(ctx)
    builds = model.builds(ctx, files)
    plan = ctx.actions.declare_file("_%s/plan.json" % ctx.label.name)
    ctx.actions.write(plan, json.encode_indent({
        "files": {path: file.path for path, file in files.items()},
        "manifest": {
            "builds": builds,
            "file": ctx.file.reference.basename,
            "lab": ctx.attr.lab,
            "model": model.name,
            "schema": 1,
            "versions": dict(model.versions, **{"g++": GXX_VERSION}),
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

_ATTRS = {
    "checker": attr.label(cfg = "target", executable = True, mandatory = True),
    "contract": attr.label(mandatory = True, providers = [CcInfo]),
    "exports": attr.label(allow_single_file = [".cc"], mandatory = True),
    "exports_deps": attr.label_list(providers = [CcInfo]),
    "lab": attr.string(mandatory = True),
    "lab_toml": attr.label(allow_single_file = True, mandatory = True),
    "reference": attr.label(allow_single_file = ENDINGS, mandatory = True),
    "_assemble": program("//grader/judging/kit:assemble", cfg = "exec"),
    "_exports_lds": attr.label(
        allow_single_file = True,
        default = "//grader/judging/kit:exports.lds",
    ),
    "_jail": program("//grader/sandbox/jail"),
    "_worker": program("//grader/sandbox/worker"),
}

# A kit has the attributes of every model, of which only its own model's are built.
[_ATTRS.update(model.attrs) for model in KIT_MODELS.values()]

kit = rule(
    implementation = _impl,
    doc = "NAME: a folder with manifest.json; grader/model/manifest.py reads it.",
    attrs = _ATTRS,
)
