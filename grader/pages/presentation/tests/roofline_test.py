"""Speeds of calls under the roofline of their GPU."""

import math

import pytest
from pydantic import ValidationError

from grader.model.result import GpuTiming, Result, TimingResult
from grader.pages.presentation.roofline import GpuSpeeds, Roof, gpu_speeds
from grader.pages.presentation.tests.made_up_class import H100, gpu_result


def timing_of(gpu: GpuTiming | None, ms: float = 8) -> TimingResult:
    timing = gpu_result("student01", gpu, None, ms=ms).parts[0].timing
    assert timing
    return timing


def speeds_of(ms: float = 8, **changed: float | None) -> GpuSpeeds:
    speeds = gpu_speeds(timing_of(H100.model_copy(update=changed), ms))
    assert speeds
    return speeds


def test_below_the_ridge_a_copy_is_the_limit() -> None:
    speeds = speeds_of(bytes=12e9, operations=1e9)
    assert not speeds.computes
    assert (speeds.student.gb_s, speeds.student.gflop_s) == (1500, 125)
    assert (speeds.student.share, speeds.reference.share) == (0.5, 0.8)


def test_above_the_ridge_the_cores_are_the_limit() -> None:
    speeds = speeds_of(bytes=1e9, operations=40e9)
    assert speeds.computes
    assert speeds.student.gflop_s == 5000
    assert speeds.student.share == pytest.approx(5000 / 60_000)
    assert speeds.roof.gflop_s(speeds.intensity) == 60_000


def test_at_the_ridge_both_limits_are_one_and_a_copy_is_named() -> None:
    speeds = speeds_of(bytes=12e9, operations=240e9)
    assert speeds.intensity == speeds.roof.ridge == 20
    assert not speeds.computes
    assert speeds.roof.gflop_s(20) == 60_000
    assert speeds.student.share == speeds.student.gb_s / 3000 == speeds.student.gflop_s / 60_000


def test_where_the_peak_is_unknown_only_a_copy_limits() -> None:
    speeds = speeds_of(fp32_gflop_s=None, bytes=1e9, operations=1e12)
    assert not speeds.computes
    assert speeds.roof.ridge is None
    assert speeds.roof.gflop_s(1000) == 3e6
    assert speeds.student.share == pytest.approx(125 / 3000)


def test_without_operations_a_call_only_moves_data() -> None:
    speeds = speeds_of(operations=0)
    assert (speeds.intensity, speeds.student.gflop_s, speeds.computes) == (0, 0, False)
    assert speeds.student.share == 0.5


def test_a_cache_may_beat_the_limit() -> None:
    assert speeds_of(ms=2).student.share == 2


def test_the_share_is_that_of_the_roof_on_both_sides_of_the_ridge() -> None:
    for operations in (1e9, 240e9, 1e12):
        speeds = speeds_of(operations=operations)
        roof = speeds.roof.gflop_s(speeds.intensity)
        assert speeds.student.share == pytest.approx(speeds.student.gflop_s / roof)


@pytest.mark.parametrize("ms", [0, math.inf, math.nan])
def test_a_time_that_is_not_positive_and_finite_gives_no_speed(ms: float) -> None:
    timing = timing_of(H100)
    assert gpu_speeds(timing.model_copy(update={"student_ms": ms})) is None
    assert gpu_speeds(timing.model_copy(update={"reference_ms": ms})) is None


def test_a_call_without_a_gpu_gives_no_speed() -> None:
    assert gpu_speeds(timing_of(None)) is None


def test_a_result_that_was_stored_before_there_were_gpus_still_loads() -> None:
    result = gpu_result("student01", None, H100)
    stored = result.model_dump(mode="json")
    del stored["parts"][0]["timing"]["gpu"]
    assert Result.model_validate(stored) == result


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("copy_gb_s", 0),
        ("copy_gb_s", math.inf),
        ("fp32_gflop_s", 0),
        ("bytes", 0),
        ("bytes", math.nan),
        ("operations", -1),
        ("operations", math.nan),
    ],
)
def test_refuses_values_that_no_chart_can_show(field: str, value: float) -> None:
    with pytest.raises(ValidationError, match=field):
        GpuTiming.model_validate(H100.model_dump() | {field: value})


def test_a_roof_rises_to_its_ridge_and_no_further() -> None:
    roof = Roof(3000, 60_000)
    assert [roof.gflop_s(x) for x in (1, 20, 21, 2000)] == [3000, 60_000, 60_000, 60_000]
