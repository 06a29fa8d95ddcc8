"""`report` and `export`: from stored results alone, no kit needed."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.cli.grade import REPORT
from grader.store import Store


def show_report(
    out: Path,
    student: str | None,
    roster: Path | None = None,
    column: str | None = None,
    console: Console | None = None,
) -> None:
    """Prints one student's result, or writes the class's page and prints its summary."""
    from grader.cli.pages import keep_roster, write_class_page
    from grader.report.terminal import print_student, print_summary

    console = console or Console()
    with Store(out, create=False) as store:
        _, lab = store.lab()
        if student is not None:
            print_student(store.load(student, texts=True), lab, console)
            return
        if roster is not None:
            keep_roster(store, out, roster, column)
        print_summary(store.results(texts=False), lab, console)
        page = write_class_page(store, lab, out / REPORT)
        console.print(Text(f"report: {page.resolve().as_uri()}"), soft_wrap=True)


def write_export(
    out: Path, format_name: str, to: Path | None, console: Console | None = None
) -> None:
    """Writes stored results in another tool's format and prints which files."""
    from grader.export import write

    console = console or Console()
    with Store(out, create=False) as store:
        _, lab = store.lab()
        for path in write(format_name, store.results(), lab, to or out):
            console.print(Text(f"wrote {path.resolve()}"), soft_wrap=True)
