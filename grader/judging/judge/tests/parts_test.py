"""Verdicts and points of parts, from the cases of each phase."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from grader.judging.judge.parts import PartState, conclude, overall, reports
from grader.judging.judge.timing import timing_result
from grader.model.errors import JudgeError
from grader.model.lab import Part, Timing
from grader.model.share import share
from grader.model.verdict import Verdict
from grader.sandbox.checker_report import Case, Decision, Timed, read_report

V = Verdict
TIMING = Timing(suite="PartTiming", points=20, full=1.5, zero=3.5, budget_s=1)
PART = Part(function="F", title="A part", suite="PartTest", points=40, timing=TIMING)


def case(verdict: Verdict | None, message: str = "") -> Case:
    return Case("PartTest", "Works", verdict, message)


def clocked(verdict: Verdict, message: str = "", timed: Timed | None = None) -> Case:
    return Case("PartTiming", "Works", verdict, message, "", timed)


def timed(low: float, ratio: float, high: float, decision: Decision) -> Timed:
    return Timed(ratio, low, high, 20, decision, 2.0, 1.0, 1.0, False)


@pytest.mark.parametrize(
    ("tests", "races", "expected"),
    [
        (V.ACCEPTED, V.ACCEPTED, V.ACCEPTED),
        (V.ACCEPTED, None, V.ACCEPTED),
        (V.WRONG_ANSWER, V.ACCEPTED, V.WRONG_ANSWER),
        (V.WRONG_ANSWER, V.DATA_RACE, V.DATA_RACE),
        (V.RUNTIME_ERROR, V.OUT_OF_BOUNDS, V.OUT_OF_BOUNDS),
        (V.RUNTIME_ERROR, V.BARRIER_DIVERGENCE, V.BARRIER_DIVERGENCE),
        (V.WRONG_ANSWER, V.UNINITIALISED_READ, V.UNINITIALISED_READ),
        (V.TIME_LIMIT, V.DEADLOCK, V.DEADLOCK),
        (V.WRONG_ANSWER, V.RUNTIME_ERROR, V.WRONG_ANSWER),
        (V.ACCEPTED, V.DATA_RACE, V.DATA_RACE),
        (V.ACCEPTED, V.TIME_LIMIT, V.TIME_LIMIT),
        (V.ACCEPTED, V.WRONG_ANSWER, V.WRONG_ANSWER),
        (V.TAMPERING, V.DATA_RACE, V.TAMPERING),
        (V.WRONG_ANSWER, V.TAMPERING, V.TAMPERING),
    ],
)
def test_a_cause_found_by_a_checker_outranks_the_symptom(
    tests: Verdict, races: Verdict | None, expected: Verdict
) -> None:
    state = PartState(PART, [case(tests)], [case(races)] if races else [], [])
    assert state.verdict is expected


@pytest.mark.parametrize("symptom", [V.WRONG_ANSWER, V.TIME_LIMIT, V.RUNTIME_ERROR])
def test_a_cause_outranks_the_symptoms_of_other_cases_under_the_checker(symptom: Verdict) -> None:
    races = [case(symptom), case(V.DATA_RACE, "the race")]
    state = PartState(PART, [case(V.WRONG_ANSWER)], races, [])
    assert state.verdict is V.DATA_RACE
    assert state.decisive is races[1]


@pytest.mark.parametrize(
    ("verdict", "line"),
    [
        (V.WRONG_ANSWER, "lost_update: kernel Add, sum.cu:9: another thread changed it"),
        (V.RUNTIME_ERROR, "missing_return: kernel Add, sum.cu:7: no value"),
    ],
)
def test_a_failure_begins_with_what_the_simulator_found(verdict: Verdict, line: str) -> None:
    told = "warning: " + line if verdict is V.WRONG_ANSWER else line
    findings = f"cudasim: warning: leak: 4 bytes\ncudasim: {told}\n  next"
    found = replace(case(verdict, "element 1 differs"), findings=findings)
    result = conclude(PartState(PART, [case(verdict, "element 0 differs")], [found], []))
    assert result.failure
    assert result.failure.message == f"{line}\nelement 1 differs"


@pytest.mark.parametrize(
    ("tests", "memory", "may_be_race", "races", "expected"),
    [
        (V.ACCEPTED, V.OUT_OF_BOUNDS, False, V.ACCEPTED, V.OUT_OF_BOUNDS),
        (V.WRONG_ANSWER, V.OUT_OF_BOUNDS, False, V.DATA_RACE, V.OUT_OF_BOUNDS),
        (V.WRONG_ANSWER, V.OUT_OF_BOUNDS, True, V.DATA_RACE, V.DATA_RACE),
        (V.RUNTIME_ERROR, V.OUT_OF_BOUNDS, True, V.ACCEPTED, V.OUT_OF_BOUNDS),
        (V.RUNTIME_ERROR, V.WRONG_ANSWER, False, V.DATA_RACE, V.DATA_RACE),
        (V.WRONG_ANSWER, V.RUNTIME_ERROR, False, V.ACCEPTED, V.WRONG_ANSWER),
        (V.ACCEPTED, V.RUNTIME_ERROR, False, V.ACCEPTED, V.RUNTIME_ERROR),
    ],
)
def test_an_error_of_memory_outranks_a_race_unless_it_may_come_from_one(
    tests: Verdict, memory: Verdict, may_be_race: bool, races: Verdict, expected: Verdict
) -> None:
    found = replace(case(memory), report="AddressSanitizer", may_be_race=may_be_race)
    state = PartState(PART, [case(tests)], [case(races)], [], memory=[found])
    assert state.verdict is expected


def test_of_two_checkers_that_say_the_same_the_memory_checker_is_told() -> None:
    freed = replace(case(V.OUT_OF_BOUNDS, "read at sum.cc:9"), report="x", may_be_race=True)
    state = PartState(PART, [case(V.ACCEPTED)], [case(V.OUT_OF_BOUNDS)], [], memory=[freed])
    assert state.decisive is freed


def test_a_report_stands_under_the_checker_that_wrote_it() -> None:
    memory = replace(case(V.RUNTIME_ERROR, "SIGSEGV at sum.cc:9"), report="AddressSanitizer: SEGV")
    race = replace(case(V.DATA_RACE), report="ThreadSanitizer: data race")
    state = PartState(PART, [case(V.ACCEPTED)], [race], [], memory=[memory])
    found = {entry.text.partition("\n")[2]: entry.phase for entry in reports([state])}
    assert found == {memory.report: "memory", race.report: "races"}


def test_a_crash_that_the_memory_checker_sees_too_is_told_with_its_line() -> None:
    told = replace(case(V.RUNTIME_ERROR, "SIGSEGV at sum.cc:9"), report="x", may_be_race=True)
    state = PartState(PART, [case(V.RUNTIME_ERROR, "SIGSEGV")], [], [], memory=[told])
    failure = conclude(state).failure
    assert failure is not None
    assert failure.message == "SIGSEGV at sum.cc:9"


def test_of_two_hanging_runs_the_one_that_knows_the_cause_is_told() -> None:
    lost = replace(case(V.TIME_LIMIT, "lost signal"), report="Lost signal")
    hangs = case(V.TIME_LIMIT, "hangs")
    state = PartState(PART, [case(V.ACCEPTED)], [lost], [], memory=[hangs])
    assert state.decisive is lost


def test_the_first_failing_case_is_what_the_student_gets() -> None:
    cases = [case(V.ACCEPTED), case(V.WRONG_ANSWER, "first"), case(V.RUNTIME_ERROR, "second")]
    failure = conclude(PartState(PART, cases, [], [])).failure
    assert failure is not None
    assert failure.message == "first"


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [(0.5, 1), (1.5, 1), (2.5, 0.5), (3.5, 0), (99, 0), (float("nan"), 0), (float("inf"), 0)],
)
def test_points_for_speed_fall_in_a_straight_line_between_the_thresholds(
    ratio: float, expected: float
) -> None:
    assert share(ratio, 1.5, 3.5) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("measured", "verdict", "points"),
    [
        (timed(1.0, 1.1, 1.2, "full"), V.ACCEPTED, 60),
        (timed(2.5, 2.6, 2.7, "between"), V.ACCEPTED, 50),
        (timed(3.6, 3.9, 4.2, "zero"), V.TOO_SLOW, 40),
        (timed(1.4, 2.0, 3.0, "undecided"), V.ACCEPTED, 60),
        (timed(3.0, 4.0, 5.0, "undecided"), V.ACCEPTED, 45),
    ],
)
def test_speed_is_counted_at_the_end_of_the_interval_that_is_better_for_the_student(
    measured: Timed, verdict: Verdict, points: float
) -> None:
    got = conclude(PartState(PART, [case(V.ACCEPTED)], [], [clocked(V.ACCEPTED, timed=measured)]))
    assert (got.verdict, got.points) == (verdict, points)


def test_an_undecided_timing_is_flagged() -> None:
    assert timing_result(timed(1, 2, 3, "full"), TIMING).flagged is None
    flagged = timing_result(timed(1, 2, 3, "undecided"), TIMING).flagged
    assert flagged is not None
    assert "1.00 to 3.00" in flagged


def test_a_wrong_answer_under_the_clock_costs_the_parts_points() -> None:
    got = conclude(PartState(PART, [case(V.ACCEPTED)], [], [clocked(V.WRONG_ANSWER, "late")]))
    assert (got.verdict, got.points) == (V.WRONG_ANSWER, 0)


def test_a_timed_call_over_the_limit_costs_the_points_for_speed_alone() -> None:
    got = conclude(PartState(PART, [case(V.ACCEPTED)], [], [clocked(V.TIME_LIMIT, "5 s")]))
    assert (got.verdict, got.points) == (V.TOO_SLOW, 40)


def test_a_timing_suite_that_measures_nothing_is_our_failure() -> None:
    with pytest.raises(JudgeError, match="measured nothing"):
        conclude(PartState(PART, [case(V.ACCEPTED)], [], [clocked(V.ACCEPTED)]))


def test_the_submissions_verdict_is_that_of_its_first_part_that_is_not_accepted() -> None:
    verdicts = [V.ACCEPTED, V.TOO_SLOW, V.WRONG_ANSWER]
    parts = [conclude(PartState(PART, [case(v)], [], [])) for v in verdicts if v is not V.ACCEPTED]
    assert overall(parts) is V.TOO_SLOW
    assert overall([]) is V.ACCEPTED


GOOD = {"suite": "Sizes/PartTest", "name": "A", "verdict": "accepted", "message": ""}


def written(*cases: Mapping[str, object]) -> str:
    return json.dumps({"schema": 1, "protections_lost": ["no cgroups"], "cases": cases})


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}", "[]", written(GOOD | {"verdict": "great"}), written({"name": "A"})),
        written(GOOD | {"points": 100}),
        written(GOOD | {"team_run": {"team": 1e999, "cores": 1}}),
        written(GOOD).replace('"schema": 1', '"schema": 2'),
        written(GOOD)[:-1],
        pytest.param("[" * 100_000, id="deep"),
    ],
)
def test_a_result_that_is_not_as_agreed_is_our_failure(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text, encoding="utf-8")
    with pytest.raises(JudgeError, match="the checker left no usable result"):
        read_report(tmp_path / "r.json")


def test_reads_what_the_checker_writes(tmp_path: Path) -> None:
    cases: list[Mapping[str, object]] = [
        GOOD,
        GOOD | {"verdict": None},
        GOOD | {"verdict": "wrong_answer", "message": "F is not written yet", "not_written": True},
        GOOD | {"verdict": "wrong_answer", "message": "expected 1"},
    ]
    (tmp_path / "r.json").write_text(written(*cases), encoding="utf-8")
    report = read_report(tmp_path / "r.json")
    verdicts = [case.verdict for case in report.cases]
    assert verdicts == [V.ACCEPTED, None, V.WRONG_ANSWER, V.WRONG_ANSWER]
    assert [case.not_written for case in report.cases] == [False, False, True, False]
    assert report.cases[-1].message == "expected 1"
    assert report.cases[0].belongs_to("PartTest")
    assert report.protections_lost == ["no cgroups"]


def test_a_stub_is_told_from_a_wrong_answer_in_the_result() -> None:
    stub = replace(case(V.WRONG_ANSWER, "F is not written yet"), not_written=True)
    for found, expected in ((stub, True), (case(V.WRONG_ANSWER, "F is not written yet"), False)):
        failure = conclude(PartState(PART, [found], [], [])).failure
        assert failure is not None
        assert failure.not_written is expected
