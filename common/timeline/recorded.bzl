"""recorded_program(): a program whose threads are recorded, and the lines of one of its files."""

load("@local_compilers//:defs.bzl", "CLANGXX", "GXX")
load("@rules_cc//cc:defs.bzl", "cc_binary")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//common/lab:flags.bzl", "CPU_FLAGS")
load("//third_party/compilers:actions.bzl", "HOST_ENV", "add_includes", "compilation_context")

# Frame pointers lead to callers.
_FLAGS = CPU_FLAGS + ["-fPIC", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"]

_WRAPPED = [
    "__kmpc_dispatch_next_4",
    "__kmpc_dispatch_next_4u",
    "__kmpc_dispatch_next_8",
    "__kmpc_dispatch_next_8u",
    "__kmpc_for_static_fini",
    "__kmpc_for_static_init_4",
    "__kmpc_for_static_init_4u",
    "__kmpc_for_static_init_8",
    "__kmpc_for_static_init_8u",
]

# clang's OpenMP runtime tells its tools what it does; g++'s has no tools.
_CLANG = CLANGXX[:-len("/bin/clang++")]
_LINK_FLAGS = ["-Wl,--wrap=" + name for name in _WRAPPED] + [
    "-L%s/lib" % _CLANG,
    "-Wl,-rpath,%s/lib" % _CLANG,
    "-Wl,--as-needed",
    "-lomp",
] if CLANGXX else ["-Wl,--as-needed", "-lgomp"]

# The tool is empty where nothing uses OpenMP, or where its runtime has no tools.
_BUILD = """object=$1 file=$2 tool_object=$3 tool=$4
shift 4
"$@" -w -c "$file" -o "$object" || exit
if [ -z "{clang}" ] || ! nm -u "$object" | grep -q ' __kmpc_\\| omp_'; then tool=/dev/null; fi
exec "$@" -w -x c++ -c "$tool" -o "$tool_object"
"""

def _objects_impl(ctx):
    objects = [ctx.actions.declare_file(ctx.label.name + suffix) for suffix in [".o", ".tool.o"]]
    context = compilation_context(ctx.attr.deps)
    args = ctx.actions.args()
    args.add_all([objects[0], ctx.file.src, objects[1], ctx.file._tool])
    args.add_all([CLANGXX or GXX] + _FLAGS)
    add_includes(args, context)
    ctx.actions.run_shell(
        arguments = [args],
        command = _BUILD.replace("{clang}", CLANGXX),
        env = HOST_ENV,
        inputs = depset(
            [ctx.file.src, ctx.file._tool],
            transitive = [context.headers] + [dep.files for dep in ctx.attr.after],
        ),
        mnemonic = "TimelineObjects",
        outputs = objects,
        progress_message = "Building %s to record its threads" % ctx.file.src.short_path,
    )
    return [DefaultInfo(files = depset(objects))]

_recorded_objects = rule(
    implementation = _objects_impl,
    doc = "NAME.o and NAME.tool.o: a file with frame pointers, and what OpenMP's runtime reports to.",
    attrs = {
        "after": attr.label_list(doc = "Libraries of it, whose messages come first."),
        "deps": attr.label_list(doc = "What the file includes.", providers = [CcInfo]),
        "src": attr.label(allow_single_file = [".cc"], mandatory = True),
        "_tool": attr.label(allow_single_file = True, default = "//common/timeline:openmp.cc"),
    },
)

def recorded_program(name, src, srcs = [], deps = [], after = [], include = [], **kwargs):
    """A program whose threads are recorded.

    Args:
      name: the target's name.
      src: the file whose lines the picture names.
      srcs: the other files.
      deps: of all.
      after: as in _recorded_objects.
      include: what `src` includes.
      **kwargs: as in cc_binary.
    """
    _recorded_objects(
        name = name + "_objects",
        src = src,
        after = after,
        deps = include + ["//common/timeline:recorder"],
        tags = ["manual"],
        testonly = True,
    )
    cc_binary(
        name = name,
        testonly = True,
        srcs = srcs + [":%s_objects" % name],
        linkopts = _LINK_FLAGS,
        deps = deps + ["//common/timeline:recorder"],
        **kwargs
    )
