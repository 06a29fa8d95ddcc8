"""`grade --gpu`: which kits and machines it refuses, and what another GPU means."""

from pathlib import Path

import pytest

from grader.cli.options import BAD_INPUT, GRADED
from grader.model.errors import GraderError
from grader.proof.fakes.desk import Desk
from grader.proof.fakes.fake_kit import GOOD, log, make_kit
from grader.sandbox import gpu_presence
from grader.sandbox.machine import machine_class


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    desk = Desk(tmp_path, capsys, make_kit(tmp_path, gpu=True))
    desk.hand_in("ada", GOOD)
    return desk


def test_a_kit_for_the_simulator_alone_is_refused(desk: Desk, tmp_path: Path) -> None:
    desk.kit = make_kit(tmp_path, counters=True)
    assert desk.grade("--gpu") == BAD_INPUT
    assert "the kit of fake_sum is built for the simulator alone" in desk.said
    assert "bazel build --config=gpu //solutions:fake_sum_kit" in desk.said


def test_a_cpu_lab_is_refused(desk: Desk, tmp_path: Path) -> None:
    desk.kit = make_kit(tmp_path)
    assert desk.grade("--gpu") == BAD_INPUT
    assert "--gpu: fake_sum is no CUDA lab" in desk.said


def test_a_machine_without_a_driver_is_refused_before_anything_is_graded(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_presence, "_LIBRARY", "libnonexistent.so.1")
    assert desk.grade("--gpu") == BAD_INPUT
    assert "--gpu: no GPU on this machine: libnonexistent.so.1" in desk.said
    assert log(desk.kit) == []


def test_a_driver_that_fails_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def cuInit(self, _flags: int) -> int:  # noqa: N802
            return 100

    monkeypatch.setattr("ctypes.CDLL", lambda _name: Broken())
    with pytest.raises(GraderError, match="the GPU's driver fails: cuInit: error 100"):
        gpu_presence.gpu_name()


def test_results_of_another_gpu_are_graded_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = []
    for name in ("one", "one", "another"):
        monkeypatch.setattr("grader.sandbox.machine.gpu_name", lambda name=name: name)
        assert desk.grade("--gpu") == GRADED, desk.said
        runs.append(len(log(desk.kit)))
    once = runs[0]
    assert runs == [once, once, 2 * once]
    assert once >= 3, "tests, races and timing"
    assert machine_class(gpu=True).endswith(" + another")
