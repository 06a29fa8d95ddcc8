"""`grade --gpu`: which kits and machines it refuses, and what another GPU means."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli.app import main
from grader.cli.options import BAD_INPUT, GRADED
from grader.model.errors import GraderError
from grader.proof.fakes.fake_kit import GOOD, log, make_kit
from grader.sandbox import gpu_presence
from grader.sandbox.machine import machine_class


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
