"""How points follow from what a file of tests says of each program; nothing is compiled or run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.judging.student_tests import grading
from grader.judging.student_tests.grading import StudentTests
from grader.judging.student_tests.programs import LIST, Fault, Programs
from grader.judging.student_tests.report import Report
from grader.judging.student_tests.runs import Run
from grader.model.errors import JudgeError
from grader.model.result import PartResult
from grader.model.verdict import Verdict
from grader.proof.fakes.grading import fake_context

PASSED = Run(Verdict.ACCEPTED, Report(2), 0.1)
FAILED = Run(Verdict.WRONG_ANSWER, Report(2, (("SumATest.Adds", "my_test.cc:7\n1 is not 2"),)), 0.1)
HANGS = Run(Verdict.TIME_LIMIT, None, 4)
NOTHING = Run(Verdict.ACCEPTED, Report(0), 0.1)


class FakeRunner:
    def __init__(self, runs: Mapping[str, Run | list[Run]]) -> None:
        """A list: one run after the other."""
        self._runs = runs
        self.order: list[str] = []

    def run(self, _number: int, program: str, _suite: str, _limit_s: float) -> Run:
        self.order.append(program)
        run = self._runs.get(program, PASSED)
        return run if isinstance(run, Run) else run.pop(0)


def fault(name: str, *, public: bool) -> Fault:
    kind = Verdict.WRONG_ANSWER
    return Fault(library=name, part="SumA", kind=kind, case="SumATest.Ends", public=public)


@pytest.fixture
def started(tmp_path: Path) -> StudentTests:
    context = fake_context(tmp_path)
    faults = [fault("subtle", public=False), fault("plain", public=True)]
    programs = Programs(right=["reference", "other"], faults=faults)
    (context.kit.root / LIST).write_text(programs.model_dump_json(), encoding="utf-8")
    work: Any = None
    return StudentTests(context, work, "key", lambda _: None)


def graded(started: StudentTests, **runs: Run | list[Run]) -> PartResult:
    runner: Any = FakeRunner(runs)
    return started._part(runner, started.context.kit.lab.parts[0])


def test_all_points_are_for_tests_that_tell_right_from_wrong(started: StudentTests) -> None:
    part = graded(started, subtle=FAILED, plain=HANGS)
    assert (part.verdict, part.points) == (Verdict.ACCEPTED, part.max_points)
    assert (part.tests_passed, part.tests_total) == (4, 4)
    assert started.diagnostics == []


def test_a_missed_fault_is_told_by_how_it_shows_and_costs_its_share(started: StudentTests) -> None:
    part = graded(started, plain=FAILED)
    assert part.points == pytest.approx(part.max_points / 3, abs=0.01)
    (told,) = started.diagnostics
    assert "1 of 2 faulty programs detected" in told.text
    assert "SumA gives a wrong result; the grader's own test SumATest.Ends detects it" in told.text
    assert "subtle" not in told.text


def test_no_points_for_tests_that_refuse_a_right_program(started: StudentTests) -> None:
    part = graded(started, other=FAILED, subtle=FAILED, plain=FAILED)
    assert (part.verdict, part.points, part.tests_passed) == (Verdict.WRONG_ANSWER, 0, 1)
    assert part.failure is not None
    assert part.failure.message == (
        "SumATest.Adds fails with a right program:\nmy_test.cc:7\n1 is not 2"
    )


def test_tests_that_do_not_end_with_a_right_program_are_told_the_limit(
    started: StudentTests,
) -> None:
    part = graded(started, reference=HANGS)
    assert part.verdict is Verdict.TIME_LIMIT
    assert part.failure is not None
    assert f"longer than {grading._RIGHT_S:g} s" in part.failure.message


def test_what_takes_too_long_once_is_not_told_of_the_student(started: StudentTests) -> None:
    part = graded(started, reference=[HANGS, PASSED, PASSED], subtle=FAILED, plain=FAILED)
    assert (part.verdict, part.points) == (Verdict.ACCEPTED, part.max_points)


def test_tests_that_fail_by_the_clock_earn_nothing(started: StudentTests) -> None:
    part = graded(started, reference=[PASSED, FAILED], subtle=FAILED, plain=FAILED)
    assert (part.verdict, part.points, part.tests_passed) == (Verdict.WRONG_ANSWER, 0, 1)


def test_tests_that_hang_by_the_clock_are_not_judged(started: StudentTests) -> None:
    with pytest.raises(JudgeError, match="too busy, or the tests depend on the clock"):
        graded(started, reference=[PASSED, HANGS], subtle=HANGS, plain=HANGS)


def test_right_programs_come_again_among_the_faulty_ones(started: StudentTests) -> None:
    places = set()
    for key in range(20):
        started.key = f"{key}"
        runner: Any = FakeRunner({"subtle": FAILED, "plain": FAILED})
        started._part(runner, started.context.kit.lab.parts[0])
        places.add(runner.order.index("reference", 2))
    assert places == {2, 3, 4, 5}


def test_a_part_without_tests_earns_nothing(started: StudentTests) -> None:
    part = graded(started, reference=NOTHING, other=NOTHING)
    assert (part.verdict, part.points) == (Verdict.WRONG_ANSWER, 0)
    assert part.failure is not None
    assert part.failure.not_written


def test_the_order_of_programs_depends_on_the_key_alone(started: StudentTests) -> None:
    orders = []
    for key in ("key", "key", "another"):
        started.key = key
        runner: Any = FakeRunner({})
        names = [f"{number}" for number in range(9)]
        started._runs(runner, started.context.kit.lab.parts[0], names, 1)
        orders.append(runner.order)
    assert orders[0] == orders[1]
    assert sorted(orders[0]) == sorted(orders[2])
    assert orders[0] != orders[2]
