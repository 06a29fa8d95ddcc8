"""What the author of a lab still has to write: lines with TODO, and the lab's rows in the index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.links import INDEX, read_labs

_TODO = "TODO"


def todos(paths: Iterable[Path]) -> Iterator[str]:
    """One line for each line with a TODO; files that do not exist have none."""
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if _TODO in line:
                _, _, task = line.partition(_TODO)
                yield f"{path}:{number}: still to write{task.rstrip()}"


def rows(root: Path, lab: str) -> Iterator[str]:
    """A line for each table of the index in labs/README.md that lacks the lab."""
    path = root / INDEX
    try:
        found = [row for row in read_labs(root) if row.name == lab]
    except OSError as error:
        yield f"{path}: {error.strerror}\n  next: write the table of labs"
        return
    if not found:
        yield f"{path}: no row for {lab}\n  next: add one to the table with the column Handout"
    if not any(row.needs is not None for row in found):
        yield f"{path}: {lab} has no prerequisites\n  next: add a row to the table with From"
