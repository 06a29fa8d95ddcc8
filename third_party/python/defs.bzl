"""pytest_test(): a py_test that runs its sources under pytest; python_package(): a folder of Python."""

load("@rules_python//python:defs.bzl", "py_library", "py_test")

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

def python_package(
        name,
        deps = [],
        other_modules = [],
        other_tests = [],
        test_data = [],
        test_deps = [],
        test_size = "medium",
        visibility = ["//grader:__subpackages__"],
        **kwargs):
    """A folder's modules as a library, and its tests, if there are any, as NAME_test.

    Args:
      name: the library's name.
      deps: as in py_library.
      other_modules: modules that are no part of the library.
      other_tests: files of tests that have a target of their own.
      test_data: as in pytest_test.
      test_deps: what the tests need besides the library.
      test_size: as in py_test.
      visibility: the library's.
      **kwargs: passed on to py_library.
    """
    py_library(
        name = name,
        srcs = native.glob(["*.py"], exclude = other_modules),
        visibility = visibility,
        deps = deps,
        **kwargs
    )
    tests = native.glob(["tests/*_test.py"], exclude = other_tests, allow_empty = True)
    if tests:
        pytest_test(
            name = name + "_test",
            size = test_size,
            srcs = tests,
            data = test_data,
            deps = [":" + name] + test_deps,
        )
