"""counted_library(): a student's file built as the grader builds it to find races, to count accesses."""

load("@local_compilers//:defs.bzl", "CLANGXX")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//common/lab:flags.bzl", "CPU_LINK_FLAGS", "CPU_RACES_FLAGS", "HOST_FLAGS")
load("//third_party/compilers:actions.bzl", "HOST_ENV", "add_includes", "compilation_context")

# The compiler's messages come first. ThreadSanitizer itself is not linked.
_BUILD = """library=$1 file=$2 exports=$3 counter=$4
shift 4
"$@" RACES_FLAGS -w -c "$file" -o "$library.o" || {
  echo "error: $file: clang++, with which the grader looks for data races, does not compile this"
  echo "  next: write it so that both g++ and clang++ do; for a variable of a structured binding that"
  echo "        a lambda or a region uses: copy it to a variable of its own; for std::views: write a loop"
  exit 1
} >&2
"$@" RACES_FLAGS -w -c "$exports" -o "$library.exports.o" &&
"$@" HOST_FLAGS -c "$counter" -o "$library.counter.o" &&
"$1" -shared -Wl,-Bsymbolic LINK_FLAGS "$library".*o -o "$library"
"""

def _command():
    flags = {
        "HOST_FLAGS": HOST_FLAGS,
        "LINK_FLAGS": CPU_LINK_FLAGS,
        "RACES_FLAGS": CPU_RACES_FLAGS,
    }
    command = _BUILD
    for name, words in flags.items():
        command = command.replace(name, " ".join(words))
    return command

def _impl(ctx):
    library = ctx.actions.declare_file(ctx.label.name + ".so")
    result = [DefaultInfo(files = depset([library]), runfiles = ctx.runfiles([library]))]
    if not CLANGXX:
        ctx.actions.write(library, "")  # does not load
        return result
    context = compilation_context(ctx.attr.deps)
    args = ctx.actions.args()
    args.add_all([library, ctx.file.src, ctx.file.exports, ctx.file._counter, CLANGXX, "-fPIC"])
    add_includes(args, context)
    ctx.actions.run_shell(
        arguments = [args],
        command = _command(),
        env = HOST_ENV,
        inputs = depset(
            [ctx.file.src, ctx.file.exports, ctx.file._counter],
            transitive = [context.headers, ctx.attr.after.files],
        ),
        mnemonic = "CountedLibrary",
        outputs = [library],
        progress_message = "Building %s with clang++" % ctx.file.src.short_path,
    )
    return result

counted_library = rule(
    implementation = _impl,
    doc = "NAME.so. As data of a test: the test is built only if clang++ compiles the file, too.",
    attrs = {
        "after": attr.label(
            doc = "The library of it: without g++'s messages clang++'s would be misleading.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "deps": attr.label_list(doc = "What the sources include.", providers = [CcInfo]),
        "exports": attr.label(allow_single_file = [".cc"], mandatory = True),
        "src": attr.label(allow_single_file = [".cc"], mandatory = True),
        "_counter": attr.label(
            allow_single_file = True,
            default = "//common/lab/call:access_shares.cc",
        ),
    },
)
