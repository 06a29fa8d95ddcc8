"""What a jail's outcome says of a run; nothing is run."""

from pathlib import Path

import pytest

from grader.judging.student_tests import runs
from grader.judging.student_tests.programs import FOLDER
from grader.judging.student_tests.runs import Runner
from grader.model.verdict import Verdict
from grader.proof.fakes.grading import fake_context
from grader.sandbox.run_in_jail import Outcome

KILLED = Outcome(outcome="signaled", signal=9)
LATE = Outcome(outcome="time_limit", signal=9)


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ([KILLED, LATE], Verdict.TIME_LIMIT),
        ([KILLED, KILLED], Verdict.RUNTIME_ERROR),
        ([LATE], Verdict.TIME_LIMIT),
    ],
)
def test_what_the_kernel_killed_runs_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outcomes: list[Outcome], verdict: Verdict
) -> None:
    def run_in_jail(*_arguments: object, **_options: object) -> Outcome:
        return outcomes.pop(0)

    context = fake_context(tmp_path)
    (context.kit.root / FOLDER).mkdir()
    (context.kit.root / FOLDER / "program.so").touch()
    monkeypatch.setattr(runs, "run_in_jail", run_in_jail)
    runner = Runner(context.processes, context.kit, tmp_path / "test", tmp_path)
    assert runner.run(1, "program.so", "SumATest", 1).verdict is verdict
    assert outcomes == []
