"""The pages made from stored results: the class's, each student's, and the leaderboard."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.judging.store import Store
from grader.model.errors import GraderError
from grader.model.files import FileNames, make_folder, write_text
from grader.model.lab import Lab
from grader.model.result import Result

ROSTER = "roster.csv"
"""The names of the last roster, in the output folder: later pages know them, too."""
_COLUMN = "student"
REPORT = "report"
NICKNAMES = "nicknames.json"
"""Who has which nickname: never published."""


def page_of(out: Path) -> Path:
    """The class page of a folder of results."""
    return out / REPORT / "index.html"


def current_page(store: Store, lab: Lab, out: Path) -> Path:
    """The class page, written again if results were stored since."""
    page = page_of(out)
    if not (store.page_is_current() and page.exists()):
        write_class_page(store, lab, page.parent)
        store.page_was_written()
    return page


def write_class_page(store: Store, lab: Lab, folder: Path) -> Path:
    """Writes the class page into `folder`, whose parent is the output folder."""
    from grader.pages.report.html import Known, write_report
    from grader.pages.report.roster import read_roster

    kept = folder.parent / ROSTER
    roster = read_roster(kept, (), _COLUMN) if kept.exists() else None
    return write_report(store.results(), lab, folder, Known(roster, _before(store), store.text))


def _before(store: Store) -> Callable[[str], Result | None]:
    """Finds the result that a student's present one replaced."""

    def before(student: str) -> Result | None:
        earlier = store.earlier(student)
        return earlier[-1][1] if earlier else None

    return before


def keep_roster(store: Store, out: Path, roster: Path, column: str | None) -> str:
    """Reads a roster and keeps its names for this page and later ones.

    Returns a warning if nobody on it handed in; else an empty text.
    """
    from grader.pages.report.roster import attendance, read_roster

    students = store.students()
    names = read_roster(roster, students, column)
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([[_COLUMN], *([name] for name in names)])
    write_text(out / ROSTER, text.getvalue())
    if not students or len(attendance(names, students).missing) < len(set(names)):
        return ""
    return (
        f"warning: none of the {len(names)} names in {roster} handed in: it has {names[0]!r}, "
        f"the class has {students[0]!r}\n"
        "  next: name the column with --roster-column, or write the names as grade prints them"
    )


def write_feedback_pages(
    out: Path, students: tuple[str, ...], to: Path | None, console: Console | None = None
) -> list[Path]:
    """Writes a page for each of these students, or for all; prints and returns where they are."""
    from grader.pages.report.feedback_page import write_feedback_page

    console = console or Console()
    with Store(out, create=False) as store:
        _, lab = store.lab()
        everyone = store.students()
        results = [store.load(student, texts=True) for student in dict.fromkeys(students)]
        if not everyone:
            raise GraderError(f"no results in {out}", "grade into it first: grade --out")
        folder = make_folder(to or out / "feedback")
        names = FileNames()
        for student in everyone:  # so that a file's name does not depend on `students`
            names.of(student)
        pages = []
        for result in results or store.results():
            page = write_feedback_page(result, lab, store.text(result.student), folder, names)
            pages.append(page.resolve())
            if results:
                console.print(Text(f"wrote {pages[-1]}"), soft_wrap=True)
    if not results:
        console.print(Text(f"wrote {len(pages)} pages to {folder.resolve()}"), soft_wrap=True)
    return pages


def write_leaderboard_page(
    out: Path, to: Path | None, given: Path | None, top: int | None, console: Console | None = None
) -> Path:
    """Writes the leaderboard; prints and returns where it is, prints where nicknames are kept."""
    from grader.pages.report.leaderboard import write_leaderboard
    from grader.pages.report.nicknames import nicknames

    console = console or Console()
    with Store(out, create=False) as store:
        _, lab = store.lab()
        kept = out / NICKNAMES
        names = nicknames(store.students(), kept, given)
        page = write_leaderboard(
            store.results(texts=False), lab, names, to or out / "leaderboard", top
        )
    console.print(Text(f"wrote {page.resolve()}"), soft_wrap=True)
    if kept.exists():
        console.print(Text(f"whose nickname is whose: {kept.resolve()}"), soft_wrap=True)
    return page.resolve()
