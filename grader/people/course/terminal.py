"""The term on a terminal: the class as a table, one student in words."""

from decimal import ROUND_HALF_UP, Decimal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.pages.presentation.text import one_line
from grader.people.course.course import Course
from grader.people.course.term import Line, Student

_NAME, _CELL, _ENDS = 16, 7, 16


def print_term(table: list[Student], course: Course, console: Console) -> None:
    """A row per student; labs by number, the last ones that fit."""
    fit = max(1, (console.width - _NAME - _ENDS) // (_CELL + 1))
    first = max(0, len(course.labs) - fit)
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    grid.add_column("student", no_wrap=True, overflow="ellipsis", max_width=_NAME)
    for number in range(first, len(course.labs)):
        grid.add_column(str(number + 1), justify="right", no_wrap=True)
    grid.add_column("total", justify="right", no_wrap=True)
    grid.add_column("grade", no_wrap=True, max_width=8)
    for student in table:
        cells = [Text(_cell(line)) for line in student.labs[first:]]
        changed = student.published_total not in (None, student.total)
        total = _points(student.curved) + ("*" if changed else "")
        grade = Text(one_line(student.grade or ""))
        grid.add_row(Text(_who(student)), *cells, Text(total), grade)
    console.print(grid)
    names = "  ".join(f"{n} {one_line(lab.name)}" for n, lab in enumerate(course.labs, 1))
    console.print(Text(names))
    if first:
        console.print(Text(f"labs 1 to {first} do not fit: see term.csv, or a wider terminal"))
    console.print(Text("open not graded, judged or marked yet  ? hand-in time unknown"))
    console.print(Text("L late  ( ) dropped  * differs from what was published  – not counted"))


def _who(student: Student) -> str:
    name, key = one_line(student.name), one_line(student.student)
    return f"{name} ({key})" if name else key


def _points(value: Decimal | None) -> str:
    """Short, for the table."""
    if value is None:
        return "–"
    return f"{value.quantize(Decimal('0.1'), ROUND_HALF_UP):f}".removesuffix(".0")


def _exact(value: Decimal | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _cell(line: Line) -> str:
    if line.status in ("not_judged", "not_graded", "not_marked"):
        return "open"
    text = _points(line.counted) + ("L" if line.status in ("late", "too_late") else "")
    text += "" if line.time_known else "?"
    text = f"({text})" if line.dropped else text
    return text + ("*" if line.published not in (None, line.counted) else "")


def print_one(student: Student, console: Console) -> None:
    """One student's term in sentences."""
    console.print(Text(_who(student), style="bold"))
    for line in student.labs:
        console.print(Text(f"{one_line(line.lab)}: {one_line(line.why)}"))
    for text in student.extra:
        console.print(Text(f"total: {one_line(text)}"))
    total = f"total {_exact(student.total)}"
    if student.curved != student.total:
        total += f", curved {_exact(student.curved)}"
    if student.grade:
        total += f", grade {one_line(student.grade)}"
    if student.published_total not in (None, student.total):
        total += f" (published {_exact(student.published_total)})"
    console.print(Text(f"{total}; {student.late_days_left} free late days left"))
