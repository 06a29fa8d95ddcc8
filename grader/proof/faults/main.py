"""Injects random faults into a running grader, and prints how many it survived.

    bazel run //grader/proof/faults -- [--faults N] [--seed S [--start N]] [--kind KIND] [--kit DIR]

Survived: every submission ended graded once, with the right verdict, or was reported with a clear
error; the database is whole; no page was half-written; a rerun finished what was left, and no
process or folder stayed behind. A fake kit is graded, whose checker and compiler are small scripts,
unless --kit names a real one.
"""

import contextlib
import secrets
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from grader.cli.places import from_user
from grader.proof.faults.handed_in import HandedIn, fake_class, sample_class
from grader.proof.faults.kinds import KINDS, possible_kinds, strike
from grader.proof.faults.scene import InvariantError, Scene, undisturbed_seconds


@dataclass
class Tally:
    """Outcomes of the faults of one kind."""

    injected: int = 0
    struck: int = 0
    survived: int = 0
    runs: Counter[int] = field(default_factory=Counter)
    """Exit code -> number of the grader's runs."""
    seconds: float = 0

    def add(self, ended: Scene | InvariantError, seconds: float) -> None:
        self.injected += 1
        self.seconds += seconds
        if isinstance(ended, Scene):
            self.survived += 1
            self.struck += ended.struck
            self.runs.update(ended.codes)


def _strike_all(
    handed_in: HandedIn, folder: Path, kinds: Sequence[str], numbers: range, seed: int
) -> Iterator[tuple[int, str, Scene | InvariantError, float]]:
    """Yields each fault's number and kind, the scene or the error, and its seconds."""
    seconds = undisturbed_seconds(handed_in, folder / "undisturbed")
    for number in numbers:
        kind, place = kinds[number % len(kinds)], folder / str(number)
        place.mkdir(mode=0o755)
        before = time.monotonic()
        ended: Scene | InvariantError
        try:
            ended = strike(kind, handed_in, place, f"{seed}/{number}", seconds)
        except InvariantError as error:
            ended = error
        yield number, kind, ended, time.monotonic() - before
        shutil.rmtree(place, ignore_errors=True)


def _table(tallies: dict[str, Tally], skipped: dict[str, str]) -> Table:
    table = Table("fault", box=None, pad_edge=False)
    for column in ("injected", "met a running grader", "survived", "exit codes", "s"):
        table.add_column(column, justify="right")
    everything = Tally()
    for tally in tallies.values():
        everything.injected += tally.injected
        everything.struck += tally.struck
        everything.survived += tally.survived
        everything.runs += tally.runs
        everything.seconds += tally.seconds
    tried = {name: tally for name, tally in tallies.items() if tally.injected}
    for name, tally in {**tried, "all": everything}.items():
        codes = ", ".join(f"{count} × {code}" for code, count in sorted(tally.runs.items()))
        table.add_row(
            name.replace("_", " "),
            *(str(tally.injected), str(tally.struck), str(tally.survived)),
            *(codes, f"{tally.seconds:.0f}"),
        )
    for name, reason in skipped.items():
        table.add_row(name.replace("_", " "), "SKIPPED", reason)
    return table


@click.command()
@click.option("--faults", default=100, show_default=True, help="Number of faults.")
@click.option("--seed", type=int, help="Seed of an earlier run, to repeat its faults.")
@click.option("--start", default=0, help="Number of the first fault.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="Only this kind."
)
@click.option("--kit", type=click.Path(path_type=Path), help="A real lab's built kit.")
def main(
    faults: int, seed: int | None, start: int, kinds: tuple[str, ...], kit: Path | None
) -> None:
    """Ends with 1 if a fault was not survived. Ctrl-C ends it early, with the table so far."""
    seed = secrets.randbits(31) if seed is None else seed
    possible, skipped = possible_kinds()
    chosen = [name for name in kinds or possible if name not in skipped]
    tallies = {name: Tally() for name in chosen}
    console = Console(width=120)
    console.print(f"seed {seed}")
    with (
        tempfile.TemporaryDirectory(prefix="grader-faults-") as name,
        contextlib.suppress(KeyboardInterrupt),
    ):
        folder = Path(name)
        folder.chmod(0o755)
        handed_in = sample_class(folder, from_user(kit)) if kit else fake_class(folder)
        numbers = range(start, start + faults)
        for number, kind, ended, seconds in _strike_all(handed_in, folder, chosen, numbers, seed):
            tallies[kind].add(ended, seconds)
            if isinstance(ended, InvariantError):
                again = f"--seed {seed} --start {number} --faults 1"
                console.print(f"NOT SURVIVED: {kind} ({again}): {ended}", markup=False)
    console.print(_table(tallies, skipped))
    sys.exit(any(tally.survived < tally.injected for tally in tallies.values()))


if __name__ == "__main__":
    main()
