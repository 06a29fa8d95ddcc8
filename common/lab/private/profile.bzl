"""`bazel run //labs/LAB:profile`: a lab's public tests, counted by the simulator."""

def _profiled_impl(_settings, _attr):
    return {"//common/lab:cuda": "profile"}

# Profile mode whatever the command line says, so that no --config has to be remembered.
_profiled = transition(
    implementation = _profiled_impl,
    inputs = [],
    outputs = ["//common/lab:cuda"],
)

_START = """#!/bin/bash
# [--json=FILE] [--filter=TEST]: counts what the kernels do while the tests run.
set -u
json=
filter='*'
for argument in "$@"; do
  case "$argument" in
    --json=*) json="${argument#--json=}" ;;
    --filter=*) filter="${argument#--filter=}" ;;
    *)
      echo "error: unknown option: $argument" >&2
      echo "  next: use --json=FILE or --filter=SUITE.TEST, where * stands for any name" >&2
      exit 2
      ;;
  esac
done
# Paths are those of the shell that started bazel run.
case "$json" in '' | /*) ;; *) json="${BUILD_WORKING_DIRECTORY:-$PWD}/$json" ;; esac
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
export CUDASIM_PROFILE="${json:-$kept/profile.json}" CUDASIM_PROFILE_TABLE=1
"$PROGRAM" --gtest_filter="$filter" >"$kept/tests" 2>"$kept/report"
status=$?
if grep -q '^cudasim: profile: ' "$kept/report"; then
  cat "$kept/report"
else
  cat "$kept/tests" "$kept/report"
  echo "error: no kernel was counted: %{label}" >&2
  echo "  next: bazel test %{package}/..." >&2
  exit 1
fi
[ -z "$json" ] || echo "JSON: $json"
if grep -q '^\\[  FAILED  \\]\\|^cudasim: [a-z_]*: kernel' "$kept/tests" "$kept/report"; then
  echo "error: not all tests passed, so these counts may be those of wrong code" >&2
  echo "  next: bazel test %{package}/..." >&2
  exit 1
fi
[ "$filter" != '*' ] || exit "$status"
"""

def _profile_impl(ctx):
    program = ctx.attr.program[0][DefaultInfo].files_to_run.executable
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    package = "//" + ctx.label.package
    text = _START.replace("%{label}", "%s:%s" % (package, ctx.label.name))
    text = text.replace("%{package}", package)
    text = text.replace("\"$PROGRAM\"", "\"%s\"" % program.short_path)
    ctx.actions.write(script, text, is_executable = True)
    runfiles = ctx.runfiles(files = [program])
    return [DefaultInfo(
        executable = script,
        runfiles = runfiles.merge(ctx.attr.program[0][DefaultInfo].default_runfiles),
    )]

profile = rule(
    implementation = _profile_impl,
    doc = "Runs a lab's test program in the simulator's profile mode and prints what it counted.",
    attrs = {
        "program": attr.label(cfg = _profiled, executable = True, mandatory = True),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    executable = True,
)
