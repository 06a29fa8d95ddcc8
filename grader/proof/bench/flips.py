"""Measures how often verdicts change if the same submissions are graded again, idle and under load.

    bazel run //grader/proof/bench:flips -- --lab LAB [--times N] [--only TEXT]
        [--load LOAD] [--out FILE]

Half of the submissions are accepted; a quarter are too slow or lazy, where the clock decides; for
the rest limits, schedules and sanitizers do. A change is a verdict other than the sample's own, or
points that differ by more than one from the median of its gradings. Counted separately, as
undecided: gradings for which the machine was too busy, which give and take no points, and those of
wrong and lazy programs between two thresholds, which are flagged. Two thousand gradings take hours:
with --out each is appended to FILE, and those already there count. The load `other` is whatever
else runs on the machine at that time.
"""

import random
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click
from pydantic import BaseModel, ConfigDict

from grader.cli.kits import find_kit
from grader.cli.places import from_user, sample_root
from grader.judging.sample.samples import Sample, lazy_samples, samples
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.people.checks.verdicts import grade_samples, too_busy
from grader.sandbox.machine import cores

_SPIN = "while True: pass"
_STREAM = "a = bytearray(1 << 28)\nwhile True: b = bytes(a)"
# Load on every core: none, computation, memory traffic, or computation stopped and continued.
_LOADS = {"idle": "", "busy": _SPIN, "memory": _STREAM, "stopped": _SPIN}
_OTHER = "other"
_BY_LIMIT = (Verdict.DATA_RACE, Verdict.TIME_LIMIT, Verdict.DEADLOCK, Verdict.MEMORY_LIMIT)
_POINT = 1.0


class Grading(BaseModel):
    """One grading of one sample, as a line of --out."""

    model_config = ConfigDict(frozen=True)
    sample: str
    load: str
    verdict: Verdict
    points: float
    is_undecided: bool
    seconds: float = 0
    """Those of all phases; less time passes where some run side by side."""
    failure: str = ""
    """Why the grader could not judge, or the first failure of each part."""


@dataclass
class Seen:
    """All gradings of one sample."""

    sample: Sample
    verdicts: list[Verdict] = field(default_factory=list)
    points: list[float] = field(default_factory=list)
    undecided: int = 0

    def add(self, grading: Grading) -> None:
        if grading.is_undecided:
            self.undecided += 1
            return
        self.verdicts.append(grading.verdict)
        self.points.append(grading.points)

    @property
    def changed_verdicts(self) -> int:
        usual = self.sample.expected
        if self.sample.is_lazy and self.verdicts:
            usual = statistics.mode(self.verdicts)
        return sum(verdict is not usual for verdict in self.verdicts)

    @property
    def changed_points(self) -> int:
        if not self.points:
            return 0
        usual = statistics.median(self.points)
        return sum(abs(points - usual) > _POINT for points in self.points)


@contextmanager
def _loaded(kind: str) -> Iterator[None]:
    """Runs one process of that kind of load per core inside the block."""
    code = _LOADS.get(kind, "")
    others = [_sibling(code) for _ in range(cores()) if code]
    if kind == "stopped":
        others.append(_sibling(_stop_by_turns(others)))
    try:
        yield
    finally:
        for other in reversed(others):
            other.kill()
            other.wait(timeout=10)


def _sibling(code: str) -> subprocess.Popen[bytes]:
    """Starts a load process that is killed when this process ends in any way."""
    die_with_parent = "import ctypes; ctypes.CDLL(None).prctl(1, 9)\n"  # PR_SET_PDEATHSIG, SIGKILL
    return subprocess.Popen([sys.executable, "-c", die_with_parent + code])


def _stop_by_turns(others: list[subprocess.Popen[bytes]]) -> str:
    pids = [other.pid for other in others]
    stop, go = int(signal.SIGSTOP), int(signal.SIGCONT)
    return (
        f"import os, time\nwhile True:\n for pid in {pids}:\n"
        f"  os.kill(pid, {stop}); time.sleep(0.3); os.kill(pid, {go}); time.sleep(0.2)"
    )


def _chosen(lab: str, only: str, count: int) -> list[Sample]:
    """Accepted ones, those that the clock decides, and those that limits and sanitizers decide."""
    folder = sample_root() / lab
    found = [s for s in samples(folder) if not s.is_hostile] + lazy_samples(folder)
    found = [s for s in found if only in s.name]
    accepted = [s for s in found if not s.is_wrong and not s.is_lazy][: count // 2]
    by_clock = _by_turns(s for s in found if s.expected is Verdict.TOO_SLOW or s.is_lazy)[
        : count // 4
    ]
    by_limit = _by_turns(s for s in found if s.expected in _BY_LIMIT)
    return accepted + by_clock + by_limit[: count - len(accepted) - len(by_clock)]


def _by_turns(found: Iterable[Sample]) -> list[Sample]:
    """The first of each folder, then the second of each, and so on."""
    turn: Counter[Path] = Counter()
    turns: list[tuple[int, Sample]] = []
    for sample in found:
        folder = sample.path.parent
        turns.append((turn[folder], sample))
        turn[folder] += 1
    return [sample for _, sample in sorted(turns, key=lambda entry: entry[0])]


def _is_undecided(sample: Sample, result: Result) -> bool:
    """Where an accepted sample lost points, undecided measurements are no excuse."""
    if too_busy(result):
        return True
    measured = [m for part in result.parts for m in (part.timing, part.parallelism)]
    is_right = not sample.is_wrong and not sample.is_lazy
    return not is_right and any(entry and entry.decision == "undecided" for entry in measured)


def _graded(sample: Sample, load: str, result: Result) -> Grading:
    return Grading(
        sample=sample.name,
        load=load,
        verdict=result.verdict,
        points=result.points,
        is_undecided=_is_undecided(sample, result),
        seconds=round(sum(result.seconds.values()), 1),
        failure=_failure(result),
    )


def _failure(result: Result) -> str:
    if result.verdict is Verdict.JUDGE_ERROR:
        return "; ".join(entry.text for entry in result.diagnostics)
    failures = [part.failure for part in result.parts if part.failure]
    return "; ".join(f"{failure.test}: {failure.message}" for failure in failures)


def _earlier(out: Path | None, chosen: Iterable[Sample]) -> list[Grading]:
    if out is None or not out.exists():
        return []
    names = {sample.name for sample in chosen}
    lines = out.read_text(encoding="utf-8").splitlines()
    return [entry for entry in map(Grading.model_validate_json, lines) if entry.sample in names]


def _table(seen: dict[str, Seen]) -> tuple[int, int]:
    print(f"{'sample':<48} {'graded':>7} {'verdicts':>9} {'points':>7} {'undecided':>10}  range")
    for name, entry in seen.items():
        spread = f"{min(entry.points):g} to {max(entry.points):g}" if entry.points else "-"
        graded = len(entry.verdicts)
        changed = f"{entry.changed_verdicts:>9} {entry.changed_points:>7}"
        print(f"{name:<48} {graded:>7} {changed} {entry.undecided:>10}  {spread}")
    verdicts = sum(entry.changed_verdicts for entry in seen.values())
    return verdicts, sum(entry.changed_points for entry in seen.values())


@click.command()
@click.option("--lab", required=True, help="The lab whose samples are graded.")
@click.option("--times", default=25, show_default=True, help="Gradings per sample and load.")
@click.option("--samples", "count", default=20, show_default=True)
@click.option("--only", default="", help="Only samples whose name contains this.")
@click.option(
    "--load", "loads", multiple=True, default=tuple(_LOADS), type=click.Choice([*_LOADS, _OTHER])
)
@click.option("--out", type=click.Path(path_type=Path), help="Appends gradings to this file.")
def main(
    lab: str, times: int, count: int, only: str, loads: tuple[str, ...], out: Path | None
) -> None:
    """Exits with 1 if a verdict or points changed."""
    chosen = _chosen(lab, only, count)
    out = out and from_user(out)
    gradings = _earlier(out, chosen)
    before = time.monotonic()
    for entry in _grade(lab, chosen, times, loads):
        gradings.append(entry)
        if out:
            with out.open("a", encoding="utf-8") as file:
                file.write(entry.model_dump_json() + "\n")
    seen = {sample.name: Seen(sample) for sample in chosen}
    for entry in gradings:
        seen[entry.sample].add(entry)
    verdicts, points = _table(seen)
    failures = Counter(entry.failure for entry in gradings if entry.verdict is Verdict.JUDGE_ERROR)
    for failure, count in failures.most_common():
        print(f"not judged {count} times: {failure}")
    print(
        f"{verdicts} verdicts and {points} times points changed in {len(gradings)} gradings "
        f"({time.monotonic() - before:.0f} s this time)"
    )
    sys.exit(1 if verdicts or points else 0)


def _grade(lab: str, chosen: list[Sample], times: int, loads: tuple[str, ...]) -> Iterator[Grading]:
    kit = find_kit(lab)
    for _ in range(times):
        for load in loads:
            with _loaded(load):
                seed = random.getrandbits(31)
                for sample, result in grade_samples(kit, chosen, seed, verdict_only=False):
                    yield _graded(sample, load, result)


if __name__ == "__main__":
    main()
