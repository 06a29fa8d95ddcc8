"""`bazel run //labs/LAB:timeline`: what the threads of a CPU lab's timed cases did, as a picture."""

load("@local_compilers//:defs.bzl", "SYMBOLIZER")
load("//common/lab/private:page_options.bzl", "page_options")
load("//common/timeline:recorded.bzl", "recorded_program")

_START = """#!/bin/bash
# [--out=FILE.html] [--filter=TEST]: runs the timed cases of the public test with a team of four, and
# draws what its threads did.
""" + page_options("timeline.html", "*.ShowsHowParallelItIs") + """kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
export OMP_WAIT_POLICY=passive OMP_CANCELLATION=true
LAB_PARALLELISM="$kept/figures" "$TEST" --gtest_filter="$filter" >"$kept/tests" 2>&1
if grep -q '^error: no test has the name' "$kept/tests"; then
  if [ "$filter" = '*.ShowsHowParallelItIs' ]; then
    echo "%{package} has no timed case: its functions start no threads, so there is no timeline"
    exit
  fi
  cat "$kept/tests"
  exit 1
fi
LAB_TIMELINE="$kept" "$PROGRAM" --gtest_filter="$filter" >"$kept/recorded" 2>&1
if ! ls "$kept"/*.json >/dev/null 2>&1; then
  cat "$kept/recorded"
  echo "error: nothing was recorded: %{label}" >&2
  echo "  next: bazel test %{package}/..., and fix what it reports" >&2
  exit 1
fi
PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1 python3 -m common.timeline.show --program "$PROGRAM" \\
  --source "$SOURCE" --symbolizer "%{symbolizer}" --figures "$kept/figures" --out "$out" "$kept"/*.json || exit 1
if grep -q '^\\[  FAILED  \\]' "$kept/tests" "$kept/recorded"; then
  echo "error: not all timed cases passed, so this may be the picture of wrong code" >&2
  echo "  next: bazel test %{package}/..." >&2
  exit 1
fi
"""

def _timeline_impl(ctx):
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    package = "//" + ctx.label.package
    text = _START.replace("%{label}", "%s:%s" % (package, ctx.label.name))
    text = text.replace("%{package}", package).replace("%{symbolizer}", SYMBOLIZER)
    text = text.replace("%{folder}", ctx.label.package)
    for variable, file in [
        ("$TEST", ctx.executable.test),
        ("$PROGRAM", ctx.executable.program),
        ("$SOURCE", ctx.file.source),
    ]:
        text = text.replace("\"%s\"" % variable, "\"%s\"" % file.short_path)
    ctx.actions.write(script, text, is_executable = True)
    runfiles = ctx.runfiles(files = [ctx.executable.test, ctx.executable.program, ctx.file.source])
    for target in [ctx.attr.test, ctx.attr.program, ctx.attr._show]:
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles)
    return [DefaultInfo(executable = script, runfiles = runfiles)]

_timeline = rule(
    implementation = _timeline_impl,
    doc = "Measures a lab's timed cases, records them, and draws the recording.",
    attrs = {
        "program": attr.label(cfg = "target", executable = True, mandatory = True),
        "source": attr.label(allow_single_file = True, mandatory = True),
        "test": attr.label(cfg = "target", executable = True, mandatory = True),
        "_show": attr.label(default = "//common/timeline:show_library"),
    },
    executable = True,
)

def timeline(topic):
    """:timeline of a CPU lab, and the program that it records.

    Args:
      topic: what the lab's files are called.
    """
    recorded_program(
        name = "timeline_program",
        src = topic + ".cc",
        srcs = [topic + "_test.cc"],
        after = [":stub"],
        include = [":contract"],
        tags = ["manual"],
        deps = [
            ":contract",
            ":exports",
            ":test_support",
            "//common/lab/test_program:in_process",
            "//common/lab/testing",
            "//common/timeline:record_calls",
        ],
    )
    _timeline(
        name = "timeline",
        testonly = True,
        program = ":timeline_program",
        source = topic + ".cc",
        tags = ["manual"],
        test = ":%s_test" % topic,
    )
