"""Runs a fuzz target, of C++ or of Python, in a process of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.fuzz.targets import TARGETS

CPP_TARGETS = ("exposed_program", "hostile_worker", "rewriter", "sparse")
"""Programs beside this file, as Bazel builds them."""
NAMES = sorted([*CPP_TARGETS, *TARGETS])

_HERE = Path(__file__).parent
_CASE_S = 5
_MEMORY_MB = 1024
_LONGEST = 4096
_MORE_TIME_S = 300
"""For reading the corpus and for the last execution, on a busy machine."""
_SKIPPED = re.compile(rb"^SKIPPED: (.*)", re.MULTILINE)
_EXECUTIONS = re.compile(rb"^stat::number_of_executed_units: (\d+)", re.MULTILINE)
_EDGES = re.compile(rb"^#\d+\s.* cov: (\d+)", re.MULTILINE)
_RAN = re.compile(rb"^Done \d+ runs in (\d+) second", re.MULTILINE)
_CAUSE = re.compile(rb"^(?:SUMMARY: |.*runtime error: )(.*)", re.MULTILINE)


@dataclass(frozen=True)
class Found:
    """Data on which a reader fails, in a file."""

    kind: str
    """`hang`, or `crash` for any other fault."""
    where: str
    path: str


@dataclass(frozen=True)
class Run:
    """Result of a target's run."""

    name: str
    executions: int = 0
    seconds: float = 0.0
    edges: int = 0
    found: tuple[Found, ...] = ()
    skipped: str = ""
    """Why nothing was run."""

    def count(self, kind: str) -> int:
        """How many findings are of that kind."""
        return sum(found.kind == kind for found in self.found)


def run(name: str, seconds: float, seed: int, keep: Path) -> Run:
    """Fuzzes for that long; data that fails is left in files below `keep`."""
    folder = keep / name
    (folder / "findings").mkdir(parents=True, exist_ok=True)
    if name in TARGETS:
        return _run_python(name, seconds, seed, folder)
    return _run_cpp(name, seconds, seed, folder)


def _seeds(name: str) -> Path:
    return _HERE / "corpus" / name


def _words(name: str) -> Path:
    return _HERE / "words" / f"{name}.dict"


def _run_python(name: str, seconds: float, seed: int, folder: Path) -> Run:
    command = [sys.executable, "-P", "-m", "grader.fuzz.one", name, str(seconds), str(seed)]
    command += [str(folder), str(_words(name)), *map(str, sorted(_seeds(name).iterdir()))]
    done = _run_to_end(command, seconds)
    if done.returncode != 0:
        last = (done.stderr.decode("utf-8", "replace").splitlines() or ["it printed nothing"])[-1]
        died = Found("crash", f"the process ended with {done.returncode}: {last}", str(folder))
        return Run(name, found=(died,))
    said = json.loads(done.stdout.splitlines()[-1])
    found = tuple(Found(**finding) for finding in said["findings"])
    return Run(name, said["executions"], said["seconds"], said["edges"], found)


def _run_cpp(name: str, seconds: float, seed: int, folder: Path) -> Run:
    (folder / "corpus").mkdir(exist_ok=True)
    command = [str(_HERE / name), f"-max_total_time={seconds:.0f}", f"-seed={seed}"]
    command += [f"-timeout={_CASE_S}", f"-rss_limit_mb={_MEMORY_MB}", f"-max_len={_LONGEST}"]
    command += [f"-dict={_words(name)}", f"-artifact_prefix={folder}/findings/"]
    command += ["-print_final_stats=1", str(folder / "corpus"), str(_seeds(name))]
    before = set((folder / "findings").iterdir())
    done = _run_to_end(command, seconds)
    if skipped := _SKIPPED.search(done.stdout):
        return Run(name, skipped=skipped[1].decode())
    found = tuple(_findings(done, set((folder / "findings").iterdir()) - before, folder))
    ran = _RAN.search(done.stderr)
    return Run(
        name,
        executions=_last(_EXECUTIONS, done.stderr),
        seconds=float(ran[1]) if ran else 0.0,
        edges=_last(_EDGES, done.stderr),
        found=found,
    )


def _findings(
    done: subprocess.CompletedProcess[bytes], paths: set[Path], folder: Path
) -> Iterator[Found]:
    """libFuzzer stops at the first finding; its file name begins with the kind."""
    if done.returncode == 0:
        return
    (folder / "log").write_bytes(done.stderr)
    cause = _CAUSE.search(done.stderr)
    where = cause[1].decode("utf-8", "replace") if cause else f"exit code {done.returncode}"
    for path in paths:
        kind = "hang" if path.name.startswith("timeout-") else "crash"
        yield Found(kind, where, str(path))
    if not paths:
        yield Found("crash", where, str(folder / "log"))


def _last(pattern: re.Pattern[bytes], text: bytes) -> int:
    found = pattern.findall(text)
    return int(found[-1]) if found else 0


def _run_to_end(command: list[str], seconds: float) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, capture_output=True, timeout=seconds + _MORE_TIME_S)
