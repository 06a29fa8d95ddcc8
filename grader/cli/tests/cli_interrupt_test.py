"""Signals while a class is graded: no result is lost or repeated, and no process is left over."""

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

import grader
from grader.proof.fakes.fake_kit import GOOD, log, make_kit

MAIN = Path(grader.__file__).parent / "main.py"
COUNT = 6
_PATIENCE_S = 30.0


class Class:
    """A class whose submissions each take a while to grade."""

    def __init__(self, folder: Path) -> None:
        self.kit = make_kit(folder, races=False)
        self.out = folder / "out"
        self.temporary = folder / "tmp"
        self.temporary.mkdir(mode=0o755)
        self._submissions = folder / "class"
        for number in range(COUNT):
            path = self._submissions / f"student{number:02}" / "sum.cc"
            path.parent.mkdir(parents=True)
            path.write_text(f"{GOOD}// fake: sleep 0.2\n// {number}\n", encoding="utf-8")

    def start(
        self, errors: IO[str] | int = subprocess.STDOUT, output: IO[str] | int = subprocess.PIPE
    ) -> subprocess.Popen[str]:
        places: list[str | Path] = ["--submissions", self._submissions, "--out", self.out]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "TMPDIR": str(self.temporary),
            "GRADER_LOCKS": str(self.temporary),
        }
        return subprocess.Popen(
            [
                sys.executable,
                MAIN,
                "grade",
                "--lab",
                "fake_sum",
                "--jobs",
                "1",
                *places,
                "--kit",
                self.kit,
            ],
            env=environment,
            stdout=output,
            stderr=errors,
            text=True,
        )

    def stored(self) -> int:
        """The number of results that another process sees."""
        try:
            database = sqlite3.connect(f"file:{self.out}/results.sqlite?mode=ro", uri=True)
            with database:
                return int(
                    database.execute("SELECT count(*) FROM results WHERE final").fetchone()[0]
                )
        except sqlite3.Error:
            return 0

    def wait_until_stored(self, count: int) -> None:
        until(lambda: self.stored() >= count)

    def runs(self) -> dict[str, int]:
        """Submission -> number of runs of its tests."""
        tests = [line.split()[1] for line in log(self.kit) if line.startswith("tests ")]
        return {digest: tests.count(digest) for digest in tests}

    def strays(self) -> list[str]:
        """Processes that were started for this class and are still running."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                state = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
            except (OSError, UnicodeDecodeError):
                continue
            if str(self.kit) in command and state != "Z":
                found.append(command)
        return found


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not done():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.02)


@pytest.fixture
def students(tmp_path: Path) -> Class:
    return Class(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_keeps_what_was_graded_and_leaves_nothing_behind(
    students: Class, number: signal.Signals
) -> None:
    process = students.start()
    students.wait_until_stored(2)
    process.send_signal(number)
    said, _ = process.communicate(timeout=_PATIENCE_S)
    assert process.returncode == 130, said
    assert "run the same command again" in said
    assert "Traceback" not in said
    kept = students.stored()
    assert 2 <= kept < COUNT
    assert f"stopped: {kept} of {COUNT} are graded and saved" in said
    assert students.strays() == []
    assert list(students.temporary.glob("grader-work-*")) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_same_command_goes_on_and_repeats_no_stored_result(
    students: Class, number: signal.Signals
) -> None:
    process = students.start()
    students.wait_until_stored(2)
    process.send_signal(number)
    process.communicate(timeout=_PATIENCE_S)
    until(lambda: not students.strays())
    before, kept = students.runs(), students.stored()
    second = students.start()
    said, _ = second.communicate(timeout=_PATIENCE_S)
    assert second.returncode == 0, said
    assert students.stored() == COUNT
    after = students.runs()
    assert len(after) == COUNT
    repeated = [digest for digest in before if after[digest] > before[digest]]
    assert len(repeated) <= len(before) - kept  # only what was under way may run twice
    assert list(students.temporary.glob("grader-work-*")) == []


def test_repeated_interrupts_end_as_cleanly_as_one(students: Class) -> None:
    process = students.start()
    students.wait_until_stored(1)
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    said, _ = process.communicate(timeout=_PATIENCE_S)
    assert process.returncode == 130, said
    assert students.strays() == []


_LOADS_SLOWLY = """
import pathlib, runpy, sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            pathlib.Path(sys.argv[1]).touch()
            time.sleep(60)
sys.meta_path.insert(0, Slow())
runpy.run_path(sys.argv[2], run_name="__main__")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_while_the_program_loads_ends_it_without_a_traceback(
    tmp_path: Path, number: signal.Signals
) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    argv = [sys.executable, "-c", _LOADS_SLOWLY, str(tmp_path / "loading"), str(MAIN)]
    process = subprocess.Popen(argv, env=environment, stderr=subprocess.PIPE, text=True)
    until((tmp_path / "loading").exists)
    process.send_signal(number)
    _, said = process.communicate(timeout=_PATIENCE_S)
    assert (process.returncode, said) == (130, "interrupted\n")


def test_different_interrupts_at_once_end_as_cleanly_as_one(students: Class) -> None:
    process = students.start()
    students.wait_until_stored(1)
    process.send_signal(signal.SIGSTOP)  # so that both are pending when it continues
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGCONT)
    said, _ = process.communicate(timeout=_PATIENCE_S)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert students.strays() == []


def test_a_full_disk_for_its_output_ends_the_run_with_an_error_that_says_so(
    students: Class,
) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full, tempfile.TemporaryFile("w+") as err:
        process = students.start(err, full)
        assert process.wait(_PATIENCE_S) == 2
        err.seek(0)
        said = err.read()
    assert "error: cannot write to standard output: No space left on device" in said
    assert "next: " in said
    assert "Traceback" not in said
    assert students.strays() == []


def test_a_second_grader_in_the_same_folder_is_refused(students: Class) -> None:
    first = students.start()
    students.wait_until_stored(1)
    second = students.start()
    said, _ = second.communicate(timeout=_PATIENCE_S)
    assert second.returncode == 2
    assert "another grader is at work" in said
    first.send_signal(signal.SIGTERM)
    first.communicate(timeout=_PATIENCE_S)


def test_a_closed_pipe_ends_the_run_without_a_traceback_or_a_stray(students: Class) -> None:
    with tempfile.TemporaryFile("w+") as errors:
        process = students.start(errors)
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(_PATIENCE_S) == 2
        errors.seek(0)
        assert "Traceback" not in errors.read()
    assert students.strays() == []
