"""What was handed in to the service, as the term's table reads it."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from sqlite3 import Row

from grader.people.course.course import Course, CourseLab
from grader.people.course.lateness import rounded
from grader.people.course.term import HandIn, HandIns, Student, student_in
from grader.service.database import require
from grader.service.marks import points_of_class, rubric_of
from grader.service.rules import team_of
from grader.service.service import Service

_ROWS = (
    "SELECT number, id, person, lab, received_at, verdict, points, max_points, state"
    " FROM submissions"
)
Marks = Mapping[str, Mapping[str, Decimal]]
"""Team -> item -> points."""


def folder_of(course: Course, path: Path, data: Path | None) -> Path | None:
    """`data`, or else the folder that course.toml names; None without both."""
    named = course.hand_in.data
    return data or (None if named is None else path.parent / named)


def with_service(course: Course, path: Path, data: Path | None, others: HandIns) -> HandIns:
    """Adds what was handed in to the service in `data`, or in the folder that course.toml names.

    Without both, `others` alone. GraderError if no service has run there.
    """
    folder = folder_of(course, path, data)
    if folder is None:
        return others
    require(folder)
    merged = {lab: dict(students) for lab, students in others.items()}
    for lab, students in read_hand_ins(Service(course, path, folder, {})).items():
        of_lab = merged.setdefault(lab, {})
        for student, attempts in students.items():
            of_lab[student] = [*of_lab.get(student, ()), *attempts]
    return merged


def read_hand_ins(service: Service) -> dict[str, dict[str, list[HandIn]]]:
    """Every hand-in by lab and person, oldest first; labs without one are left out.

    A hand-in's `source` is the submission's id.
    """
    return _by_lab(service, service.connect().execute(f"{_ROWS} ORDER BY number").fetchall())


def term_so_far(service: Service, person: str, at: datetime) -> Student:
    """A person's line of the term's table, from what their teams handed in to the service."""
    return student_in(service.course, person, of_teams(service, person), at)


def of_teams(service: Service, person: str) -> dict[str, dict[str, list[HandIn]]]:
    """What a person's teams handed in, for every lab of the course."""
    rows: list[Row] = []
    for lab in service.course.labs:
        values = lab.name, team_of(service, person, lab)
        rows += service.connect().execute(f"{_ROWS} WHERE lab = ? AND team = ?", values)
    rows.sort(key=lambda row: int(row["number"]))
    return {lab.name: {} for lab in service.course.labs} | _by_lab(service, rows)


def _by_lab(service: Service, rows: Iterable[Row]) -> dict[str, dict[str, list[HandIn]]]:
    found: dict[str, dict[str, list[HandIn]]] = {}
    marks = {lab.name: points_of_class(service, lab.name) for lab in service.course.labs}
    labs = {lab.name: lab for lab in service.course.labs}
    for row in rows:
        if lab := labs.get(row["lab"]):
            of_lab = found.setdefault(lab.name, {})
            made = _hand_in(service, row, lab, marks[lab.name])
            of_lab.setdefault(row["person"], []).append(made)
    return found


def _hand_in(service: Service, row: Row, lab: CourseLab, marks: Marks) -> HandIn:
    at = datetime.fromisoformat(row["received_at"])
    if row["points"] is None:
        is_waiting = row["state"] in ("waiting", "grading")
        return HandIn(None, at, row["id"], row["id"], in_queue=is_waiting)
    given = marks.get(team_of(service, row["person"], lab), {})
    score = percent(service.course, lab.name, row["points"], row["max_points"], given)
    items = [entry.item for entry in rubric_of(service.course, lab.name)]
    missing = tuple(item for item in items if item not in given)
    return HandIn(score, at, row["id"], row["id"], not_marked=missing)


def percent(
    course: Course, lab: str, points: float, max_points: float, given: Mapping[str, Decimal]
) -> Decimal:
    """The score of a submission: automatic points and marks, in percent of both maxima together."""
    rubric = rubric_of(course, lab)
    marks = (given.get(entry.item, Decimal(0)) for entry in rubric)
    earned = Decimal(repr(points)) + sum(marks, Decimal(0))
    most = Decimal(repr(max_points)) + sum((entry.points for entry in rubric), Decimal(0))
    return rounded(earned * 100 / most)
