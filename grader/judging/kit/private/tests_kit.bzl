"""tests_kit(): the folder from which a student's tests of one lab are graded.

Their file is compiled once, and linked with a library that has GoogleTest, main() and what tests
include. Whatever program it is to test is loaded beside it: each right and each faulty one is a
library with a table of functions, as a submission to the lab is.
"""

load("@local_compilers//:defs.bzl", "GXX")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//common/cudasim:archives.bzl", "archives_of")
load("//common/cudasim:flags.bzl", "LAB_ENV", "LINK_LIBRARIES")
load("//common/lab:flags.bzl", "HOST_FLAGS", "HOST_LINK_FLAGS", "MPI_ENV")
load("//common/lab:lab.bzl", "model_of")
load(
    "//grader/judging/kit/private:steps.bzl",
    "INCLUDE",
    "SIMULATOR_INCLUDE",
    "UNTRACKED",
    "build",
    "headers_of",
    "program",
)
load("//third_party/compilers:actions.bzl", "HOST_ENV")

FILE = "my_test.cc"
"""What students hand in."""

# What the libraries of CUDA labs' programs are linked with is known by this name.
_HARNESS = "simulator"

# It has the function that every program has, for the linker.
_STAND_IN = "program.so"

# Tests are compiled once and run for milliseconds.
_FLAGS = [flag for flag in HOST_FLAGS if flag not in ("-O2", "-g")] + ["-O1", "-fPIC"] + UNTRACKED

# By programming model: the build of the lab's kit in which a program runs as in `bazel test`, and the
# environment of its run.
_MODELS = {
    "cpu": struct(
        build = "tests",
        env = {"LAB_UNTIMED": "1", "OMP_CANCELLATION": "true", "OMP_WAIT_POLICY": "passive"},
    ),
    "cuda": struct(build = "races", env = LAB_ENV),
    "mpi": struct(build = "tests", env = dict(MPI_ENV, LAB_MPI_STRICT = "1")),
}

# The simulator's operators new and delete, which every part of a program has of its own: memory that
# one part allocates and another frees must not stay known by its size.
_MODULE = "libmodule.lo"

def _steps(archives, defines):
    compile = [GXX] + _FLAGS + ["-D" + define for define in defines]
    own = ["-Wl,--whole-archive", "/kit/lib/" + _MODULE, "-Wl,--no-whole-archive"]
    return [
        compile + INCLUDE + SIMULATOR_INCLUDE + ["-E", "/submission/" + FILE, "-o", "/out/test.ii"],
        compile + ["-x", "c++-cpp-output", "-c", "/out/test.ii", "-o", "/out/test.o"],
        [GXX, "-o", "/out/test", "/out/test.o", "/kit/lib/" + _HARNESS, "/kit/lib/" + _STAND_IN] +
        (own if _MODULE in archives else []) + ["-Wl,-rpath,/program:/kit/lib"] + HOST_LINK_FLAGS,
    ]

def _harness(ctx, archives):
    """A library with all that a test is linked with, known by the simulator's name."""
    out = ctx.actions.declare_file("_%s/%s" % (ctx.label.name, _HARNESS))
    args = ctx.actions.args()
    args.add_all(HOST_LINK_FLAGS + ["-shared", "-Wl,-soname," + _HARNESS])
    args.add("-o", out)
    args.add("-Wl,--whole-archive")
    args.add_all(archives.values())
    args.add("-Wl,--no-whole-archive")
    args.add_all(LINK_LIBRARIES)
    args.add_all(depset([
        flag
        for dep in ctx.attr.harness
        for each in dep[CcInfo].linking_context.linker_inputs.to_list()
        for flag in each.user_link_flags
    ]))
    ctx.actions.run(
        arguments = [args],
        env = HOST_ENV,
        executable = GXX,
        inputs = archives.values(),
        mnemonic = "TestsHarness",
        outputs = [out],
    )
    return out

def _headers(ctx):
    """{path in the kit: file} of what tests include: this workspace's headers, and GoogleTest's."""
    files = {}
    for dep in ctx.attr.harness:
        files.update(headers_of(dep))
        for header in dep[CcInfo].compilation_context.headers.to_list():
            folder, _, path = header.path.rpartition("/include/")
            if header.path.startswith("external/") and folder:
                files["public/include/" + path] = header
    return files

def _impl(ctx):
    model = _MODELS[model_of(ctx.file.reference.basename).name]
    files = _headers(ctx)
    archives = {}
    for dep in ctx.attr.harness:
        archives.update(archives_of(dep))
    files["public/lib/" + _HARNESS] = _harness(ctx, archives)
    if _MODULE in archives:
        files["public/lib/" + _MODULE] = archives[_MODULE]
    hidden = archives_of(ctx.attr.hidden).values()[0]
    defines = depset(transitive = [
        dep[CcInfo].compilation_context.defines
        for dep in ctx.attr.harness
    ]).to_list()
    plan = ctx.actions.declare_file("_%s/plan.json" % ctx.label.name)
    ctx.actions.write(plan, json.encode_indent({
        "build": model.build,
        "fault": ctx.file._fault.path,
        "files": {path: file.path for path, file in files.items()},
        "hidden": hidden.path,
        "kit": ctx.file.kit.path,
        "manifest": {
            "builds": {"tests": dict(
                build("test", _steps(archives, defines), env = model.env),
                library = "test",
            )},
            "file": FILE,
            "kind": "tests",
        },
        "public": ctx.file.public_test.path,
        "samples": ctx.file.reference.dirname,
    }))
    kit = ctx.actions.declare_directory(ctx.label.name)
    ctx.actions.run(
        arguments = [plan.path, kit.path],
        env = HOST_ENV,
        executable = ctx.executable._assemble,
        inputs = depset(
            [plan, ctx.file.kit, ctx.file.reference, ctx.file.public_test, ctx.file._fault, hidden] +
            ctx.files.samples + files.values(),
        ),
        mnemonic = "TestsKit",
        outputs = [kit],
        progress_message = "Testing the programs of %s" % ctx.label.name,
    )
    return [DefaultInfo(files = depset([kit]), runfiles = ctx.runfiles([kit]))]

tests_kit = rule(
    implementation = _impl,
    doc = "NAME: a folder with manifest.json and programs.json.",
    attrs = {
        "harness": attr.label_list(providers = [CcInfo]),
        "hidden": attr.label(mandatory = True, providers = [CcInfo]),
        "kit": attr.label(allow_single_file = True, mandatory = True),
        "public_test": attr.label(allow_single_file = [".cc"], mandatory = True),
        "reference": attr.label(allow_single_file = True, mandatory = True),
        "samples": attr.label(mandatory = True),
        "_assemble": program("//grader/judging/student_tests:assemble", cfg = "exec"),
        "_fault": attr.label(
            allow_single_file = [".cc"],
            default = "//grader/judging/student_tests:conditional_fault.cc",
        ),
    },
)
