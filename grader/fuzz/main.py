"""Runs fuzz targets for a given time each and prints a table of executions and findings."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

from grader.fuzz.programs import NAMES, Run, run

_HEAD = ("target", "executions", "seconds", "crashes", "hangs", "edges covered")


@click.command()
@click.option("--seconds", type=click.IntRange(min=1), default=60, help="For each target.")
@click.option("--target", "names", multiple=True, type=click.Choice(NAMES), help="[default: all]")
@click.option("--jobs", type=click.IntRange(min=1), default=1, help="Targets to run at a time.")
@click.option("--seed", type=int, default=None, help="[default: another each time]")
@click.option("--keep", type=click.Path(path_type=Path), help="Folder for findings.")
def main(
    seconds: int, names: tuple[str, ...], jobs: int, seed: int | None, keep: Path | None
) -> None:
    """Fuzzes all readers of students' bytes. Exit code 1: there was a finding."""
    # `bazel run` changes the working directory.
    base = Path(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    folder = (base / keep).resolve() if keep else Path(tempfile.mkdtemp(prefix="fuzz-"))
    chosen = seed if seed is not None else random.SystemRandom().randrange(1 << 31)
    click.echo(f"seed {chosen}, findings go to {folder}")
    with ThreadPoolExecutor(jobs) as pool:
        runs = pool.map(lambda name: run(name, seconds, chosen, folder), names or NAMES)
        click.echo(_row(_HEAD))
        done = [_shown(one) for one in runs]
    sys.exit(1 if any(one.found for one in done) else 0)


def _shown(done: Run) -> Run:
    if done.skipped:
        click.echo(f"{done.name:<26}SKIPPED: {done.skipped}")
        return done
    crashes, hangs = done.count("crash"), done.count("hang")
    click.echo(
        _row((done.name, done.executions, f"{done.seconds:.0f}", crashes, hangs, done.edges))
    )
    for found in done.found:
        click.echo(f"  {found.kind}: {found.where}: {found.path}")
    return done


def _row(cells: tuple[object, ...]) -> str:
    return f"{cells[0]!s:<26}" + "".join(f"{cell!s:>15}" for cell in cells[1:])


if __name__ == "__main__":
    main()
