"""Memory reports have the student's lines, and nothing that the program may have printed."""

import json

import pytest

from grader.judging.judge.located import questions, read_names
from grader.judging.judge.memory_report import parse_memory_report, told
from grader.model.verdict import Verdict
from grader.sandbox.checker_report import Case

SOURCE = "\n".join([*(f"line {i}" for i in range(1, 9)), "  int sums[4];", "int table[10];"])
HEAD = "=====\n==2==ERROR: AddressSanitizer: {} on address 0x602 at pc 0x7f bp 0x7f sp 0x7f\n"
WRITE = "WRITE of size 4 at 0x602000000018 thread T2\n"
READ = "READ of size 8 at 0x602000000018 thread T0\n"
BLOCK = "\n0x602 is located {} bytes {} 16-byte region [0x602000000010,0x602000000020)\n"
ALLOCATED = "allocated by thread T0 here:\n"
LOCAL = (
    "\nAddress 0x7f is located in stack of thread T0 at offset 48 in frame\n"
    "    #0 0x7f  (/submission.so+0x90)\n\n  This frame has 2 object(s):\n"
    "    [32, 48) '{}' (line {}) <== Memory access at offset 48 overflows this variable\n"
)
SUMMARY = "\nSUMMARY: AddressSanitizer: x (/submission.so+0x10)\n"


def frame(module: str, offset: int) -> str:
    return f"    #0 0x7ffff7e83c86  (/{module}+{offset:#x}) (BuildId: 94f91d)\n"


def own(offset: int) -> str:
    return frame("submission.so", offset)


def retold(stderr: str, lines: dict[int, int], message: str = "") -> Case:
    """The case with a symbolizer that knows these offsets, in functions named after their lines."""
    answers = [
        {
            "Address": hex(offset),
            "Symbol": [
                {"FunctionName": f"F{line}", "FileName": "/submission/sum.cc", "Line": line}
            ],
        }
        for offset, line in lines.items()
    ]
    report = parse_memory_report(stderr)
    assert report
    assert questions(report.sections)
    names = read_names(json.dumps(answers), "sum.cc")
    case = Case("Sum", "Works", Verdict.OUT_OF_BOUNDS, message, stderr)
    return told(case, report, names, "sum.cc", SOURCE)


@pytest.mark.parametrize(
    ("distance", "side", "words"),
    [
        (0, "to the right of", "past the end of a block"),
        (4, "after", "4 bytes past the end of a block"),
        (1, "to the left of", "1 byte before a block"),
    ],
)
def test_an_overrun_names_line_size_and_allocation(distance: int, side: str, words: str) -> None:
    stderr = HEAD.format("heap-buffer-overflow") + WRITE + frame("worker", 5) + own(16)
    stderr += BLOCK.format(distance, side) + ALLOCATED + frame("worker", 9) + own(32) + SUMMARY
    case = retold(stderr, {16: 56, 32: 50})
    assert case.message == (
        f"heap-buffer-overflow: write of 4 bytes at sum.cc:56, {words} of 16 bytes allocated at "
        "sum.cc:50"
    )
    assert not case.may_be_race
    assert case.report.splitlines() == [
        "AddressSanitizer: heap-buffer-overflow",
        "  Write by thread T2",
        "    F56 at sum.cc:56",
        "  The memory was allocated by thread T0",
        "    F50 at sum.cc:50",
    ]


def test_a_use_after_free_names_where_the_memory_was_freed() -> None:
    stderr = HEAD.format("heap-use-after-free") + READ + own(16) + BLOCK.format(0, "inside of")
    stderr += "freed by thread T1 here:\n" + own(48) + "previously " + ALLOCATED + own(32)
    case = retold(stderr + SUMMARY, {16: 56, 32: 50, 48: 53})
    assert case.message == (
        "heap-use-after-free: read of 8 bytes at sum.cc:56, in a block of 16 bytes allocated at "
        "sum.cc:50 that was freed at sum.cc:53"
    )
    assert case.may_be_race


def test_a_local_variable_is_named_if_its_line_has_the_name() -> None:
    head = HEAD.format("stack-buffer-overflow") + WRITE + own(16)
    message = "stack-buffer-overflow: write of 4 bytes at sum.cc:56, past the end of"
    named = retold(head + LOCAL.format("sums", 9) + SUMMARY, {16: 56})
    assert named.message == (f"{message} the local variable sums of 16 bytes, declared at sum.cc:9")
    hidden = retold(head + LOCAL.format("secret", 9) + SUMMARY, {16: 56})
    assert hidden.message == f"{message} a local variable of 16 bytes"


def test_a_local_variable_of_a_function_that_has_returned() -> None:
    stderr = HEAD.format("stack-use-after-return") + READ + own(16)
    stderr += LOCAL.format("sums", 9).replace("overflows", "is inside") + SUMMARY
    assert retold(stderr, {16: 56}).message == (
        "stack-use-after-return: read of 8 bytes at sum.cc:56, in the local variable sums of 16 "
        "bytes, declared at sum.cc:9, whose function has returned"
    )


def test_a_global_variable() -> None:
    stderr = HEAD.format("global-buffer-overflow") + READ + own(16)
    stderr += (
        "\n0x7fc is located 0 bytes to the right of global variable 'table' defined in "
        "'/submission/sum.cc:10:5' (0x7fc69b03c5e0) of size 40\n"
    )
    assert retold(stderr + SUMMARY, {16: 56}).message == (
        "global-buffer-overflow: read of 8 bytes at sum.cc:56, past the end of the global "
        "variable table of 40 bytes, declared at sum.cc:10"
    )


@pytest.mark.parametrize(
    ("type_", "size"), [("int[4][2]", "4 elements"), ("double[n + 1]", "variable length")]
)
def test_an_index_out_of_bounds_of_an_array(type_: str, size: str) -> None:
    stderr = f"/submission/sum.cc:5:3: runtime error: index -1 out of bounds for type '{type_}'\n"
    case = retold(stderr + own(16) + "SUMMARY: UndefinedBehaviorSanitizer: x\n", {16: 56})
    assert case.message == f"index -1 at sum.cc:56 is out of bounds of an array of {size}"
    assert case.report.startswith("UndefinedBehaviorSanitizer: index out of bounds\n")


def test_a_function_that_ends_without_return() -> None:
    stderr = (
        "/submission/sum.cc:5:3: runtime error: execution reached the end of a value-returning "
        "function without returning a value\n"
    )
    assert retold(stderr + own(16), {16: 56}).message == (
        "a function that must return a value ends without return at sum.cc:56"
    )


def test_a_crash_keeps_its_words_and_gets_its_line() -> None:
    stderr = "==2==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x7f T1)\n"
    stderr += "==2==The signal is caused by a WRITE memory access.\n" + own(16) + SUMMARY
    case = retold(stderr, {16: 56}, message="the program died of SIGSEGV inside Sum")
    assert case.message == "the program died of SIGSEGV inside Sum, at sum.cc:56"
    assert case.may_be_race
    told_before = "the program died of SIGSEGV inside Sum: 1 thread is at sum.cc:56"
    assert retold(stderr, {16: 56}, message=told_before).message == told_before


def test_passes_on_nothing_that_the_program_printed() -> None:
    printed = "271828"
    stderr = (
        f"{printed}\n{HEAD.format('heap-buffer-overflow')}{printed}\n{WRITE}{own(16)}{printed}\n"
        f"    #1 {printed} (worker+0x1)\n0x602 is located {printed} {BLOCK.format(0, 'x')}"
        f"SUMMARY: {printed}\n"
    )
    case = retold(stderr, {16: 56})
    assert printed not in case.message + case.report
    assert parse_memory_report(f"==2==ERROR: AddressSanitizer: {printed}\n") is None
