"""A grader with a real kit and jail is interrupted: no process, cgroup or folder is left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import grader
from grader.cli.kits import built_kits, find_kit
from grader.cli.places import sample_root
from grader.judging.sample.samples import Sample, samples
from grader.model.verdict import Verdict
from grader.proof.faults.tree import command, descendants, started_at

MAIN = Path(grader.__file__).parent / "main.py"
_CGROUPS = Path("/sys/fs/cgroup")
_PATIENCE_S = 60.0


def endless() -> tuple[str, Sample]:
    """A lab and a sample of it that runs until the time limit."""
    for lab in built_kits():
        for sample in samples(sample_root() / lab):
            if sample.expected is Verdict.TIME_LIMIT and not sample.is_hostile:
                return lab, sample
    raise AssertionError("no lab has a sample that exceeds the time limit")


def cgroups(pids: set[int]) -> list[Path]:
    """The cgroups that the jails of these processes made."""
    # os.walk() ignores folders that disappear meanwhile.
    found = (Path(folder, name) for folder, names, _ in os.walk(_CGROUPS) for name in names)
    jails = (path for path in found if path.name.startswith("grader-jail-"))
    return [path for path in jails if int(path.name.split("-")[2]) in pids]


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not done():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_survives_an_interrupted_grader(tmp_path: Path, number: signal.Signals) -> None:
    lab, sample = endless()
    kit = find_kit(lab)
    student = tmp_path / "class" / "student01"
    student.mkdir(parents=True)
    (student / kit.manifest.file).write_bytes(sample.read())
    places = ["--submissions", f"{tmp_path}/class", "--out", f"{tmp_path}/out"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, MAIN, "grade", "--lab", lab, "--kit", kit.root, *places],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: any("/worker" in command(pid).split() for pid in descendants(process.pid)))
    time.sleep(0.5)
    living = {pid: started_at(pid) for pid in descendants(process.pid)}
    checker = next(pid for pid in living if "--mode=" in command(pid))
    context = Path(command(checker).partition("--student=")[2].split()[0]).parents[2]
    assert context.name.startswith("grader-work-")
    process.send_signal(number)
    process.wait(_PATIENCE_S)
    until(lambda: not any(start and started_at(pid) == start for pid, start in living.items()))
    until(lambda: not cgroups(set(living)))
    if number is signal.SIGINT:
        assert process.returncode == 130
        assert not context.exists()
