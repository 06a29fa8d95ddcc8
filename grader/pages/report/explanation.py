"""The derivation of a student's points on a terminal."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.model.result import CaseResult
from grader.model.verdict import Verdict
from grader.pages.presentation.derivation import Derivation, PartDerivation, sum_of
from grader.pages.presentation.provenance import Provenance, provenance_lines
from grader.pages.presentation.text import cap, one_line
from grader.pages.presentation.words import points_text

_CHARACTERS = 2000
_LINES = 20


def print_explanation(derivation: Derivation, facts: Provenance, console: Console) -> None:
    """Every row of every part with its reason, the sums, and what the result depends on."""
    points = points_text(derivation.points) if derivation.is_final else "–"
    head = Text(one_line(derivation.student), style="bold")
    head.append(f"  {points} of {points_text(derivation.max_points)} points  ", style="not bold")
    head.append(derivation.verdict.replace("_", " "))
    console.print(head)
    for part in derivation.parts:
        _print_part(part, console)
    _print_total(derivation, console)
    _print_ceilings(derivation, console)
    _print_facts(facts, console)


def _print_part(part: PartDerivation, console: Console) -> None:
    title = f"\n{one_line(part.title)} ({one_line(part.function)}): "
    title += f"{points_text(part.points)} of {points_text(part.max_points)} points"
    console.print(Text(title, style="bold"))
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("points", justify="right", no_wrap=True)
    table.add_column("of", justify="right", no_wrap=True)
    table.add_column("where they come from", overflow="fold")
    for row in part.rows:
        points = points_text(row.points)
        table.add_row(
            points if row.is_added else f"({points})",
            "" if row.max_points is None else points_text(row.max_points),
            Text(cap(row.why, _CHARACTERS, _LINES)),
        )
    table.add_section()
    table.add_row(points_text(part.points), points_text(part.max_points), Text(sum_of(part)))
    console.print(table)
    if any(not row.is_added for row in part.rows):
        console.print(Text("Points in brackets are multiplied before they count.", style="dim"))
    _print_cases(part.cases, console)


def _print_cases(cases: list[CaseResult], console: Console) -> None:
    """Under each outcome, with its phases, the cases that had it: a line each, seldom too long."""
    outcomes: dict[str, list[str]] = {}
    for test in dict.fromkeys(case.test for case in cases):
        phases: dict[str, list[str]] = {}
        for case in cases:
            if case.test == test:
                verdict = case.verdict.value.replace("_", " ") if case.verdict else "not run"
                phases.setdefault(verdict, []).append(case.phase)
        words = ", ".join(f"{verdict} in {' and '.join(at)}" for verdict, at in phases.items())
        outcomes.setdefault(words, []).append(one_line(test))
    for words, tests in outcomes.items():
        console.print(Text(f"  {words}:"))
        for name in tests:
            console.print(Text(f"    {name}"), soft_wrap=True)


def _print_total(derivation: Derivation, console: Console) -> None:
    if not derivation.is_final:
        is_waiting = derivation.verdict == Verdict.NOT_GRADED
        why = "not graded yet" if is_waiting else "not judged: the grader failed"
        console.print(Text(f"\n{why}, and no points are lost", style="blue"))
        return
    terms = " + ".join(points_text(part.points) for part in derivation.parts)
    total = f"{points_text(derivation.points)} of {points_text(derivation.max_points)} points"
    console.print(Text(f"\nAll parts: {terms} = {total}" if terms else f"\nAll parts: {total}"))


def _print_ceilings(derivation: Derivation, console: Console) -> None:
    if not derivation.ceilings:
        return
    console.print(Text("\nCeilings of this lab, for right programs without the parallel work:"))
    for ceiling in derivation.ceilings:
        why = f": {one_line(ceiling.why)}" if ceiling.why else ""
        console.print(Text(f"  {one_line(ceiling.name)} {points_text(ceiling.most)}{why}"))


def _print_facts(facts: Provenance, console: Console) -> None:
    console.print()
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    for name, value in provenance_lines(facts):
        table.add_row(name, Text(value))
    console.print(table)
