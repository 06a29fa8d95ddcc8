"""How a class stands in one lab: its curve over time, and what counts for each student."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from grader.model.result import Result
from grader.people.course.term import Line, counting, student_in, students
from grader.service import queue
from grader.service.hand_ins import read_hand_ins
from grader.service.rules import team_of
from grader.service.service import Service


@dataclass(frozen=True)
class Point:
    """The class at an instant."""

    at: datetime
    submissions: int
    """Handed in so far."""
    full: int
    """Teams that have all automatic points so far."""


@dataclass(frozen=True)
class Row:
    """One student, or one who handed in and is not on the class list."""

    student: str
    team: str
    attempts: int
    """Of the team."""
    counted: str | None
    """Id of the submission that counts."""
    verdict: str | None
    points: float | None
    """Automatic ones of the counted submission."""
    line: Line
    """As in the term's table: percent with marks and penalties, late days, why."""


def curve(service: Service, lab: str) -> list[Point]:
    """A point for each submission, at the time it was handed in."""
    points: list[Point] = []
    full: set[str] = set()
    rows = service.connect().execute(
        "SELECT team, received_at, points, max_points FROM submissions WHERE lab = ?"
        " ORDER BY received_at, number",
        (lab,),
    )
    for count, row in enumerate(rows, 1):
        if row["points"] is not None and row["points"] >= row["max_points"]:
            full.add(row["team"])
        points.append(Point(datetime.fromisoformat(row["received_at"]), count, len(full)))
    return points


def thinned(points: list[Point], most: int) -> list[Point]:
    """About so many of the points, the first and the last among them."""
    step = -(-len(points) // most) or 1
    rest = points[:0:-1][::step][::-1]
    return points[:1] + rest


def table(service: Service, lab: str) -> list[Row]:
    """A row for each student of the course, by name."""
    course, now = service.course, service.now()
    hand_ins = read_hand_ins(service)
    entry = next(each for each in course.labs if each.name == lab)
    place = course.labs.index(entry)
    known = _facts(service, lab)
    attempts: dict[str, int] = {}
    for row in known.values():
        attempts[row["team"]] = attempts.get(row["team"], 0) + 1
    found = []
    for student in students(course, hand_ins):
        team = team_of(service, student, entry)
        chosen = counting(course, student, entry, hand_ins)
        line = student_in(course, student, hand_ins, now).labs[place]
        facts = known.get(chosen.source) if chosen else None
        found.append(
            Row(
                student,
                team,
                attempts.get(team, 0),
                chosen.source if chosen else None,
                facts["verdict"] if facts else None,
                facts["points"] if facts else None,
                line,
            )
        )
    return found


def _facts(service: Service, lab: str) -> dict[str, dict[str, Any]]:
    rows = service.connect().execute(
        "SELECT id, team, verdict, points FROM submissions WHERE lab = ?", (lab,)
    )
    return {row["id"]: dict(row) for row in rows}


def counted_results(service: Service, rows: list[Row]) -> Iterator[Result]:
    """The results of the submissions that count, one for each team."""
    for submission in dict.fromkeys(row.counted for row in rows if row.counted):
        query = "SELECT result FROM submissions WHERE id = ?"
        found = service.connect().execute(query, (submission,)).fetchone()
        if found["result"] is not None:
            yield Result.model_validate_json(found["result"])


def grade_class_again(service: Service, lab: str, by: str) -> list[str]:
    """Puts what counts for each team into the queue again; returns which submissions these are.

    Those in the queue already are left out.
    """
    waiting = {
        row["id"]
        for row in service.connect().execute(
            "SELECT id FROM submissions WHERE lab = ? AND state IN ('waiting', 'grading')", (lab,)
        )
    }
    counting = dict.fromkeys(row.counted for row in table(service, lab))
    chosen = [found for found in counting if found is not None and found not in waiting]
    for submission in chosen:
        queue.grade_again(service, submission, by)
    return chosen
