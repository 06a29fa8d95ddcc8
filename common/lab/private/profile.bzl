"""`bazel run //labs/LAB:profile` and `:compare`: a lab's public tests, counted by the simulator."""

def _profiled_impl(_settings, _attr):
    return {"//common/lab:cuda": "profile"}

# Profile mode whatever the command line says, so that no --config has to be remembered.
_profiled = transition(
    implementation = _profiled_impl,
    inputs = [],
    outputs = ["//common/lab:cuda"],
)

_START = """#!/bin/bash
# [--json=FILE] [--filter=TEST] [--pictures=DIR]: counts what the kernels do while the tests run, and predicts how
# long they take on a GPU.
set -u
json=
filter='*'
svg=
for argument in "$@"; do
  case "$argument" in
    --json=*) json="${argument#--json=}" ;;
    --filter=*) filter="${argument#--filter=}" ;;
    --pictures=*) svg="${argument#--pictures=}" ;;
    *)
      echo "error: unknown option: $argument" >&2
      echo "  next: use --json=FILE, --pictures=DIR or --filter=SUITE.TEST, where * stands for any name" >&2
      exit 2
      ;;
  esac
done
# Paths are those of the shell that started bazel run.
case "$json" in '' | /*) ;; *) json="${BUILD_WORKING_DIRECTORY:-$PWD}/$json" ;; esac
case "$svg" in '' | /*) ;; *) svg="${BUILD_WORKING_DIRECTORY:-$PWD}/$svg" ;; esac
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
export CUDASIM_PROFILE="${json:-$kept/profile.json}" CUDASIM_PROFILE_TABLE=1
export CUDASIM_PROFILE_SAMPLES=1
"$PROGRAM" --gtest_filter="$filter" >"$kept/tests" 2>"$kept/report"
status=$?
if grep -q '^cudasim: profile: ' "$kept/report"; then
  cat "$kept/report"
else
  cat "$kept/tests" "$kept/report"
  grep -q '^error: no test has the name' "$kept/tests" && exit 1
  echo "error: no kernel was counted: %{label}" >&2
  echo "  next: choose a test that launches one: --filter=SUITE.TEST; or bazel test %{package}/..." >&2
  exit 1
fi
predict=("$CUDASIM_PROFILE" --program "$PROGRAM" --root "${BUILD_WORKSPACE_DIRECTORY:-.}")
# Beside the lab: browsers that are confined may not read what Bazel keeps in hidden folders.
root="${BUILD_WORKSPACE_DIRECTORY:-$PWD}"
page="$root%{folder}/%{name}.html"
pictures=("$CUDASIM_PROFILE" --out "$page" --root "$root" --title "%{label}")
[ -z "$svg" ] || pictures+=(--pictures "$svg")
if [ -n "$OTHER" ]; then
  CUDASIM_PROFILE="$kept/other.json" CUDASIM_PROFILE_TABLE=0 "$OTHER" --gtest_filter="$filter" \
    >"$kept/other_tests" 2>"$kept/other_report"
  if [ ! -s "$kept/other.json" ]; then
    cat "$kept/other_tests" "$kept/other_report"
    echo "error: no kernel of the other version was counted" >&2
    echo "  next: --%{package}:other=%{package}:FILE.cu names the file" >&2
    exit 1
  fi
  predict+=(--against "$kept/other.json" --against-program "$OTHER")
  pictures+=(--against "$kept/other.json")
fi
# Students' machines have no Python environment of this workspace, and the program needs none.
if type -P python3 >/dev/null; then
  PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1 python3 -m common.cudasim.predict.show "${predict[@]}" ||
    exit 1
  PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1 python3 -m common.cudasim.pictures.main "${pictures[@]}" &&
    echo "Pictures: file://$page"
else
  echo "times are not predicted, and no pictures are drawn: python3 is missing"
fi
[ -z "$json" ] || echo "JSON: $json"
if grep -q '^\\[  FAILED  \\]\\|^cudasim: [a-z_]*: kernel' "$kept/tests" "$kept/report"; then
  echo "error: not all tests passed, so these counts may be those of wrong code" >&2
  echo "  next: bazel test %{package}/..." >&2
  exit 1
fi
if [ "$filter" = '*' ]; then
  echo "These are all tests; for one of them: bazel run %{label} -- --filter=SUITE.TEST"
  exit "$status"
fi
"""

def _profile_impl(ctx):
    programs = [ctx.attr.program[0]] + ([ctx.attr.other[0]] if ctx.attr.other else [])
    paths = [program[DefaultInfo].files_to_run.executable for program in programs]
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    package = "//" + ctx.label.package
    text = _START.replace("%{label}", "%s:%s" % (package, ctx.label.name))
    text = text.replace("%{package}", package)
    text = text.replace("%{folder}", package[1:]).replace("%{name}", ctx.label.name)
    text = text.replace("\"$PROGRAM\"", "\"%s\"" % paths[0].short_path)
    text = text.replace("\"$OTHER\"", "\"%s\"" % (paths[1].short_path if paths[1:] else ""))
    ctx.actions.write(script, text, is_executable = True)
    runfiles = ctx.runfiles(files = paths)
    for target in programs + [ctx.attr._predict, ctx.attr._pictures]:
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles)
    return [DefaultInfo(executable = script, runfiles = runfiles)]

profile = rule(
    implementation = _profile_impl,
    doc = """Runs a lab's test program in the simulator's profile mode, prints what it counted, predicts
times and writes a page of pictures; with another version of the program also which of the two is
faster.""",
    attrs = {
        "other": attr.label(cfg = _profiled, executable = True),
        "program": attr.label(cfg = _profiled, executable = True, mandatory = True),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
        "_pictures": attr.label(default = "//common/cudasim/pictures"),
        "_predict": attr.label(default = "//common/cudasim/predict:model"),
    },
    executable = True,
)
