"""pytest_test(): a py_test that runs its sources under pytest."""

load("@rules_python//python:defs.bzl", "py_test")

_MAIN = "//third_party/python:pytest_main.py"

def pytest_test(name, srcs, args = [], data = [], deps = [], env = {}, tags = [], **kwargs):
    """A test target of pytest files. No test found, or none left by a filter, is a failure.

    A test that is exclusive takes turns with all graders of the machine; others do not.

    Args:
      name: the target's name.
      srcs: the test files; every one of them is collected.
      args: more arguments for pytest.
      data: as in py_test.
      deps: as in py_test; pytest and the grader's libraries come from .venv.
      env: as in py_test.
      tags: as in py_test.
      **kwargs: passed on to py_test.
    """
    py_test(
        name = name,
        srcs = srcs + [_MAIN],
        main = _MAIN,
        args = ["$(rootpath %s)" % source for source in srcs] + args,
        data = data + srcs + ["//:pyproject.toml"],
        deps = deps,
        env = dict({"GRADER_LOCKS": ""} if "exclusive" in tags else {}, **env),
        tags = tags,
        **kwargs
    )
