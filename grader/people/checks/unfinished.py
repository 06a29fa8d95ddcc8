"""What the author of a lab still has to write: lines with TODO, and the lab's rows in the index."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.people.handouts.links import INDEX, read_labs

_TODO = "TODO"


def todos(root: Path, names: Iterable[Path]) -> Iterator[str]:
    """One line for each TODO in these files of the workspace; a file that is missing has none."""
    for name in names:
        try:
            text = (root / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for task in line.split(_TODO)[1:]:
                yield f"{name}:{number}: still to write: {task.strip(' :|')}"


def rows(root: Path, lab: str) -> Iterator[str]:
    """A line for each table of the index in labs/README.md that lacks the lab."""
    try:
        found = [row for row in read_labs(root) if row.name == lab]
    except OSError as error:
        yield f"{INDEX}: {error.strerror}\n  next: write the table of labs"
        return
    if not found:
        yield f"{INDEX}: no row for {lab}\n  next: add one to the table with the column Handout"
    if not any(row.needs is not None for row in found):
        yield f"{INDEX}: {lab} has no prerequisites\n  next: add a row to the table with From"
