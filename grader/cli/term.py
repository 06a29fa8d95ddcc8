"""`term`: the term's table from course.toml and stored results, no kit needed."""

import difflib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from grader.cli.options import GRADED, UNSETTLED
from grader.cli.publish import print_filled
from grader.model.errors import GraderError
from grader.pages.export import fill
from grader.pages.presentation.text import names_text, one_line
from grader.people.course.course import Course, load_course
from grader.people.course.gradebook import lab_scores, total_scores
from grader.people.course.published import publish, published_path, read_published, with_published
from grader.people.course.reading import read_hand_ins, without_results
from grader.people.course.term import (
    HandIns,
    Student,
    in_queue,
    not_graded,
    not_marked,
    strangers,
    term,
)
from grader.people.course.terminal import print_one, print_term
from grader.people.course.writing import facts, write_term
from grader.service.hand_ins import with_service


@dataclass(frozen=True)
class Gradebook:
    """What another program exported, and which scores go into it."""

    exported: Path
    format_name: str
    lab: str | None
    """Without it the totals."""
    column: str | None
    target: Path


def show_term(
    path: Path,
    data: Path | None,
    out: Path | None,
    only: str | None,
    gradebook: Gradebook | None,
    said: dict[str, Any],
    *,
    is_published: bool,
) -> int:
    """Prints the table or one student; returns UNSETTLED while some are not graded, judged or
    marked.

    `data`: the folder of the service; None: that of course.toml, if any. `said` gets what is
    printed as facts.
    """
    console, now = Console(), datetime.now(UTC).replace(microsecond=0)
    course = load_course(path)
    hand_ins = with_service(course, path, data, read_hand_ins(course, path.parent))
    published = read_published(published_path(path))
    table = with_published(term(course, hand_ins, now), published)
    if only is not None:
        names = [student.student for student in table]
        if only not in names:
            close = difflib.get_close_matches(only, names, 3) or names[:3]
            raise GraderError(f"no student {only!r} in {path}", f"there is {', '.join(close)}")
        table = [table[names.index(only)]]
        said.update(facts(table, course, now))
        print_one(table[0], console)
        return GRADED
    said.update(facts(table, course, now))
    print_term(table, course, console)
    for name in strangers(course, hand_ins):
        text = f"not in the table: {one_line(name)} is no student of the course; is it misspelt?"
        console.print(Text(text, style="yellow"))
    for folder in without_results(course, path.parent):
        console.print(Text(f"no results yet in {folder}", style="yellow"), soft_wrap=True)
    for written in write_term(table, course, now, out) if out else ():
        console.print(Text(f"wrote {written.resolve()}"), soft_wrap=True)
    if is_published:
        count = publish(published_path(path), published, table, now)
        where = published_path(path).resolve()
        console.print(Text(f"published {count} new or changed scores in {where}"), soft_wrap=True)
    if gradebook:
        said["notes"] = _fill(gradebook, table, course, hand_ins, console)
    again = "run the same `grade` command for {lab} again; it goes on from there"
    marks = "give the points of its rubric: `desk mark`, or the pages for staff"
    waits = "wait until the service has graded them"
    is_open = [
        _say_what_is_open("not graded yet", not_graded(hand_ins), again, console),
        _say_what_is_open("in the service's queue", in_queue(hand_ins), waits, console),
        _say_what_is_open("not marked yet", not_marked(table), marks, console),
        any(line.status == "not_judged" for student in table for line in student.labs),
    ]
    return UNSETTLED if any(is_open) else GRADED


def _say_what_is_open(
    what: str, students: dict[str, list[str]], step: str, console: Console
) -> bool:
    """Whether there are any: lab -> students; prints who and the next step."""
    for lab, names in students.items():
        text = (
            f"{what}, so not counted: {len(names)} of {lab}: {names_text(names)}\n"
            f"  next: {step.format(lab=lab)}"
        )
        console.print(Text(text, style="yellow"), soft_wrap=True)
    return bool(students)


def _fill(
    book: Gradebook, table: list[Student], course: Course, hand_ins: HandIns, console: Console
) -> list[str]:
    """Fills the scores into the gradebook; prints and returns the notes."""
    if book.lab is None:
        scores = total_scores(table, course)
    else:
        scores = lab_scores(table, course, hand_ins, book.lab)
    filled = fill(book.format_name, scores, book.exported, book.column, book.target)
    print_filled(filled, console)
    return filled.notes
