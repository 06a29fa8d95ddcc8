"""compiles_for_race_checker(): a student's file under the compiler that the grader finds races with."""

load("@local_compilers//:defs.bzl", "CLANGXX")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//common/lab:flags.bzl", "CPU_RACES_FLAGS")
load("//common/lab:host.bzl", "HOST_ENV", "add_includes")

# The compiler's messages come first.
_COMPILE = """checked=$1 file=${!#}
shift
"$@" || {
  echo "error: $file: clang++, with which the grader looks for data races, does not compile this"
  echo "  next: write it so that both g++ and clang++ do; for a variable of a structured binding that"
  echo "        a lambda or a region uses: copy it to a variable of its own"
  exit 1
} >&2
: > "$checked"
"""

def _impl(ctx):
    if not CLANGXX:
        return []
    context = ctx.attr.contract[CcInfo].compilation_context
    checked = ctx.actions.declare_file(ctx.label.name)
    args = ctx.actions.args()
    args.add(checked)
    args.add_all([CLANGXX] + CPU_RACES_FLAGS + ["-fsyntax-only", "-w"])
    add_includes(args, context)
    args.add(ctx.file.src)
    ctx.actions.run_shell(
        arguments = [args],
        command = _COMPILE,
        env = HOST_ENV,
        inputs = depset([ctx.file.src], transitive = [context.headers, ctx.attr.after.files]),
        mnemonic = "SecondCompiler",
        outputs = [checked],
        progress_message = "Checking %s with clang++" % ctx.file.src.short_path,
    )
    return [DefaultInfo(files = depset([checked]), runfiles = ctx.runfiles([checked]))]

compiles_for_race_checker = rule(
    implementation = _impl,
    doc = "As data of a test: the test is built only if the file compiles.",
    attrs = {
        "after": attr.label(
            doc = "The library of it: without g++'s messages clang++'s would be misleading.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "contract": attr.label(mandatory = True, providers = [CcInfo]),
        "src": attr.label(allow_single_file = [".cc"], mandatory = True),
    },
)
