"""Errors for a deleted or renamed function name it, without the linker's own lines."""

from grader.judging.compile.linker import name_missing_functions

EXPORTS = "/usr/bin/ld: /kit/lib/exports.o: in function `void lab::StagedCall<double>::Run()':\n"
UNDEFINED = "/proc/self/cwd/./common/lab/exports/exports.h:97: undefined reference to `%s'\n"
FAILED = "collect2: error: ld returned 1 exit status\n"
SUM = "Sum(std::span<float const>, int)"


def test_names_each_missing_function_once() -> None:
    text = EXPORTS + UNDEFINED % SUM + UNDEFINED % "Max(int)" + UNDEFINED % SUM + FAILED
    assert name_missing_functions(text, "sum.cc") == (
        "sum.cc does not define Sum(std::span<float const>, int): keep every function of the stub, "
        "with its name and its parameters as the header has them\n"
        "sum.cc does not define Max(int): keep every function of the stub, "
        "with its name and its parameters as the header has them"
    )


def test_keeps_the_compilers_warnings_beside_it() -> None:
    warning = "sum.cc:3:5: warning: unused variable 'n'\n"
    text = name_missing_functions(warning + EXPORTS + UNDEFINED % SUM + FAILED, "sum.cc")
    assert text.splitlines()[1:] == [warning.strip()]


def test_leaves_errors_about_other_functions_as_they_are() -> None:
    text = "/usr/bin/ld: sum.cc:(.text+0x5): undefined reference to `Helper()'\n" + FAILED
    assert name_missing_functions(text, "sum.cc") == text
