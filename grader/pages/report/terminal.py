"""Results on a terminal: a class as a table, one student in full."""

from collections.abc import Iterable

from rich import box
from rich.console import Console, JustifyMethod
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from grader.model.lab import Lab
from grader.model.result import PartResult, Result
from grader.model.verdict import Kind, Verdict
from grader.pages.presentation.counter_words import advice_lines, counter_words
from grader.pages.presentation.facts import flags, is_graded, part_of, who
from grader.pages.presentation.gpu_words import timing_lines
from grader.pages.presentation.parallelism_words import parallelism_words
from grader.pages.presentation.text import cap, one_line
from grader.pages.presentation.words import (
    PHASES,
    WORDS,
    part_words,
    points_text,
    ratio_text,
    result_words,
)
from grader.pages.report.summary import ClassSummary

_MOST_ROWS = 60
_MOST_NAME, _LEAST_NAME = 40, 8
_WIDTH, _PART_WIDTH = 45, 25
_POINTS, _VERDICT = 6, 12
_LONGEST_VERDICT = max(len(words.label) for words in WORDS.values())
_GAP = 2  # columns after each table column
_PART_POINTS = 6  # fits 30.99, and a narrow table's column head: 2 (37)
_CHARACTERS = 4000
_LINES = 40


_COLOURS = {
    Kind.RIGHT: "green",
    Kind.WRONG: "red",
    Kind.COSTLY: "yellow",
    Kind.EVIDENCE: "magenta",
    Kind.BREACH: "red",
    Kind.OURS: "blue",
}


def style_of(verdict: Verdict) -> str:
    """The colour of a verdict; its label is always shown beside it."""
    return _COLOURS[verdict.kind]


def print_summary(
    results: Iterable[Result], lab: Lab, console: Console, *, protections: bool = True
) -> None:
    """Prints the class: a row per student (the first 60), verdict counts, mean and median.

    Reads `results` once and keeps only what it prints. A narrow terminal gets each part's number
    and points without its verdict. `protections` is false where the lost ones were printed before.
    """
    summary = ClassSummary(lab)
    wide = console.width >= _WIDTH + _PART_WIDTH * len(lab.parts)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(
        "student", no_wrap=True, overflow="ellipsis", max_width=_name_width(console, lab)
    )
    table.add_column("points", justify="right", no_wrap=True, min_width=_POINTS)
    table.add_column("verdict", no_wrap=True, min_width=_VERDICT)
    for number, part in enumerate(lab.parts, 1):
        head = part.function if wide else f"{number} ({points_text(part.max_points)})"
        justify: JustifyMethod = "left" if wide else "right"
        table.add_column(Text(head), justify=justify, no_wrap=True, min_width=_PART_POINTS)
    for result in results:
        summary.add(result)
        if summary.students <= _MOST_ROWS:
            _add_row(table, result, lab, wide)
    if summary.students:
        console.print(table)
    if summary.students > _MOST_ROWS:
        console.print(
            f"… and {summary.students - _MOST_ROWS} more: all are in the report", style="dim"
        )
    _print_totals(summary, console, protections)


def _add_row(table: Table, result: Result, lab: Lab, wide: bool) -> None:
    points = points_text(result.points) if is_graded(result) else "–"
    table.add_row(
        Text(who(result)),
        Text(points, style="bold"),
        Text(result_words(result).label, style=style_of(result.verdict)),
        *(_part_cell(part_of(result, part.function), wide) for part in lab.parts),
    )


def _name_width(console: Console, lab: Lab) -> int:
    """The width that the other columns, which are never cut, leave for a student's name."""
    columns = (_POINTS, _LONGEST_VERDICT, *(_PART_POINTS for _ in lab.parts))
    left = console.width - sum(columns) - _GAP * (len(columns) + 1)
    return max(_LEAST_NAME, min(_MOST_NAME, left))


def _part_cell(part: PartResult | None, wide: bool) -> Text:
    if part is None:
        return Text("–", style="dim")
    points = points_text(part.points) if part.verdict.is_final else "–"
    if not wide:
        return Text(points, style=style_of(part.verdict))
    text = Text(f"{points:>5}")
    if part.verdict.is_final:
        text.append(f"/{points_text(part.max_points)}")
    if part.verdict is not Verdict.ACCEPTED:
        text.append(f" {part_words(part).label}", style=style_of(part.verdict))
    if part.timing:
        text.append(f" {ratio_text(part.timing.ratio)}×", style="dim")
    return text


def _print_totals(summary: ClassSummary, console: Console, protections: bool) -> None:
    plural = "" if summary.students == 1 else "s"
    counts = [Text(f"{summary.students} submission{plural}", style="bold")]
    counts += [
        Text(f"{count} {WORDS[verdict].label}", style=style_of(verdict))
        for verdict, count in summary.counted_verdicts()
    ]
    for counted in _lines_of(counts, console.width):
        console.print(counted)
    if summary.mean is not None and summary.median is not None:
        line = f"mean {summary.mean:.1f}, median {points_text(summary.median)} of "
        console.print(Text(line + points_text(summary.max_points) + " points"))
    if summary.not_graded:
        line = f"{summary.not_graded} not judged, no points lost: grade again to retry only these"
        console.print(Text(line, style="blue"))
    for protection, count in summary.protections.most_common() if protections else ():
        everyone = "" if count == summary.students else f" ({count} of {summary.students})"
        console.print(Text(f"protection lost: {one_line(protection)}{everyone}", style="yellow"))


def _lines_of(words: Iterable[Text], width: int) -> list[Text]:
    """As many words a line as fit, two blanks apart; none is broken."""
    lines: list[Text] = []
    for word in words:
        if lines and len(lines[-1]) + 2 + len(word) <= width:
            lines[-1] = Text("  ").join([lines[-1], word])
        else:
            lines.append(word)
    return lines


def print_student(result: Result, lab: Lab, console: Console) -> None:
    """Prints one result in full: verdict and advice, every part, evidence, the seed."""
    words = result_words(result)
    points = points_text(result.points) if is_graded(result) else "–"
    head = Text(who(result), style="bold")
    head.append(f"  {points} of {points_text(lab.max_points)} points  ", style="not bold")
    head.append(words.label, style=style_of(result.verdict))
    console.print(head)
    console.print(Text(words.sentence))
    for part in result.parts:
        console.print(_part_panel(part))
    for diagnostic in result.diagnostics:
        body = Text(cap(diagnostic.text, _CHARACTERS, _LINES))
        console.print(Panel(body, title=PHASES[diagnostic.phase], title_align="left", style="dim"))
    for flag in flags(result):
        console.print(Text(f"flag: {one_line(flag)}", style="yellow"))
    for protection in result.protections_lost:
        console.print(Text(f"protection lost: {one_line(protection)}", style="yellow"))
    console.print(Text(f"seed {result.key.seed}, from {one_line(result.source)}", style="dim"))


def _part_panel(part: PartResult) -> Panel:
    words = part_words(part)
    body = Text(words.label, style=style_of(part.verdict))
    if part.tests_total:
        body.append(f", {part.tests_passed} of {part.tests_total} tests passed", style="default")
    if part.failure:
        message = cap(part.failure.message, _CHARACTERS, _LINES)
        body.append(f"\n{one_line(part.failure.test)}\n{message}", style="default")
    if part.timing:
        for line in timing_lines(part.timing):
            body.append(f"\n{line}", style="default")
    if part.parallelism:
        body.append(f"\nparallelism: {parallelism_words(part.parallelism)}", style="default")
    for counter in part.counters:
        body.append(f"\n{counter_words(counter)}", style="default")
        for line in advice_lines(counter):
            body.append(f"\n  {line}", style="dim")
    points = points_text(part.points) if part.verdict.is_final else "–"
    title = Text(f"{one_line(part.title)}: {points} of {points_text(part.max_points)}")
    return Panel(body, title=title, title_align="left")
