"""Timing on a GPU: the build and thresholds that it uses, and errors without a GPU."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.judging.compile import build as compile_build
from grader.judging.judge.context import GradingContext
from grader.judging.judge.grading import grade
from grader.model.lab import GpuThresholds
from grader.model.result import GpuTiming
from grader.model.verdict import Verdict
from grader.proof.fakes.fake_kit import GOOD
from grader.proof.fakes.grading import fake_context, modes, submission
from grader.sandbox.processes import Processes


@pytest.fixture
def context(tmp_path: Path) -> GradingContext:
    return fake_context(tmp_path, gpu=True)


def with_thresholds(context: GradingContext, full: float, zero: float) -> GradingContext:
    """The context with thresholds for a GPU on its lab's one timing."""
    first, *others = context.kit.lab.parts
    assert first.timing
    timing = first.timing.model_copy(update={"gpu": GpuThresholds(full=full, zero=zero)})
    parts = [first.model_copy(update={"timing": timing}), *others]
    lab = context.kit.lab.model_copy(update={"parts": parts})
    return replace(context, kit=context.kit.model_copy(update={"lab": lab}))


def test_only_timing_runs_on_the_gpu(context: GradingContext) -> None:
    result = grade(context, submission(context, GOOD))
    assert (result.verdict, result.points) == (Verdict.ACCEPTED, 100)
    assert modes(context) == ["tests", "races", "counters", "timing_on_gpu"]
    assert result.parts[0].timing
    assert result.parts[0].timing.gpu == GpuTiming(
        device="fake GPU", copy_gb_s=2000, fp32_gflop_s=60000, bytes=1e9, operations=5e8
    )


def test_without_gpu_the_simulator_is_timed_and_nothing_is_built_for_a_gpu(
    context: GradingContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []
    compiled = compile_build.compile_build

    def spy(processes: Processes, kit: object, work: object, name: str) -> object:
        built.append(name)
        return compiled(processes, kit, work, name)  # type: ignore[arg-type]

    monkeypatch.setattr("grader.judging.judge.builds.compile_build", spy)
    for spare_cores in (False, True):
        on_simulator = replace(context, gpu=False, spare_cores=spare_cores)
        result = grade(on_simulator, submission(context, GOOD))
        assert result.parts[0].timing
        assert result.parts[0].timing.gpu is None
    assert sorted(built) == sorted(["tests", "races", "counters"] * 2)
    assert modes(context)[-1] == "timing"


@pytest.mark.parametrize(
    ("full", "zero", "points"),
    [(1.5, 3.5, 15), (2.0, 4.0, 20), (1.0, 2.0, 0)],  # the first are the simulator's
)
def test_thresholds_for_a_gpu_decide_its_points(
    context: GradingContext, full: float, zero: float, points: float
) -> None:
    said = f"{GOOD}// fake: timing SumATiming 2 2.2 2.4 between\n"
    timing = grade(with_thresholds(context, full, zero), submission(context, said)).parts[0].timing
    assert timing
    assert (timing.full, timing.zero, timing.points) == (full, zero, points)


def test_thresholds_for_a_gpu_are_not_the_simulators(context: GradingContext) -> None:
    said = f"{GOOD}// fake: timing SumATiming 2 2.2 2.4 between\n"
    on_simulator = replace(with_thresholds(context, 1.0, 2.0), gpu=False)
    timing = grade(on_simulator, submission(context, said)).parts[0].timing
    assert timing
    assert (timing.full, timing.zero, timing.points) == (1.5, 3.5, 15)


def test_thresholds_for_a_gpu_must_be_in_order(context: GradingContext) -> None:
    timing = context.kit.lab.parts[0].timing
    assert timing
    fields = timing.model_dump() | {"gpu": {"full": 3, "zero": 3}}
    with pytest.raises(ValueError, match=r"full = 3.0 must be below zero = 3.0"):
        type(timing).model_validate(fields)
