"""Of compilers' and linkers' output only what concerns the student's file, in its own words."""

import shutil
import subprocess
from pathlib import Path

import pytest

from grader.judging.compile.diagnostics import tell_student

SOURCE = "#include <vector>\nint Sum(int n) {\n  return n + m;\n}\n"
ERROR = "sum.cc:3:14: error: 'm' was not declared in this scope"
QUOTED = f"{ERROR}\n    3 |   return n + m;\n      |              ^"
EXPORTS = "/usr/bin/ld: /kit/lib/exports.o: in function `void lab::StagedCall<double>::Run()':\n"
UNDEFINED = "/proc/self/cwd/./common/lab/exports/exports.h:97: undefined reference to `%s'\n"
FAILED = "collect2: error: ld returned 1 exit status\n"
SUM = "Sum(std::span<float const>, int)"


def told(output: str) -> str:
    return tell_student(output, "sum.cc", SOURCE)


def test_quotes_the_line_from_the_submission_and_not_what_the_compiler_read() -> None:
    output = f"sum.cc: In function 'int Sum(int)':\n{ERROR}\n    3 | root:x:0:0\n      |  ^~~~\n"
    assert told(output) == f"sum.cc: In function 'int Sum(int)':\n{QUOTED}"
    assert told(f"{ERROR}\nroot:x:0:0\n   ^\n1 error generated.\n") == QUOTED


@pytest.mark.parametrize(
    "line",
    [
        "Linux version 6.18",
        "{standard input}:1: Error: no such instruction: `linux version'",
        "/proc/version:1:1: note: from here",
        "cc1plus: some warnings being treated as errors",
        "g++: internal compiler error: Killed signal terminated program cc1plus",
        "sum.cc:3:1: Linux version 6.18",
        "  next: Linux version 6.18",
    ],
)
def test_drops_what_is_not_about_the_file(line: str) -> None:
    assert told(f"{line}\n{ERROR}\n") == QUOTED


def test_names_the_students_line_for_an_error_in_a_header_of_a_library() -> None:
    header = "/usr/include/c++/12/bits/std_thread.h"
    output = (
        f"In file included from /usr/include/c++/12/thread:40,\n{' ' * 17}from sum.cc:1:\n"
        f"{header}: In instantiation of 'std::thread::thread(X)':\n"
        "sum.cc:3:14:   required from here\n"
        f"{header}:129:72: error: static assertion failed: must be invocable\n"
        "  129 |        typename decay<_Args>::type...>::value,\n"
        f"{header}:129:72: note: evaluates to false\n"
    )
    assert told(output) == (
        f"sum.cc:3:14:   required from here{QUOTED.removeprefix(ERROR)}\n"
        "sum.cc:1: in a header of a library: error: static assertion failed: must be invocable"
    )


def test_keeps_what_the_rewriter_advises_and_what_nvcc_says() -> None:
    assert told("sum.cc:9: error: no\n  next: do\n") == "sum.cc:9: error: no\n  next: do"
    assert told('sum.cc(9): error: no\n\n1 error detected in "/out/k.cu".\n') == (
        "sum.cc(9): error: no"
    )


def test_quotes_a_line_once_in_a_row() -> None:
    assert told(f"{ERROR}\nsum.cc:3:14: note: did you mean 'n'?\n{ERROR}\n") == (
        f"{QUOTED}\nsum.cc:3:14: note: did you mean 'n'?"
    )


def test_points_at_no_column_where_compilers_count_differently() -> None:
    said = "sum.cc:1:8: warning: unused"
    assert tell_student(said, "sum.cc", "\tint ä; int b;\r") == f"{said}\n    1 | \tint ä; int b;"


def test_names_each_missing_function_once() -> None:
    text = EXPORTS + UNDEFINED % SUM + UNDEFINED % "Max(int)" + UNDEFINED % SUM + FAILED
    assert told(text) == (
        "sum.cc does not define Sum(std::span<float const>, int): keep every function of the stub, "
        "with its name and its parameters as the header has them\n"
        "sum.cc does not define Max(int): keep every function of the stub, "
        "with its name and its parameters as the header has them"
    )


@pytest.mark.parametrize("compiler", [name for name in ("g++", "clang++") if shutil.which(name)])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("int Sum(int n) { return n + m; }\n", "error: use of undeclared|error: 'm' was not"),
        ("int f();\nint Sum(int n) { return f(); }\n", "sum.cc uses f(), which neither it nor"),
        ('extern "C" void _init() {}\n', "sum.cc defines _init, which is defined already"),
    ],
)
def test_understands_the_compilers_of_this_machine(
    tmp_path: Path, compiler: str, text: str, said: str
) -> None:
    (tmp_path / "sum.cc").write_text(text, encoding="utf-8")
    command = [compiler, "-shared", "-fPIC", "sum.cc", "-Wl,-z,defs"]
    done = subprocess.run(
        command, cwd=tmp_path, env={"PATH": "/usr/bin"}, capture_output=True, text=True, check=False
    )
    shown = tell_student(done.stderr, "sum.cc", text)
    assert any(each in shown for each in said.split("|")), done.stderr
    assert "/" not in shown
