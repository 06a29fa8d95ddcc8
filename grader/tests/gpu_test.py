"""Timing on a GPU: the build and thresholds that it uses, and errors without a GPU."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.cli.app import main
from grader.cli.options import BAD_INPUT, GRADED
from grader.judging.compile import build as compile_build
from grader.judging.judge.context import GradingContext
from grader.judging.judge.grading import grade
from grader.model.errors import GraderError
from grader.model.lab import GpuThresholds
from grader.model.manifest import load_kit
from grader.model.result import GpuTiming
from grader.model.verdict import Verdict
from grader.sandbox import gpu_presence
from grader.sandbox.machine import MachineLock, machine_class
from grader.sandbox.processes import Processes
from grader.tests.fake_kit import GOOD, log, make_kit, submission


@pytest.fixture
def context(tmp_path: Path) -> GradingContext:
    processes = Processes()
    kit = load_kit(make_kit(tmp_path, gpu=True))
    work = tmp_path / "work"
    work.mkdir()
    return GradingContext(kit, 1, "m", processes, MachineLock(processes, tmp_path), work, gpu=True)


def phases(context: GradingContext) -> list[str]:
    return [line.split()[0] for line in log(context.kit.root)]


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
    assert phases(context) == ["tests", "races", "counters", "timing_on_gpu"]
    assert result.parts[0].timing
    assert result.parts[0].timing.gpu == GpuTiming(
        device="fake GPU",
        copy_gb_s=2000,
        fp32_gflop_s=60000,
        bytes=1e9,
        operations=5e8,
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
    assert phases(context)[-1] == "timing"


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


class Cli:
    """`grade --gpu` on one fake kit."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys
        self.said = ""

    def grade(self, kit: Path) -> int:
        student = self.folder / "class" / "ada"
        student.mkdir(parents=True, exist_ok=True)
        (student / "sum.cc").write_text(GOOD, encoding="utf-8")
        places = ["--submissions", str(student.parent), "--out", str(self.folder / "out")]
        code = main(["grade", "--lab", "fake_sum", "--kit", str(kit), *places, "--gpu"])
        captured = self._capsys.readouterr()
        self.said = captured.out + captured.err
        return code


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(tmp_path, capsys)


def test_a_kit_for_the_simulator_alone_is_refused(cli: Cli, tmp_path: Path) -> None:
    assert cli.grade(make_kit(tmp_path, counters=True)) == BAD_INPUT
    assert "the kit of fake_sum is built for the simulator alone" in cli.said
    assert "bazel build --config=gpu //solutions:fake_sum_kit" in cli.said


def test_a_cpu_lab_is_refused(cli: Cli, tmp_path: Path) -> None:
    assert cli.grade(make_kit(tmp_path)) == BAD_INPUT
    assert "--gpu: fake_sum is no CUDA lab" in cli.said


def test_a_machine_without_a_driver_is_refused_before_anything_is_graded(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_presence, "_LIBRARY", "libnonexistent.so.1")
    kit = make_kit(tmp_path, gpu=True)
    assert cli.grade(kit) == BAD_INPUT
    assert "--gpu: no GPU on this machine: libnonexistent.so.1" in cli.said
    assert log(kit) == []


def test_a_driver_that_fails_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def cuInit(self, _flags: int) -> int:  # noqa: N802
            return 100

    monkeypatch.setattr("ctypes.CDLL", lambda _name: Broken())
    with pytest.raises(GraderError, match="the GPU's driver fails: cuInit: error 100"):
        gpu_presence.gpu_name()


def test_results_of_another_gpu_are_graded_again(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = make_kit(tmp_path, gpu=True)
    runs = []
    for name in ("one", "one", "another"):
        monkeypatch.setattr("grader.sandbox.machine.gpu_name", lambda name=name: name)
        assert cli.grade(kit) == GRADED, cli.said
        runs.append(len(log(kit)))
    once = runs[0]
    assert runs == [once, once, 2 * once]
    assert once >= 3, "tests, races and timing"
    assert machine_class(gpu=True).endswith(" + another")
