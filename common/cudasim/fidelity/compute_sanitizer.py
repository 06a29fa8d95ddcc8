#!/usr/bin/env python3
"""Compares check mode's findings with those of compute-sanitizer's four tools.

    compute_sanitizer.py build FOLDER          nvcc: one program for each file of cases
    compute_sanitizer.py run FOLDER OUT.json   every case under every tool; needs a GPU
    compute_sanitizer.py compare OUT.json      the table; fails if only a tool has a finding

Run from the root of the workspace; the standard library is enough.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

TESTS = Path("common/cudasim/tests")
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
LIMIT_S = 20
# Folders of programs with many cases each: with bugs, and without.
FOLDERS = ("bugs", "correct")


@dataclass(frozen=True)
class Outcome:
    """The result of one tool on one case."""

    program: str
    case: str
    tool: str
    errors: int
    first: str  # the first error's message; empty if there is none
    lines: list[str]  # up to four file:line that the output names
    hung: bool


def sources(root: Path = TESTS) -> list[Path]:
    return [source for folder in FOLDERS for source in sorted((root / folder).glob("*.cu"))]


def program_of(source: Path) -> str:
    """The program's name; it has the folder's, as both may have a file of one name."""
    return f"{source.parent.name}_{source.stem}"


def cases(source: Path) -> list[str]:
    """The names of the cases, which the file's program takes as its argument."""
    return re.findall(r"\b(?:BUG|CASE)\((\w+)\)", source.read_text())


def build(folder: Path) -> int:
    """Compiles every file of cases; prints the errors of those that nvcc rejects."""
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        problems = [
            problem for problem in pool.map(partial(compile_one, folder), sources()) if problem
        ]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def compile_one(folder: Path, source: Path) -> str:
    """Compiles a file of cases, whose kernels may launch kernels; the errors if it is rejected."""
    options = [
        "-std=c++20",
        "-lineinfo",
        "-g",
        "-arch=sm_90",
        "-rdc=true",
        "-lcudadevrt",
        "--expt-relaxed-constexpr",
        "--extended-lambda",
        "-I.",
        "-w",
    ]
    command = ["nvcc", *options, "-o", str(folder / program_of(source)), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"error: nvcc: {source}:\n{done.stderr}" if done.returncode != 0 else ""


def read_output(program: str, case: str, tool: str, text: str, hung: bool) -> Outcome:
    """Parses a tool's output: `========= Invalid __global__ read of size 4 bytes`, ..."""
    summary = re.search(
        r"ERROR SUMMARY: (\d+)|RACECHECK SUMMARY:.*\((\d+) errors?, (\d+) warn", text
    )
    errors = sum(int(number or 0) for number in summary.groups()) if summary else 0
    findings = [
        line.removeprefix("=========").strip()
        for line in text.splitlines()
        if re.match(
            r"========= (Invalid|Error|Uninitialized|Barrier|Race|Warning|Program hit|Leaked|Stack"
            r"|Misaligned|Divergent|Unhandled)",
            line,
        )
    ]
    lines = re.findall(r"([\w./-]+\.cu(?:h)?):(\d+)", text)
    return Outcome(
        program,
        case,
        tool,
        errors,
        findings[0] if findings else "",
        [f"{Path(file).name}:{line}" for file, line in dict.fromkeys(lines)][:4],
        hung,
    )


def run_case(folder: Path, program: str, case: str, tool: str) -> Outcome:
    command = ["compute-sanitizer", "--tool", tool]
    if tool == "racecheck":
        command += ["--racecheck-report", "all"]
    try:
        done = subprocess.run(
            ["timeout", "-k", "2", str(LIMIT_S), *command, folder / program, case],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=LIMIT_S + 10,
        )
    except subprocess.TimeoutExpired as late:
        return read_output(program, case, tool, str(late.stdout or ""), hung=True)
    return read_output(
        program, case, tool, done.stdout + done.stderr, done.returncode in (124, 137)
    )


def run(folder: Path, out: Path) -> int:
    """Runs all cases, as many at a time as there are cores; each takes little memory."""
    work = [
        (program_of(source), case, tool)
        for source in sources()
        if (folder / program_of(source)).exists()
        for case in cases(source)
        for tool in TOOLS
    ]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda item: run_case(folder, *item), work))
    out.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=1) + "\n")
    print(f"{len(outcomes)} runs, {sum(o.hung for o in outcomes)} hung")
    return 0


def our_findings(root: Path = TESTS) -> dict[tuple[str, str], str]:
    """Check mode's kind and place by program and case, from the tests' expected reports."""
    found: dict[tuple[str, str], str] = {}
    for path in sorted((root / "bugs").glob("*.txt")):
        text = path.read_text()
        for case, said in re.findall(
            r"^== check (\w+): exit \d+\n(?:cudasim: (.*)\n)?", text, re.MULTILINE
        ):
            place = re.search(r"([\w.]+\.cu:\d+)", said)
            kind = re.match(r"(?:warning: )?\w+", said)
            if kind:
                found[program_of(path), case] = f"{kind[0]} {place[1] if place else ''}".strip()
    return found


def compare(out: Path) -> int:
    """Prints a row for each case; the exit status is 1 if only a tool has some finding."""
    outcomes = [Outcome(**item) for item in json.loads(out.read_text())]
    by_case: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        by_case.setdefault((outcome.program, outcome.case), []).append(outcome)
    ours = our_findings()
    only_theirs, only_ours, both = [], 0, 0
    print("| case | check mode | compute-sanitizer |\n| --- | --- | --- |")
    for key, runs in by_case.items():
        theirs = [f"{o.tool}: {o.first or 'hung'}" for o in runs if o.errors or o.hung]
        found = any(o.errors for o in runs)
        print(f"| {key[1]} | {ours.get(key, '-')} | {'; '.join(theirs) or '-'} |")
        both += found and key in ours
        only_ours += key in ours and not found
        if found and key not in ours:
            only_theirs.append(f"{key[0]} {key[1]}")
    print(f"\nfound by both {both}, by check mode alone {only_ours}, by a tool alone:", only_theirs)
    return 1 if only_theirs else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build").add_argument("folder", type=Path)
    run_parser = commands.add_parser("run")
    run_parser.add_argument("folder", type=Path)
    run_parser.add_argument("out", type=Path)
    commands.add_parser("compare").add_argument("out", type=Path)
    options = parser.parse_args()
    if options.command == "build":
        return build(options.folder)
    if options.command == "run":
        return run(options.folder, options.out)
    return compare(options.out)


if __name__ == "__main__":
    sys.exit(main())
