"""Results of sample submissions on a terminal: one table for several labs, 80 columns wide."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.model.result import Result
from grader.pages.presentation.facts import is_graded
from grader.pages.presentation.text import one_line
from grader.pages.presentation.words import points_text, result_words
from grader.pages.report.terminal import style_of


@dataclass(frozen=True)
class SampleRow:
    """One sample: its lab's title, its description, and its result."""

    lab: str
    handed_in: str
    result: Result


def print_samples(rows: Sequence[SampleRow], console: Console) -> None:
    """Prints a row for each sample, under the titles of their labs. No name is cut."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, width=min(console.width, 80))
    table.add_column("student", no_wrap=True)
    table.add_column("what was handed in", overflow="fold", ratio=1)
    table.add_column("verdict", no_wrap=True)
    table.add_column("points", justify="right", no_wrap=True)
    for number, row in enumerate(rows):
        if number == 0 or rows[number - 1].lab != row.lab:
            table.add_section()
            table.add_row("", Text(row.lab, style="bold"), "", "")
        _add(table, row)
    console.print(table)


def _add(table: Table, row: SampleRow) -> None:
    result = row.result
    table.add_row(
        Text(one_line(result.student)),
        Text(row.handed_in.replace("_", " ")),
        Text(result_words(result).label, style=style_of(result.verdict)),
        points_text(result.points) if is_graded(result) else "–",
    )
