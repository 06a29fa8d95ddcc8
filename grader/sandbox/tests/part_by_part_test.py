"""A phase whose parts run on their own: what each is given, and what becomes of their reports."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from common.lab.programming_models.phases import RACES
from grader.model.errors import JudgeError
from grader.model.manifest import load_kit
from grader.model.verdict import Verdict
from grader.proof.fakes.fake_kit import make_kit
from grader.sandbox import part_by_part
from grader.sandbox.checker_report import Case, Report
from grader.sandbox.processes import Processes
from grader.sandbox.run_checker import CheckerRun

Fake = Callable[[Processes, CheckerRun], Report]


class Clock:
    """Time that only a test lets pass."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def run(tmp_path: Path) -> CheckerRun:
    kit = load_kit(make_kit(tmp_path))
    output = tmp_path / "races.json"
    return CheckerRun(kit, RACES, kit.lab.parts, tmp_path / "student.so", f"{7:032x}", output)


def reported(run: CheckerRun, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> Report:
    monkeypatch.setattr(part_by_part, "run_checker", fake)
    with ThreadPoolExecutor(1) as pool:
        return part_by_part.run_part_by_part(Processes(), run, pool)


def test_each_part_has_a_run_and_an_output_of_its_own(
    run: CheckerRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = set()

    def fake(_: Processes, run: CheckerRun) -> Report:
        outputs.add(run.output)
        (part,) = run.parts
        return Report([Case(part.suite, "IsRight", Verdict.ACCEPTED)], [part.function, "pids"])

    report = reported(run, fake, monkeypatch)
    assert [case.suite for case in report.cases] == [part.suite for part in run.parts]
    assert report.protections_lost == sorted([*(part.function for part in run.parts), "pids"])
    assert len(outputs) == len(run.parts) > 1


def test_all_parts_together_have_the_time_of_the_run(
    run: CheckerRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, given = Clock(), []
    monkeypatch.setattr(part_by_part, "time", clock)

    def fake(_: Processes, run: CheckerRun) -> Report:
        given.append(run.run_s)
        clock.now += 1000
        return Report([], [])

    reported(run, fake, monkeypatch)
    assert given[0] == run.kit.lab.limits.run_s
    assert 0 < given[1] < 1


def test_a_judge_error_in_one_part_is_one_of_the_phase(
    run: CheckerRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fake(_: Processes, run: CheckerRun) -> Report:
        if run.parts[0] is parts[0]:
            raise JudgeError("the checker ended with code 1")
        return Report([], [])

    parts = run.parts
    with pytest.raises(JudgeError, match="ended with code 1"):
        reported(run, fake, monkeypatch)
