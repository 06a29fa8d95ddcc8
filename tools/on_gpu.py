"""Tries a CUDA lab's sample submissions on a GPU, and prints what became of each as a table.

on_gpu.py PROGRAMS [--jobs N] [--limit-s S] [--no-sanitizer]

PROGRAMS is the folder that //solutions:LAB_on_gpu builds: VERDICT/NAME, each the lab's hidden tests
with one sample. Each runs as it is; those that pass run again under compute-sanitizer's four tools,
which must find it on PATH or in /usr/local/cuda/bin. Right and slow samples must pass and be clean:
the exit code is 1 if one is not. What is wrong in the other samples should show; where a GPU keeps
it hidden the table says "not noticed". Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
RIGHT = ("accepted", "too_slow")
_NOTICED = 99  # compute-sanitizer's exit code where its tool reports something
_FAILED_TEST = re.compile(r"^FAIL (\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """What became of one sample: of its tests, and under each tool that it was run with."""

    sample: str
    tests: str
    tools: dict[str, str]

    @property
    def is_right(self) -> bool:
        return self.sample.split("/")[0] in RIGHT

    @property
    def is_clean(self) -> bool:
        return self.tests == "pass" and all(found == "clean" for found in self.tools.values())


def run_all(programs: Path, jobs: int, limit_s: float, sanitizer: str | None) -> Iterator[Outcome]:
    """Runs every program below that folder, `jobs` at a time; yields outcomes as they come."""
    paths = sorted(path for path in programs.glob("*/*") if path.is_file())
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(_try, path, limit_s, sanitizer) for path in paths]
        for future in as_completed(futures):
            yield future.result()


def _try(program: Path, limit_s: float, sanitizer: str | None) -> Outcome:
    sample = f"{program.parent.name}/{program.name}"
    tests = _run([str(program)], limit_s)
    found: dict[str, str] = {}
    if tests == "pass" and sanitizer:
        for tool in TOOLS:
            options = ["--tool", tool, "--error-exitcode", str(_NOTICED)]
            found[tool] = _run([sanitizer, *options, str(program)], limit_s, checked=True)
            found[tool] = "clean" if found[tool] == "pass" else found[tool]
    return Outcome(sample, tests, found)


def _run(command: Sequence[str], limit_s: float, *, checked: bool = False) -> str:
    environment = os.environ | {"LAB_GTEST": "1"} | ({"LAB_CHECKED": "1"} if checked else {})
    with tempfile.TemporaryFile() as output:
        # In a group of its own: what the sanitizer started must end with it.
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return f"no end in {limit_s:g} s"
        output.seek(0)
        return _words(code, output.read().decode("utf-8", "replace"))


def _words(code: int, output: str) -> str:
    if code == 0:
        return "pass"
    if "SKIPPED" in output:
        return "skipped: no GPU"
    errors = re.search(r"ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard", output)
    if errors and (errors[1] or errors[2]) != "0":
        return f"{errors[1] or errors[2]} found"
    failed = _FAILED_TEST.search(output)
    if failed:
        return f"fails {failed[1]}"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


HEAD = f"| Sample | Tests | {' | '.join(TOOLS)} | |\n{'| --- ' * (len(TOOLS) + 3)}|"


def row(outcome: Outcome) -> str:
    """A line of a table in Markdown, below HEAD."""
    cells = [outcome.tests, *(outcome.tools.get(tool, "") for tool in TOOLS), _remark(outcome)]
    return f"| `{outcome.sample}` | {' | '.join(cells)} |"


def _remark(outcome: Outcome) -> str:
    if outcome.is_right:
        return "" if outcome.is_clean else "**not clean**"
    return "not noticed" if outcome.is_clean else ""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_Raw)
    parser.add_argument("programs", type=Path, help="a folder with VERDICT/NAME programs")
    parser.add_argument("--jobs", type=int, default=4, help="programs at a time")
    parser.add_argument("--limit-s", type=float, default=120, help="seconds for each run")
    parser.add_argument("--no-sanitizer", action="store_true", help="run the tests alone")
    given = parser.parse_args(arguments)
    sanitizer = None if given.no_sanitizer else _sanitizer()
    outcomes = []
    print(HEAD)
    for outcome in run_all(given.programs, given.jobs, given.limit_s, sanitizer):
        print(row(outcome), flush=True)
        outcomes.append(outcome)
    if not outcomes:
        print(
            f"error: no programs in {given.programs}\n"
            "  next: build them with: bazel build --config=gpu //solutions:LAB_on_gpu",
            file=sys.stderr,
        )
        return 2
    return 0 if all(outcome.is_clean for outcome in outcomes if outcome.is_right) else 1


def _sanitizer() -> str | None:
    name = "compute-sanitizer"
    found = shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin")
    if not found:
        print(f"error: {name} not found: the tests run without it\n  next: add it to PATH")
    return found


class _Raw(argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of the text above."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
