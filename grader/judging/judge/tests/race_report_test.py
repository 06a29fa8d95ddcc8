"""Race reports have the student's lines, and nothing that the program may have printed."""

import json

import pytest

from common.lab.race_checker.race_words import AFTER_TIME_LIMIT, AFTER_WRONG_ANSWER
from grader.judging.judge.located import Frame, Names, questions, read_names
from grader.judging.judge.race_report import (
    parse_pause,
    parse_race_report,
    told,
    told_pause,
)
from grader.model.verdict import Verdict
from grader.sandbox.checker_report import Case

HEAD = "==================\nWARNING: ThreadSanitizer: data race (pid=2)\n"
WRITE = "  Write of size 8 at 0x7b0400000800 by thread T3:\n"
PREVIOUS = "\n  Previous atomic read of size 8 at 0x7b0400000800 by main thread:\n"
GLOBAL = "\n  Location is global '??' at 0x7ffff (submission.so+0x4010)\n"
STARTED = "\n  Thread T3 'secret 7' (tid=4, running) created by main thread at:\n"
SUMMARY = "\nSUMMARY: ThreadSanitizer: data race (submission.so+0x10)\n"


def frame(module: str, offset: int) -> str:
    return f"    #0 <null> <null> ({module}+{offset:#x}) (BuildId: 94f91d)\n"


def own(offset: int) -> str:
    return frame("submission.so", offset)


def retold(stderr: str, lines: dict[int, int], variables: dict[int, str] | None = None) -> Case:
    """The case with a symbolizer that knows these offsets, in functions named after their lines."""
    answers: list[object] = [
        {
            "Address": hex(offset),
            "Symbol": [
                {"FunctionName": "std::sort", "FileName": "/usr/sort.h", "Line": 4873},
                {"FunctionName": f"F{line}", "FileName": "/submission/sum.cc", "Line": line},
            ],
        }
        for offset, line in lines.items()
    ]
    for offset, name in (variables or {}).items():
        answers.append({"Address": hex(offset), "Data": {"Name": name, "Start": hex(offset)}})
    report = parse_race_report(stderr)
    assert report
    names = read_names(json.dumps(answers), "sum.cc")
    return told(Case("Sum", "Works", Verdict.DATA_RACE, stderr=stderr), report, names, "sum.cc")


def test_names_both_accesses_at_the_innermost_line_of_the_students_file() -> None:
    stderr = HEAD + WRITE + frame("worker", 5) + own(16) + own(32) + PREVIOUS + own(48) + SUMMARY
    assert retold(stderr, {16: 56, 32: 80, 48: 51}).message == (
        "data race: the write at sum.cc:56 races with the atomic read of another thread at "
        "sum.cc:51"
    )


def test_shows_each_thread_with_its_functions_and_the_variable_by_its_name() -> None:
    stderr = HEAD + WRITE + own(16) + own(32) + PREVIOUS + own(48) + GLOBAL + STARTED + own(64)
    lines = {16: 56, 32: 80, 48: 51, 64: 90}
    assert retold(stderr + SUMMARY, lines, {0x4010: "total"}).report.splitlines() == [
        "ThreadSanitizer: data race",
        "  Write by thread T3, holding no lock",
        "    F56 at sum.cc:56",
        "    F80 at sum.cc:80",
        "  Previous atomic read by main thread, holding no lock",
        "    F51 at sum.cc:51",
        "  The memory is the variable total",
        "  Thread T3 was started by main thread",
        "    F90 at sum.cc:90",
    ]


def test_names_the_locks_that_each_side_holds() -> None:
    held = WRITE.replace("T3:", "T3 (mutexes: write M1, read M27):")
    rows = retold(HEAD + held + own(16) + PREVIOUS + own(48) + SUMMARY, {16: 5, 48: 5}).report
    assert "  Write by thread T3, holding M1 and M27\n" in rows
    assert "  Previous atomic read by main thread, holding no lock\n" in rows


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("WARNING: lost signal", "the signal at sum.cc:62 was lost: "),
        ("WARNING: spurious wake-up", "the wait at sum.cc:62 returned without a signal, "),
    ],
)
def test_names_the_last_signal_that_was_lost_and_the_last_wait_without_one(
    said: str, told: str
) -> None:
    last = f"{said}\n{frame('libstdc++.so.6', 3)}{own(32)}{own(48)}seven\n{own(64)}"
    report = parse_pause(f"{said}\n{own(16)}{last}", AFTER_TIME_LIMIT)
    assert report
    assert questions(report.sections) == ["CODE 0x20", "CODE 0x30"]
    names = Names({0x20: [Frame("Close", 62)], 0x30: [Frame("SumMany", 90)]}, {})
    case = told_pause(Case("Sum", "Works", Verdict.TIME_LIMIT, "hangs"), report, names, "sum.cc")
    assert case.message.startswith(told)
    assert case.message.endswith("\nhangs")
    assert case.report.splitlines()[2:] == ["    Close at sum.cc:62", "    SumMany at sum.cc:90"]
    assert parse_pause(f"{said.removeprefix('WARNING: ')}\n", AFTER_TIME_LIMIT) is None


def between(said: str, first: int, second: int) -> str:
    return f"WARNING: {said}\n{own(first)}  and\n{own(second)}"


@pytest.mark.parametrize(
    ("stderr", "expected"),
    [
        (between("locked by another thread", 16, 32), "the unlock at sum.cc:5 and the lock at"),
        (between("changed before an exchange", 16, 32), "the atomic read at sum.cc:5 and the wr"),
        (
            between("changed before a store", 48, 48)
            + between("changed before a store", 16, 32)
            + between("locked by another thread", 48, 48),
            "the atomic read at sum.cc:5 and the write at sum.cc:6 another thread changed the "
            "value, and the write undoes that",
        ),
    ],
)
def test_names_the_places_between_which_another_thread_came(stderr: str, expected: str) -> None:
    report = parse_pause(f"seven\n{stderr}seven\n", AFTER_WRONG_ANSWER)
    assert report
    names = Names({16: [Frame("F", 5)], 32: [Frame("F", 6)]}, {})
    case = told_pause(Case("Sum", "Works", Verdict.WRONG_ANSWER, "4"), report, names, "sum.cc")
    assert case.message.startswith(f"between {expected}")
    assert case.message.endswith("\n4")
    assert case.report.splitlines()[2::2] == ["    F at sum.cc:5", "    F at sum.cc:6"]


@pytest.mark.parametrize(
    ("stderr", "expected"),
    [
        (
            f"WARNING: ended with a lock\n{own(16)}WARNING: lost signal\n{own(32)}",
            "the thread that locked at sum.cc:5 ended without unlocking",
        ),
        (
            between("locked twice", 16, 32) + between("joined with a lock", 32, 32),
            "the thread that locked at sum.cc:5 has not unlocked when it locks the same at ",
        ),
        (
            between("lock not released", 16, 32),
            "the lock that a thread took at sum.cc:5 was not released while another thread waited "
            "for it at sum.cc:6",
        ),
        (
            between("joined with a lock", 16, 32),
            "the thread that locked at sum.cc:5 has not unlocked when it waits for a thread to end "
            "at sum.cc:6",
        ),
    ],
)
def test_names_the_lock_that_nobody_released_where_a_call_did_not_return(
    stderr: str, expected: str
) -> None:
    report = parse_pause(stderr, AFTER_TIME_LIMIT)
    assert report
    names = Names({16: [Frame("F", 5)], 32: [Frame("F", 6)]}, {})
    case = told_pause(Case("Sum", "Works", Verdict.TIME_LIMIT, "4"), report, names, "sum.cc")
    assert case.message.startswith(expected)


def test_leaves_a_wrong_answer_alone_without_both_places() -> None:
    for stacks in ("", f"{own(16)}  and\n"):
        assert parse_pause(f"WARNING: changed before a store\n{stacks}", AFTER_WRONG_ANSWER) is None


def test_passes_on_nothing_that_the_program_printed() -> None:
    printed = "271828"
    stderr = (
        f"{printed}\n{HEAD}  {printed}\n{WRITE.replace('size 8', f'size {printed}')}{own(16)}"
        f"    #1 {printed} <null> (worker+0x1)\n{PREVIOUS}{own(48)}\n  Location is global"
        f" '{printed}' at 0x1 (submission.so+0x4010)\n  Mutex M{printed} (0x1) created at:\n"
        f"{STARTED}{own(16)}\nSUMMARY: {printed}\n{printed}\n"
    )
    case = retold(stderr, {16: 56, 48: 51})
    assert printed not in case.message + case.report
    assert "secret 7" not in case.report


@pytest.mark.parametrize(
    "said",
    [
        "3",
        "[" * 100_000,
        '[{"Address": "??"}, 7]',
        '[{"Address": "0x10", "Symbol": [{"FileName": "/submission/sum.cc", "Line": 7}]}]',
        '[{"Address": "0x10", "Data": null, "Symbol": 3}]',
        '[{"Address": "0x10", "Symbol": [{"FunctionName": "F", "FileName": "/submission/sum.cc", '
        '"Line": 1e999}]}]',
    ],
)
def test_leaves_out_what_it_cannot_read_of_the_symbolizers_answer(said: str) -> None:
    good = '{"Address": "0x20", "Data": {"Name": "total"}}'
    assert not read_names(said, "sum.cc").data
    if said.endswith("]"):
        assert read_names(f"{said[:-1]}, {good}]", "sum.cc").data == {0x20: "total"}


def test_names_one_line_where_the_other_is_not_known() -> None:
    torn = HEAD + WRITE + "    [failed to restore the stack]\n" + PREVIOUS + own(16) + "\n"
    heap = "  Location is heap block of size 40 at 0x7b0c allocated by main thread:\n"
    assert retold(torn + heap + own(48) + SUMMARY, {16: 7, 48: 3}).message == (
        "data race: the atomic read at sum.cc:7 races with the write of another thread"
    )


def test_says_no_more_than_the_kind_where_no_line_is_known() -> None:
    assert retold(HEAD + WRITE + own(16) + PREVIOUS + own(48), {}).message == "data race"
    assert retold(HEAD + WRITE + own(16), {16: 7}).message == "data race"


def locked(what: str, offset: int) -> str:
    return f"  Mutex {what}:\n{frame('worker', 7)}{own(offset)}\n"


def locks_in_both_orders(last: str) -> str:
    return (
        "WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=2)\n"
        "  Cycle in lock order graph: M0 (0x7b) => M1 (0x7c) => M0\n\n"
        + locked("M1 acquired here while holding mutex M0 in thread T3", 13)
        + locked("M0 previously acquired by the same thread here", 12)
        + locked("M0 acquired here while holding mutex M1 in main thread", 31)
        + last
        + SUMMARY
    )


LINES = {12: 112, 13: 113, 30: 130, 31: 131}


def test_names_both_orders_of_two_locks_with_all_four_lines() -> None:
    last = locked("M1 previously acquired by the same thread here", 30)
    assert retold(locks_in_both_orders(last), LINES).message == (
        "deadlock: locks M0 at sum.cc:112 and then M1 at sum.cc:113, elsewhere M1 at sum.cc:130 "
        "and then M0 at sum.cc:131: two threads can wait for each other forever"
    )


@pytest.mark.parametrize("last", ["", locked("M1 previously acquired by the same thread here", 99)])
def test_reports_only_the_kind_if_a_lock_order_is_incomplete(last: str) -> None:
    case = retold(locks_in_both_orders(last), LINES)
    assert case.message == "lock-order-inversion (potential deadlock)"


@pytest.mark.parametrize(
    "stderr", ["", "WARNING: ThreadSanitizer: 1.5 2.5 (pid=2)\n", "data race (pid=2)\n"]
)
def test_finds_no_report_in_unknown_text(stderr: str) -> None:
    assert parse_race_report(stderr) is None


def test_asks_for_each_address_of_the_library_once_and_for_a_bounded_number() -> None:
    report = parse_race_report(HEAD + WRITE + own(16) + PREVIOUS + own(16) + GLOBAL)
    assert report
    assert questions(report.sections) == ["CODE 0x10", "DATA 0x4010"]
    flood = parse_race_report(HEAD + (WRITE + "".join(map(own, range(999)))) * 999)
    assert flood
    assert len(questions(flood.sections)) <= 1000


@pytest.mark.parametrize("said", ["", "not JSON", "{}", "[1, {}]", '[{"Address": "0x1"}]'])
def test_does_without_names_where_the_symbolizer_has_none(said: str) -> None:
    assert not any(read_names(said, "sum.cc").code.values())
