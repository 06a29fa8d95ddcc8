"""What of a sample's verdict the clock could not decide."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.judging.kinds.run import grade_with_retries
from grader.judging.sample.samples import Sample
from grader.model.verdict import Verdict
from grader.people.checks.verdicts import cannot_tell
from grader.proof.fakes.fake_kit import GOOD
from grader.proof.fakes.grading import fake_context, submission

V = Verdict


@pytest.mark.parametrize(
    ("said", "expected", "told"),
    [
        ("parallelism SumATiming 1", V.TOO_SLOW, True),
        ("parallelism SumATiming 1.1 1.5 2.9 undecided", V.TOO_SLOW, True),
        ("timing SumATiming 1 2 9 undecided", V.TOO_SLOW, True),
        ("disturbed SumATiming 9 3.9", V.TOO_SLOW, True),
        ("disturbed SumATiming 9 3.9", V.ACCEPTED, False),
        ("parallelism SumATiming 3.1 3.2 3.3 full", V.TOO_SLOW, False),
        ("parallelism SumATiming 0.9 1.0 1.1 zero", V.TOO_SLOW, False),
        ("parallelism SumATiming 1", V.ACCEPTED, False),
        ("tests SumATest wrong_answer", V.TOO_SLOW, False),
    ],
)
def test_a_slow_sample_is_left_unchecked_only_where_the_clock_could_not_decide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, expected: Verdict, told: bool
) -> None:
    monkeypatch.setattr("grader.judging.judge.steps.PAUSES_S", (0.0, 0.0))
    sample = Sample(Path("too_slow/sample.cc"), expected)
    context = replace(fake_context(tmp_path, parallelism=True), verdict_only=True)
    text = f"{GOOD}// fake: {said}\n"
    result = grade_with_retries(context, submission(context, text), backoff=())
    reason = cannot_tell(sample, result)
    assert (reason is not None) is told
    assert reason is None or reason.startswith("too_slow/sample.cc: ")
    assert reason is None or "SumA: " in reason
