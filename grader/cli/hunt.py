"""`hunt`: draws a class's hunts, with a line for what is judged."""

from collections import Counter
from typing import Any

import click

from grader.people.hunts.hunts import STUDENTS, Wanted, make_hunts
from grader.people.hunts.proof import judge_with


def draw_hunts(wanted: Wanted) -> dict[str, Any]:
    """Returns what `--json` says: who has how many faults of which kinds, but not which."""
    lab = wanted.kit.manifest.lab

    def advance(name: str) -> None:
        click.echo(f"judged: {name}", err=True)

    made = make_hunts(wanted, judge_with(wanted.kit), advance)
    book = made.book
    kinds = Counter(str(fault.kind) for fault in book.faults.values())
    missed = sum(not book.faults[name].detected for name in next(iter(book.students.values())))
    click.echo(
        f"{lab}: drawn from {len(book.faults)} faults: "
        + ", ".join(f"{count} {name}" for name, count in sorted(kinds.items()))
    )
    click.echo(
        f"{len(book.students)} students, {len(made.new)} of them new; each has {wanted.faults} "
        f"faults, {missed} of which the public test misses"
    )
    click.echo(f"for students: {wanted.out / STUDENTS}")
    click.echo(f"for `grade --lab {made.kit.manifest.lab}`, secret: --kit {made.kit.root}")
    return {
        "lab": made.kit.manifest.lab,
        "kit": made.kit.root,
        "students": wanted.out / STUDENTS,
        "new": made.new,
        "faults": wanted.faults,
        "missed": missed,
        "kinds": kinds,
    }
