"""Runs a CUDA lab's sample submissions on a GPU, and prints the result of each as a table.

on_gpu.py PROGRAMS [--jobs N] [--limit-s S] [--no-sanitizer]

PROGRAMS is the folder that //solutions:LAB_on_gpu builds: VERDICT/NAME, each the lab's hidden tests
with one sample. Each runs as it is; those that pass run again under the four tools of
compute-sanitizer, which is looked for on PATH and in /usr/local/cuda/bin. Right and slow samples
must pass and be clean: the exit code is 1 if one is not. For the others the table says what caught
them, the tests or a tool, or "not noticed" if neither did. Needs only Python.
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

# Each tool with the divisor of large problems: racecheck makes shared memory slow.
TOOLS = {"memcheck": 16, "racecheck": 256, "initcheck": 16, "synccheck": 16}
RIGHT = ("accepted", "too_slow")
_NOTICED = 99  # compute-sanitizer's exit code where its tool reports something
# Results of a run; figures stand before _FOUND and after _NO_END.
_PASSES, _CLEAN, _NO_GPU = "pass", "clean", "skipped: no GPU"
_FOUND, _NO_END = " found", "no end in "
_FAILED_TEST = re.compile(r"^FAIL (\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """The results of one sample: its tests, and each tool that it was run under."""

    sample: str
    tests: str
    tools: dict[str, str]

    @property
    def is_right(self) -> bool:
        return self.sample.split("/")[0] in RIGHT

    @property
    def is_clean(self) -> bool:
        return self.tests == _PASSES and all(found == _CLEAN for found in self.tools.values())


def programs_in(folder: Path) -> list[Path]:
    """The programs VERDICT/NAME in that folder, without the build's own files: NAME-2.params."""
    return sorted(path for path in folder.glob("*/*") if path.is_file() and not path.suffix)


def run_all(
    programs: Sequence[Path], jobs: int, limit_s: float, sanitizer: str | None
) -> Iterator[Outcome]:
    """Runs the programs, `jobs` at a time, each run for at most `limit_s`; yields outcomes as they
    come. No tools without a `sanitizer`."""
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(_try, path, limit_s, sanitizer) for path in programs]
        for future in as_completed(futures):
            yield future.result()


def _try(program: Path, limit_s: float, sanitizer: str | None) -> Outcome:
    sample = f"{program.parent.name}/{program.name}"
    tests = _run([str(program)], limit_s)
    found: dict[str, str] = {}
    if tests == _PASSES and sanitizer:
        for tool, divisor in TOOLS.items():
            options = ["--tool", tool, "--error-exitcode", str(_NOTICED)]
            found[tool] = _run(
                [sanitizer, *options, str(program)], limit_s, LAB_CHECKED=str(divisor)
            )
            found[tool] = _CLEAN if found[tool] == _PASSES else found[tool]
    return Outcome(sample, tests, found)


def _run(command: Sequence[str], limit_s: float, **environment: str) -> str:
    with tempfile.TemporaryFile() as output:
        # In a group of its own: what the sanitizer started must end with it.
        process = subprocess.Popen(
            command,
            env=os.environ | {"LAB_GTEST": "1"} | environment,
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
            return f"{_NO_END}{limit_s:g} s"
        output.seek(0)
        return _words(code, output.read().decode("utf-8", "replace"))


def _words(code: int, output: str) -> str:
    if code == 0:
        return _PASSES
    if "SKIPPED" in output:
        return _NO_GPU
    errors = re.search(r"ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard", output)
    if errors and (errors[1] or errors[2]) != "0":
        return (errors[1] or errors[2]) + _FOUND
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
    if outcome.tests == _NO_GPU:
        return "not tried"
    if outcome.is_right:
        return "" if outcome.is_clean else "**not clean**"
    if outcome.tests != _PASSES:
        return "caught by the tests"
    caught, failed, endless = (
        ", ".join(tool for tool, found in outcome.tools.items() if is_such(found))
        for is_such in (_is_finding, _is_failure, _is_endless)
    )
    if caught:
        return f"caught by {caught}"
    if failed:
        return f"caught by the tests under {failed}"
    return f"not noticed; no end under {endless}" if endless else "not noticed"


def _is_finding(found: str) -> bool:
    return found.endswith(_FOUND)


def _is_endless(found: str) -> bool:
    return found.startswith(_NO_END)


def _is_failure(found: str) -> bool:
    return found != _CLEAN and not _is_finding(found) and not _is_endless(found)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", type=Path, help="a folder with VERDICT/NAME programs")
    # Processes take turns on a GPU: two at a time take longer than one after the other.
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--limit-s", type=float, default=120, help="seconds for each run")
    parser.add_argument("--no-sanitizer", action="store_true", help="run the tests alone")
    given = parser.parse_args(arguments)
    programs = programs_in(given.programs)
    if not programs:
        return _refuse(
            f"no programs in {given.programs}",
            "build them with: bazel build --config=gpu --config=solutions //solutions:LAB_on_gpu",
        )
    sanitizer = None if given.no_sanitizer else _sanitizer()
    if not sanitizer and not given.no_sanitizer:
        return _refuse(
            "compute-sanitizer not found",
            "add it to PATH, or run the tests alone with --no-sanitizer",
        )
    print(HEAD, flush=True)
    all_clean = True
    for outcome in run_all(programs, given.jobs, given.limit_s, sanitizer):
        print(row(outcome), flush=True)
        all_clean &= outcome.is_clean or not outcome.is_right
    return 0 if all_clean else 1


def _refuse(error: str, next_step: str) -> int:
    print(f"error: {error}\n  next: {next_step}", file=sys.stderr)
    return 2


def _sanitizer() -> str | None:
    name = "compute-sanitizer"
    return shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
