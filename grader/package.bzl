"""python_package(): a folder of the grader's Python."""

load("@rules_python//python:defs.bzl", "py_library")
load("//third_party/python:defs.bzl", "pytest_test")

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
