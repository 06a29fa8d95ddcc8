"""Runs suites of labelled CUDA programs in check mode and compares the findings with the labels.

    bazel run //common/cudasim/fidelity:suites -- --folder FOLDER [--suite scor] [--json FILE]

FOLDER is a checkout of a suite, or has checkouts in it; nothing is fetched. Every disagreement
needs a judgement in judgements/SUITE.toml. Exit status 1: one has none, or a judgement no longer
applies. Exit status 2: the command cannot run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from common.cudasim.fidelity.labelled import gpuverify, rodinia, scor
from common.cudasim.fidelity.labelled.execute import Runner
from common.cudasim.fidelity.labelled.model import (
    Program,
    Row,
    SuitesError,
    judge,
    read_judgements,
)
from common.cudasim.fidelity.labelled.table import record, summary, table

HERE = Path(__file__).absolute().parent
COMPILER = HERE.parents[1] / "driver" / "cudasim" / "bin" / "cudasim-cc"


@dataclass(frozen=True)
class Suite:
    """A suite: how to recognise a checkout, and its programs."""

    name: str
    title: str
    source: str  # where a checkout comes from
    marker: Path  # a folder that every checkout has
    programs: Callable[[Path, int], list[Program]]


SUITES = [
    Suite(module.NAME, module.TITLE, module.SOURCE, module.MARKER, module.programs)
    for module in (scor, gpuverify, rodinia)
]


def find(suite: Suite, folder: Path) -> Path | None:
    """The suite's checkout: the folder, or one in it."""
    if not folder.is_dir():
        raise SuitesError(f"no such folder: {folder}", "give a folder with checkouts of the suites")
    return next(
        (
            place.resolve()
            for place in [folder, *sorted(folder.iterdir())]
            if (place / suite.marker).is_dir()
        ),
        None,
    )


def chosen(folder: Path, names: list[str]) -> list[tuple[Suite, Path]]:
    """The suites to run, with their checkouts. Raises SuitesError if one named is missing."""
    found = []
    for suite in SUITES:
        if names and suite.name not in names:
            continue
        place = find(suite, folder)
        if place:
            found.append((suite, place))
        elif names:
            raise SuitesError(
                f"no checkout of {suite.title} in {folder}: neither it nor a folder in it has"
                f" {suite.marker}",
                f"git clone {suite.source} {folder / suite.name}",
            )
        else:
            print(f"{suite.title}: no checkout in {folder}", file=sys.stderr)
    if not found:
        raise SuitesError(
            f"no checkout of a suite in {folder}",
            f"git clone {SUITES[0].source} {folder / SUITES[0].name}",
        )
    return found


def run_suite(suite: Suite, place: Path, runner: Runner, options: argparse.Namespace) -> list[Row]:
    programs = [
        program
        for program in suite.programs(place, options.seed)
        if fnmatch(program.name, options.program)
    ]
    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        rows = []
        for row in pool.map(runner.run, programs):
            rows.append(row)
            if sys.stderr.isatty():
                print(f"{suite.name} {len(rows)} of {len(programs)}", end="\r", file=sys.stderr)
    return rows


def run(options: argparse.Namespace) -> int:
    here = Path(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    runner = Runner((here / options.compiler).absolute(), options.limit)
    suites = chosen((here / options.folder).absolute(), options.suite)
    judgements = {
        suite.name: read_judgements(options.judgements / f"{suite.name}.toml", suite.name)
        for suite, _ in suites
    }
    records, summaries, errors = [], [], []
    for suite, place in suites:
        rows, stale = judge(
            run_suite(suite, place, runner, options),
            judgements[suite.name],
            whole_suite=options.program == "*",
        )
        print(f"## {suite.title}, {place}, seed {options.seed}\n\n{table(rows)}\n")
        records += [record(row) for row in rows]
        summaries.append(summary(suite.title, rows))
        # In Bazel's runfiles a link to the file in the workspace, which is the one to edit.
        errors += problems(rows, stale, (options.judgements / f"{suite.name}.toml").resolve())
    print("\n".join(summaries))
    if options.json:
        (here / options.json).write_text(json.dumps(records, indent=1) + "\n")
    print("\n".join(errors), end="\n" if errors else "", file=sys.stderr)
    return 1 if errors else 0


def problems(rows: list[Row], stale: list[str], judgements: Path) -> list[str]:
    """Messages for disagreements without a judgement and judgements that no longer apply."""
    unjudged = [
        f"error: not judged: {row.program.suite} {row.program.name}: expected {row.program.label},"
        f" check mode: {row.outcome.kind}\n"
        f"  next: read the source, then fix the simulator or give the reason in {judgements}"
        for row in rows
        if row.outcome and row.agreement == "NOT JUDGED"
    ]
    return unjudged + [
        f"error: a judgement no longer applies: {line}\n  next: correct {judgements}"
        for line in stale
    ]


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="suites", description=(__doc__ or "").splitlines()[0], allow_abbrev=False
    )
    parser.add_argument(
        "--folder", type=Path, required=True, help="a checkout, or a folder with checkouts"
    )
    parser.add_argument(
        "--suite",
        action="append",
        default=[],
        choices=[suite.name for suite in SUITES],
        help="may be repeated; without it, all that FOLDER has",
    )
    parser.add_argument("--program", default="*", help="a pattern: only programs of such a name")
    parser.add_argument("--json", type=Path, help="also write the rows to this file")
    parser.add_argument("--seed", type=int, default=1, help="of arguments and inputs (1)")
    parser.add_argument(
        "--limit", type=int, default=120, help="seconds of CPU time for each program (120)"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time")
    parser.add_argument("--compiler", type=Path, default=COMPILER, help="another cudasim-cc")
    parser.add_argument(
        "--judgements", type=Path, default=HERE / "judgements", help="another folder of TOML files"
    )
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    try:
        return run(parse(arguments))
    except SuitesError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
