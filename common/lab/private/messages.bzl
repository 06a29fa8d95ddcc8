"""`bazel run //labs/LAB:messages`: who sent how much to whom in a message-passing lab's test."""

load("//common/lab/private:page_options.bzl", "page_options")

_START = """#!/bin/bash
# [--out=FILE.html] [--filter=SUITE.TEST]: runs the public test and draws its ranks' messages.
""" + page_options("messages.html", "*") + """kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
LAB_MPI_TRAFFIC="$kept/traffic" "%{test}" --gtest_filter="$filter" >"$kept/tests" 2>&1
passed=$?
if ! [ -s "$kept/traffic" ]; then
  cat "$kept/tests"
  echo "error: no call has returned: //%{folder}:messages" >&2
  echo "  next: bazel test //%{folder}/..., and fix what it reports" >&2
  exit 1
fi
PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1 python3 -m common.mpi.messages.show "$kept/traffic" \\
  --title "Messages of //%{folder}" --out "$out" || exit 1
if [ "$passed" -ne 0 ]; then
  echo "error: not all cases passed, so this may be the picture of wrong code" >&2
  echo "  next: bazel test //%{folder}/..." >&2
  exit 1
fi
"""

def _messages_impl(ctx):
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    text = _START.replace("%{folder}", ctx.label.package)
    ctx.actions.write(
        script,
        text.replace("%{test}", ctx.executable.test.short_path),
        is_executable = True,
    )
    runfiles = ctx.runfiles(files = [ctx.executable.test])
    for target in [ctx.attr.test, ctx.attr._show]:
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles)
    return [DefaultInfo(executable = script, runfiles = runfiles)]

messages = rule(
    implementation = _messages_impl,
    doc = "Runs a lab's test and draws its messages.",
    attrs = {
        "test": attr.label(cfg = "target", executable = True, mandatory = True),
        "_show": attr.label(default = "//common/mpi/messages:show_library"),
    },
    executable = True,
)
