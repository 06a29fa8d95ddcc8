"""Whether a verdict ever changes: the same submissions graded again and again, idle and under load.

    bazel run //grader/bench:flips -- [--lab LAB] [--times N] [--only TEXT] [--load LOAD]...

Half of the submissions are accepted, half wrong or lazy, those near a threshold among them. A
grading that differs from the sample's own verdict, or by more than a point from the median of its
gradings, is a change. Undecided ones, which are flagged and cost nothing, are counted apart.
"""

from __future__ import annotations

import random
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import click

from grader.checks.verdicts import cannot_tell, grade_samples
from grader.cli.kits import find_kit
from grader.cli.places import sample_root
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.run.machine import cores
from grader.sample.samples import Sample, lazy_samples, samples

_SPIN = "while True: pass"
_STREAM = "a = bytearray(1 << 28)\nwhile True: b = bytes(a)"
# A sibling that takes a core, and is stopped and continued by turns.
_LOADS = {"idle": "", "busy": _SPIN, "memory": _STREAM, "stopped": _SPIN}
_POINT = 1.0


@dataclass
class Seen:
    """All gradings of one sample."""

    sample: Sample
    verdicts: list[Verdict] = field(default_factory=list)
    points: list[float] = field(default_factory=list)
    undecided: int = 0

    def add(self, result: Result) -> None:
        if self.sample.is_wrong and cannot_tell(self.sample, result):
            self.undecided += 1
            return
        self.verdicts.append(result.verdict)
        self.points.append(result.points)

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
    """As many processes of that kind as there are cores, until the end."""
    code = _LOADS[kind]
    others = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(cores()) if code]
    if kind == "stopped":
        others.append(subprocess.Popen([sys.executable, "-c", _stop_by_turns(others)]))
    try:
        yield
    finally:
        for other in reversed(others):
            other.kill()
            other.wait(timeout=10)


def _stop_by_turns(others: list[subprocess.Popen[bytes]]) -> str:
    pids = [other.pid for other in others]
    stop, go = int(signal.SIGSTOP), int(signal.SIGCONT)
    return (
        f"import os, time\nwhile True:\n for pid in {pids}:\n"
        f"  os.kill(pid, {stop}); time.sleep(0.3); os.kill(pid, {go}); time.sleep(0.2)"
    )


def _chosen(lab: str, only: str, count: int) -> list[Sample]:
    """Accepted, too slow and lazy samples first: those that a clock judges."""
    folder = sample_root() / lab
    found = [s for s in samples(folder) if not s.is_hostile] + lazy_samples(folder)
    found = [s for s in found if only in s.name]
    rank = {Verdict.ACCEPTED: 0, Verdict.TOO_SLOW: 1}
    timed = sorted(found, key=lambda s: 1 if s.is_lazy else rank.get(s.expected, 2))
    accepted = [s for s in timed if not s.is_wrong and not s.is_lazy][: count // 2]
    return accepted + [s for s in timed if s not in accepted][: count - len(accepted)]


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
@click.option("--lab", required=True, help="Whose samples.")
@click.option("--times", default=50, show_default=True, help="Gradings of each, under each load.")
@click.option("--samples", "count", default=20, show_default=True)
@click.option("--only", default="", help="Samples whose name holds this.")
@click.option(
    "--load", "loads", multiple=True, default=tuple(_LOADS), type=click.Choice(list(_LOADS))
)
def main(lab: str, times: int, count: int, only: str, loads: tuple[str, ...]) -> None:
    """Ends with 1 if a verdict or points changed."""
    kit = find_kit(lab)
    chosen = _chosen(lab, only, count)
    seen = {sample.name: Seen(sample) for sample in chosen}
    before = time.monotonic()
    for _ in range(times):
        for load in loads:
            with _loaded(load):
                for sample, result in grade_samples(
                    kit, chosen, random.getrandbits(31), verdict_only=False
                ):
                    seen[sample.name].add(result)
    verdicts, points = _table(seen)
    total = times * len(loads) * len(chosen)
    print(
        f"{verdicts} verdicts and {points} times points changed in {total} gradings "
        f"({time.monotonic() - before:.0f} s)"
    )
    sys.exit(1 if verdicts or points else 0)


if __name__ == "__main__":
    main()
