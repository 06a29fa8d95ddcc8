"""The term's scores as a gradebook gets them: penalties, groups and extra points are in them."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from grader.model.errors import GraderError
from grader.pages.export.scores import Score, Scores
from grader.people.course.course import Course
from grader.people.course.term import HandIn, HandIns, Student

_PERCENT = 100.0


def lab_scores(table: list[Student], course: Course, hand_ins: HandIns, lab: str) -> Scores:
    """Each student's counted score; who is not due or not graded yet is left out."""
    names = [entry.name for entry in course.labs]
    if lab not in names:
        raise GraderError(f"no lab {lab!r} in the course", f"use {', '.join(names)}")
    return Scores(lab, _PERCENT, _of_lab(table, names.index(lab), hand_ins.get(lab, {})))


def _of_lab(
    table: list[Student], index: int, attempts: Mapping[str, Sequence[HandIn]]
) -> Iterator[Score]:
    for student in table:
        line = student.labs[index]
        own = attempts.get(student.student, ())
        waiting = line.status == "not_graded" and bool(attempts)
        unmarked = line.status == "not_marked"
        if line.counted is not None or line.status == "not_judged" or waiting or unmarked:
            source = own[-1].source if own else ""
            yield Score(student.student, _points(line.counted), source, waiting, unmarked)


def total_scores(table: list[Student], course: Course) -> Scores:
    """Each student's total after the curve; who has none yet is left out."""
    each = (
        Score(student.student, _points(student.curved))
        for student in table
        if student.curved is not None
    )
    return Scores(course.name, _PERCENT, each)


def _points(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
