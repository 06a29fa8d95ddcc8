"""A small lab, its checker, and the checker's result for a submission to it."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

RUN = Path.cwd() / "grader" / "sandbox"  # Bazel starts tests in their runfiles
BUILT = RUN / "checker" / "tests"
CHECKER = BUILT / "roots_checker"
JAIL = RUN / "jail" / "jail"

RIGHT = ("accepted", None)
"""None: it was skipped."""
Test = dict[str, Any]


@pytest.fixture(scope="module", autouse=True)
def jail_works() -> None:
    """Skips the tests where no jail can be started."""
    probe = subprocess.run([JAIL, "--probe"], capture_output=True, text=True, timeout=60)
    if probe.returncode != 0:
        pytest.skip(f"no jail can be started here: {probe.stderr.strip()}")


class Files:
    """The files that jails mount, in a folder that every account can enter."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o755)
        self.worker = self._copy(RUN / "worker" / "worker", folder)
        self.behaviours = self._copy(BUILT / "behaviours.so", folder)
        self.reference = self._copy(BUILT / "reference.so", folder)
        counting = self._copy(BUILT / "counting.so", folder)
        worker = self._copy(BUILT / "counting_worker", folder)
        self.counting = (f"--student={counting}", f"--worker={worker}")

    @staticmethod
    def _copy(source: Path, folder: Path) -> Path:
        return Path(shutil.copy(source, folder))


@pytest.fixture(scope="module")
def files() -> Iterator[Files]:
    with tempfile.TemporaryDirectory(prefix="checker-test-") as folder:
        yield Files(Path(folder))


class Checker:
    """Runs the checker on one behaviour."""

    def __init__(self, files: Files, folder: Path) -> None:
        self.files = files
        self.output = folder / "result.json"
        self.wrapper: tuple[str, ...] = ()
        """A command that the checker runs under."""
        self.key = f"{7:032x}"
        """Of the tests' inputs."""

    def start(self, behaviour: str, *options: str) -> subprocess.CompletedProcess[str]:
        """The process's end; options given later replace earlier ones."""
        command: list[str | Path] = [
            *self.wrapper,
            CHECKER,
            *(f"--worker={self.files.worker}", f"--student={self.files.behaviours}"),
            f"--reference={self.files.reference}",
            *("--memory-mb=256", "--pids=32", "--output-kb=64", "--call-seconds=20"),
            *("--run-seconds=300", "--file-mb=16", "--tmp-mb=32", "--stack-mb=64", "--team=4"),
            *(f"--env=BEHAVIOUR={behaviour}", f"--output={self.output}"),
            *("--suites=RootsTest,TotalTest", *options),
        ]
        environment = {
            **os.environ,
            **{"GTEST_FILTER": "-*", "TESTBRIDGE_TEST_ONLY": "-*", "RANDOM_KEY": self.key},
        }
        return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)

    def result(self, behaviour: str, *options: str) -> dict[str, Any]:
        """All of the result."""
        ended = self.start(behaviour, *options)
        assert ended.returncode == 0, ended.stderr
        assert ended.stdout == ""
        result = json.loads(self.output.read_bytes())
        assert isinstance(result, dict)
        return result

    def tests(self, behaviour: str, *options: str) -> list[Test]:
        """The tests that were chosen."""
        return list(self.result(behaviour, *options)["cases"])

    def failing(self, behaviour: str, *options: str) -> Test:
        """The one test that failed."""
        failed = [test for test in self.tests(behaviour, *options) if test["verdict"] not in RIGHT]
        assert len(failed) == 1, failed
        return failed[0]

    def timed(self, behaviour: str) -> Test:
        """The timing test."""
        (test,) = self.tests(behaviour, "--mode=timing", "--timing=RootsTiming:2:4:10:0.95")
        return test


@pytest.fixture
def checker(files: Files, tmp_path: Path) -> Checker:
    return Checker(files, tmp_path)
