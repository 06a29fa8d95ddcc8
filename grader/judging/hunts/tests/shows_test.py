"""Which programs a suite of cases is run with; nothing is run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from grader.judging.hunts.shows import Shows
from grader.judging.student_tests.report import Report
from grader.judging.student_tests.runs import Run
from grader.model.verdict import Verdict
from grader.proof.fakes.grading import fake_context

PASSES = Run(Verdict.ACCEPTED, Report(1), 0.1)
FAILS = Run(Verdict.WRONG_ANSWER, Report(1, (("Fault1.Case", "no"),)), 0.1)
HANGS = Run(Verdict.TIME_LIMIT, None, 10)


class FakeRunner:
    def __init__(self, runs: Sequence[Run]) -> None:
        self.left = list(runs)

    def run(self, *_arguments: object) -> Run:
        return self.left.pop(0)


@pytest.mark.parametrize(
    ("runs", "right"),
    [
        ([PASSES, FAILS, PASSES], Verdict.ACCEPTED),
        ([HANGS, PASSES, FAILS, HANGS, PASSES], Verdict.ACCEPTED),
        ([HANGS, HANGS], Verdict.TIME_LIMIT),
        ([FAILS], Verdict.WRONG_ANSWER),
        ([PASSES, FAILS, FAILS], Verdict.WRONG_ANSWER),
    ],
)
def test_cases_pass_with_the_right_program_before_and_after(
    tmp_path: Path, runs: list[Run], right: Verdict
) -> None:
    work: Any = None
    runner: Any = FakeRunner(runs)
    shows = Shows(
        fake_context(tmp_path), work, "key", lambda _: None, ["Fault1"], ["right", "fault"]
    )
    shows._run_all(runner)
    assert shows.verdicts["Fault1", "right"] is right
    assert runner.left == []
