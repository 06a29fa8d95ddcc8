"""Reports on lazy programs that earn too much, and on missing ceilings."""

from pathlib import Path

import pytest

from common.lab.programming_models.cpu import CPU
from grader.judging.sample.samples import Sample, lazy_samples, samples
from grader.model.lab import Ceiling, Lab
from grader.model.result import Diagnostic, Failure, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import LAB, make_result
from grader.people.checks.ceilings import above, unstated

CLASSES = CPU.ceilings


def lab(**ceilings: object) -> Lab:
    stated = {**CLASSES, **ceilings}
    chosen = {name: Ceiling.model_validate(most) for name, most in stated.items() if most != ""}
    return LAB.model_copy(update={"model": "cpu", "ceilings": chosen})


def lazy(*names: str) -> list[Sample]:
    return [Sample(Path(f"lazy/{name}.cc"), Verdict.TOO_SLOW) for name in names]


def graded(points: float, first: Verdict, second: Verdict) -> list[tuple[Sample, Result]]:
    result = make_result("s", first, second).model_copy(update={"points": points})
    for part in result.parts:
        if part.timing:
            part.timing.decision = "between"
    return [(lazy("serial")[0], result)]


def test_a_lab_with_a_sample_and_a_ceiling_for_every_class_is_whole() -> None:
    assert list(unstated(lab(), lazy(*CLASSES))) == []


def test_a_class_without_ceiling_and_a_ceiling_without_sample_are_named() -> None:
    (line,) = unstated(lab(serial=""), lazy(*CLASSES))
    assert "lazy/serial.cc: no ceiling" in line
    (line,) = unstated(lab(spinning_team=20), lazy(*CLASSES))
    assert "ceilings.spinning_team: no sample" in line


def test_a_lab_whose_tests_earn_all_points_needs_no_lazy_programs() -> None:
    tests_only: dict[str, object] = {"timing": None, "parallelism": None, "counters": []}
    parts = [part.model_copy(update=tests_only) for part in LAB.parts]
    assert list(unstated(lab().model_copy(update={"parts": parts, "ceilings": {}}), [])) == []
    assert len(list(unstated(lab(), []))) == len(CLASSES)


def test_a_ceiling_above_the_usual_one_of_its_class_needs_a_reason() -> None:
    (line,) = unstated(lab(serial=36), lazy(*CLASSES))
    assert "ceilings.serial: 36, limit 35" in line
    reason = {"most": 36, "why": "the last part is serial by its contract"}
    assert list(unstated(lab(serial=reason), lazy(*CLASSES))) == []


@pytest.mark.parametrize(("points", "problems"), [(0, 0), (35, 0), (35.01, 1), (100, 1)])
def test_a_lazy_program_above_its_ceiling_is_named(points: float, problems: int) -> None:
    right = graded(points, Verdict.ACCEPTED, Verdict.TOO_SLOW)
    assert len(list(above(lab(), right))) == problems


def test_what_is_undecided_counts_at_its_worse_end() -> None:
    wide = graded(40, Verdict.ACCEPTED, Verdict.ACCEPTED)
    timing = wide[0][1].parts[0].timing
    assert timing
    timing.low, timing.high, timing.points, timing.decision = 1.4, 4.1, 20, "undecided"
    assert list(above(lab(), wide)) == []
    timing.decision = "between"
    assert len(list(above(lab(), wide))) == 1


def test_a_lazy_program_with_wrong_answers_is_named() -> None:
    entries = graded(0, Verdict.ACCEPTED, Verdict.WRONG_ANSWER)
    part = entries[0][1].parts[1]
    part.failure = Failure(test="T", message="expected 1, got 2")
    (line,) = above(lab(), entries)
    assert "wrong_answer: expected 1, got 2" in line
    assert list(above(lab(), graded(0, Verdict.POLICY, Verdict.POLICY))) == []


def test_a_lazy_program_that_was_not_judged_is_named_with_the_reason() -> None:
    entries = graded(0, Verdict.JUDGE_ERROR, Verdict.JUDGE_ERROR)
    (sample, result) = entries[0]
    busy = Diagnostic(phase="judge", text="the machine was too busy")
    unjudged = result.model_copy(update={"verdict": Verdict.JUDGE_ERROR, "diagnostics": [busy]})
    (line,) = above(lab(), [(sample, unjudged)])
    assert line.endswith("lazy/serial.cc: not judged: the machine was too busy")


def test_lazy_programs_are_kept_apart_from_samples_with_a_verdict(tmp_path: Path) -> None:
    for place in ("lazy/serial.cc", "wrong_answer/off_by_one.cc", "sum.cc"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text("")
    assert [sample.name for sample in lazy_samples(tmp_path)] == ["lazy/serial"]
    assert not any(sample.is_lazy for sample in samples(tmp_path))
    assert lazy_samples(tmp_path / "wrong_answer") == []
