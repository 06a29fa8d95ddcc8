"""`report` and `export`: from stored results alone, no kit needed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from grader.cli.pages import REPORT, page_of
from grader.judging.store import Store
from grader.model.verdict import Verdict
from grader.pages.presentation.text import names_text

if TYPE_CHECKING:
    from grader.pages.export.filling import Filled


def show_report(
    out: Path,
    student: str | None,
    roster: Path | None = None,
    column: str | None = None,
    console: Console | None = None,
) -> None:
    """Prints one student's result, or writes the class's page and prints its summary."""
    from grader.cli.pages import keep_roster, write_class_page
    from grader.pages.report.terminal import print_student, print_summary

    console = console or Console()
    with Store(out, create=False) as store:
        _, lab = store.lab()
        if student is not None:
            print_student(store.load(student, texts=True), lab, console)
            return
        if roster is not None and (warning := keep_roster(store, out, roster, column)):
            console.print(Text(warning, style="yellow"), soft_wrap=True)
        print_summary(store.results(texts=False), lab, console)
        page = write_class_page(store, lab, out / REPORT)
        console.print(Text(f"report: {page.resolve().as_uri()}"), soft_wrap=True)


def stored_facts(out: Path, students: Sequence[str]) -> dict[str, Any]:
    """The class's facts and its page; of `students` alone, if any are named."""
    from grader.pages.report.class_facts import class_facts

    with Store(out, create=False) as store:
        name, lab = store.lab()
        named = [store.load(student, texts=False) for student in dict.fromkeys(students)]
        facts = class_facts(name, lab, named or store.results(texts=False))
    return {**facts, "report": page_of(out).resolve()}


def student_facts(out: Path, student: str) -> dict[str, Any]:
    """The student's record, as the export format json has it."""
    from grader.pages.export.json_format import record

    with Store(out, create=False) as store:
        return {"lab": store.lab()[0], "result": record(store.load(student, texts=True))}


def write_export(
    out: Path, format_name: str, to: Path | None, console: Console | None = None
) -> list[Path]:
    """Writes stored results in another tool's format; prints and returns which files."""
    from grader.pages.export import write

    console = console or Console()
    with Store(out, create=False) as store:
        _, lab = store.lab()
        paths = [path.resolve() for path in write(format_name, store.results(), lab, to or out)]
    for path in paths:
        console.print(Text(f"wrote {path}"), soft_wrap=True)
    return paths


def fill_gradebook(
    out: Path, format_name: str, gradebook: Path, column: str | None, to: Path | None
) -> tuple[Path, list[str]]:
    """Fills stored points into another tool's table; prints and returns its path and notes."""
    from grader.pages.export import fill
    from grader.pages.export.scores import scores_of

    console = Console()
    with Store(out, create=False) as store:
        _, lab = store.lab()
        scores = scores_of(store.results(texts=False), lab)
        filled = fill(format_name, scores, gradebook, column, to or out)
    print_filled(filled, console)
    return filled.path.resolve(), filled.notes


def say_who_waits(out: Path) -> list[str]:
    """Prints and returns who was found, but not graded, because `grade` had been interrupted."""
    with Store(out, create=False) as store:
        results = store.results(texts=False)
        waiting = [r.student for r in results if r.verdict is Verdict.NOT_GRADED]
    if waiting:
        words = f"not graded yet ({len(waiting)}): {names_text(waiting)}; they have no score\n"
        step = "  next: run the same `grade` command again, then this one"
        Console().print(Text(words + step, style="yellow"), soft_wrap=True)
    return waiting


def print_filled(filled: Filled, console: Console) -> None:
    """Prints what the reader of a filled gradebook should know, and where it is."""
    for note in filled.notes:
        console.print(Text(note), soft_wrap=True)
    console.print(Text(f"wrote {filled.path.resolve()}"), soft_wrap=True)
