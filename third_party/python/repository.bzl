"""@local_python: Python targets run by the workspace's own .venv, which ./setup makes."""

_BUILD = """
load("@rules_python//python:defs.bzl", "py_runtime", "py_runtime_pair")

py_runtime(
    name = "python3",
    interpreter_path = "{interpreter}",
    python_version = "PY3",
    stub_shebang = "#!/usr/bin/env python3",  # the default asks for a "python" on PATH
)

py_runtime_pair(
    name = "pair",
    py3_runtime = ":python3",
)

toolchain(
    name = "toolchain",
    toolchain = ":pair",
    toolchain_type = "@rules_python//python:toolchain_type",
    visibility = ["//visibility:public"],
)
"""

def _impl(repository_ctx):
    interpreter = repository_ctx.path(Label("//third_party/python:python3"))
    repository_ctx.file("WORKSPACE", "")
    repository_ctx.file("BUILD", _BUILD.format(interpreter = interpreter))

local_python = repository_rule(implementation = _impl, local = True)
