"""Measures the cost of grading: the time to grade one CPU-lab submission over that by hand.

    bazel run //grader/proof/bench:one_submission -- [--lab LAB] [--pairs N]

By hand means: the kit's own compile commands for both builds, without a jail; the same hidden tests
in one process, plain and under the race checker; the timing tests as often as the grader ran them.
The test libraries are built beforehand. Runs are paired; the result is the ratio of medians.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from grader.cli.kits import find_kit
from grader.cli.places import from_user, lab_names, sample_root, workspace
from grader.judging.judge.context import open_context
from grader.judging.judge.grading import grade
from grader.judging.sample.samples import Sample, samples
from grader.model.errors import GraderError
from grader.model.manifest import Kit
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.sandbox.machine import MachineLock

LIMIT = 1.3
_GTEST = Path("/usr/src/googletest/googletest")
# A program of its own, and what only public tests call.
_NOT_LINKED = ("guard.cc", "show_parallelism.cc")
_WARM_UP_PAIRS = 1


@dataclass(frozen=True)
class Hand:
    """A submission compiled and tested without the grader."""

    kit: Kit
    source: Path
    folder: Path

    def prepare(self) -> None:
        """Compiles the test libraries, which all submissions share."""
        root = workspace()
        library = sorted((root / "common" / "lab").glob("*.cc"))
        sources = [source for source in library if source.name not in _NOT_LINKED]
        sources += sorted((root / "solutions" / self.kit.manifest.lab).glob("hidden_*.cc"))
        sources += [_GTEST / "src" / "gtest-all.cc"]
        for build in self.kit.manifest.builds:
            (self.folder / build).mkdir()
            for source in sources:
                out = self.folder / build / f"{source.stem}.o"
                include = [f"-I{root}", "-isystem", _GTEST / "include", f"-I{_GTEST}"]
                _run([*self._compiler(build), *include, "-c", source, "-o", out])

    def once(self, timing_runs: int) -> float:
        """Seconds for one submission."""
        before = time.monotonic()
        for build in self.kit.manifest.builds:
            self._build(build)
        for build, entry in self.kit.manifest.builds.items():
            _run([self.folder / build / "program", "--gtest_filter=-*Timing.*"], entry.env)
        repeat = f"--gtest_repeat={timing_runs}"
        _run([self.folder / "tests" / "program", "--gtest_filter=*Timing.*", repeat])
        return time.monotonic() - before

    def _build(self, build: str) -> None:
        """The kit's steps as they are; the last one with the tests in place of -shared."""
        *steps, last = [[self._here(word) for word in step] for step in self._steps(build)]
        for step in steps:
            _run(step)
        program = self.folder / build / "program"
        objects = [p for p in (self.folder / build).glob("*.o") if str(p) not in last]
        dropped = ("-shared", "-Wl,-z,defs")
        link = [word for word in last if word not in dropped]
        out = link.index("-o")
        link[out + 1] = str(program)
        _run([*link[:out], *objects, *link[out:]])

    def _steps(self, build: str) -> list[list[str]]:
        return self.kit.manifest.builds[build].steps

    def _compiler(self, build: str) -> list[str]:
        step = self._steps(build)[0]
        return [word for word in step[: step.index("-E")] if not word.startswith("-I")]

    def _here(self, word: str) -> str:
        word = word.replace("/kit/", f"{self.kit.public}/").replace("/out/", f"{self.folder}/")
        return str(self.source) if word.startswith("/submission/") else word


def _run(argv: Sequence[object], env: dict[str, str] | None = None) -> None:
    """Ignores failures of test programs: they fail because some of their tests are filtered out."""
    done = subprocess.run(
        list(map(str, argv)), env={**os.environ, **(env or {})}, capture_output=True, check=False
    )
    if done.returncode != 0 and not str(argv[0]).endswith("/program"):
        raise GraderError(f"{argv[0]} failed: {done.stderr.decode()[-500:]}", "fix the cause")


def _accepted(kit: Kit) -> Sample:
    folder = sample_root() / kit.manifest.lab
    return next(s for s in samples(folder) if s.expected is Verdict.ACCEPTED)


def _timing_runs(result: Result) -> int:
    """The number of calls that the grader timed: every pair calls student and reference once."""
    pairs = [part.timing.pairs for part in result.parts if part.timing]
    return 2 * round(statistics.mean(pairs) + _WARM_UP_PAIRS) if pairs else 0


def measure(kit: Kit, pairs: int) -> float:
    """Prints each pair and returns the ratio of the medians, graded / by hand."""
    sample = _accepted(kit)
    graded, by_hand = [], []
    folder = Path(tempfile.mkdtemp(prefix="grader-bench-"))
    try:
        with open_context(kit, 1, 1) as common:
            # A private lock, so that waiting for other graders is not measured.
            lock = MachineLock(common.processes, folder)
            context = dataclasses.replace(common, lock=lock)
            source = folder / sample.file_name
            source.write_bytes(sample.read())
            hand = Hand(context.kit, source, folder)
            hand.prepare()
            for pair in range(pairs + 1):
                before = time.monotonic()
                result = grade(context, sample.submission())
                seconds = time.monotonic() - before
                if result.verdict is not Verdict.ACCEPTED:
                    raise GraderError(f"{sample.path} got {result.verdict}", "correct the sample")
                other = hand.once(_timing_runs(result))
                print(f"graded {seconds:.2f} s {result.seconds}, by hand {other:.2f} s")
                if pair:  # the first warms up caches
                    graded.append(seconds)
                    by_hand.append(other)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return statistics.median(graded) / statistics.median(by_hand)


@click.command()
@click.option("--lab", "labs", multiple=True, help="Default: all CPU labs.")
@click.option("--pairs", default=7, show_default=True)
@click.option("--kit", type=click.Path(path_type=Path), help="The lab's built kit.")
def main(labs: tuple[str, ...], pairs: int, kit: Path | None) -> None:
    """Exits with 1 if grading takes more than LIMIT times as long as by hand."""
    slow = False
    for name in labs or lab_names():
        chosen = find_kit(name, from_user(kit) if kit else None)
        if chosen.lab.programming.counters:
            continue
        ratio = measure(chosen, pairs)
        slow |= ratio > LIMIT
        print(f"{name}: {ratio:.2f} times by hand, limit {LIMIT}")
    raise SystemExit(slow)


if __name__ == "__main__":
    main()
