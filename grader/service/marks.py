"""Points of a human marker, by the rubric of course.toml, beside the automatic ones.

A team is marked once for a lab, whichever of its submissions counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation

from grader.people.course.course import Course
from grader.people.course.hand_in import Rubric
from grader.service.refused import Refused
from grader.service.service import Change, Service

_CENT = Decimal("0.01")
_LONGEST_COMMENT = 4000


@dataclass(frozen=True)
class Mark:
    """One item of the rubric, and what a team got for it."""

    item: str
    text: str
    """What the item asks for."""
    max_points: Decimal
    points: Decimal | None = None
    """None: not marked yet."""
    comment: str = ""
    by: str = ""
    at: datetime | None = None


@dataclass(frozen=True)
class Given:
    """What a marker writes for one item."""

    points: str
    """A number with at most two decimals; empty takes the mark back."""
    comment: str = ""


def rubric_of(course: Course, lab: str) -> list[Rubric]:
    return [entry for entry in course.rubric if entry.lab == lab]


def marks_of(service: Service, lab: str, team: str) -> list[Mark]:
    """All items of the lab's rubric, in its order."""
    rows = service.connect().execute("SELECT * FROM marks WHERE lab = ? AND team = ?", (lab, team))
    given = {row["item"]: row for row in rows}
    return [_mark(entry, given.get(entry.item)) for entry in rubric_of(service.course, lab)]


def _mark(entry: Rubric, row: Mapping[str, object] | None) -> Mark:
    if row is None:
        return Mark(entry.item, entry.text, entry.points)
    at = datetime.fromisoformat(str(row["at"]))
    points = Decimal(str(row["points"])).quantize(_CENT)
    comment, by = str(row["comment"]), str(row["by"])
    return Mark(entry.item, entry.text, entry.points, points, comment, by, at)


def for_student(service: Service, lab: str, team: str) -> list[Mark]:
    """The marks once they are complete: a student does not watch a marker at work."""
    marks = marks_of(service, lab, team)
    return marks if all(mark.points is not None for mark in marks) else []


def points_of_class(service: Service, lab: str) -> dict[str, dict[str, Decimal]]:
    """Team -> item -> points, of the items that the rubric has now."""
    items = {entry.item for entry in rubric_of(service.course, lab)}
    found: dict[str, dict[str, Decimal]] = {}
    for row in service.connect().execute("SELECT * FROM marks WHERE lab = ?", (lab,)):
        if row["item"] in items:
            points = Decimal(str(row["points"])).quantize(_CENT)
            found.setdefault(row["team"], {})[row["item"]] = points
    return found


def give(service: Service, lab: str, team: str, given: Mapping[str, Given], by: str) -> int:
    """Stores all of these marks or, with a Refused, none; returns how many of them are new."""
    rubric = {entry.item: entry for entry in rubric_of(service.course, lab)}
    if not rubric:
        raise Refused(
            404, f"{lab} has no rubric in course.toml.", "Add [[rubric]] tables for it there."
        )
    _require_known(service, lab, team)
    wanted = {item: _checked(rubric, item, each) for item, each in given.items()}
    old = {mark.item: mark for mark in marks_of(service, lab, team)}
    changed = 0
    with service.change() as change:
        for item, (points, comment) in wanted.items():
            if (old[item].points, old[item].comment) != (points, comment):
                _write(change, lab, team, item, points, comment, by)
                changed += 1
    return changed


def _write(
    change: Change, lab: str, team: str, item: str, points: Decimal | None, comment: str, by: str
) -> None:
    if points is None:
        change.database.execute(
            "DELETE FROM marks WHERE lab = ? AND team = ? AND item = ?", (lab, team, item)
        )
    else:
        change.database.execute(
            "INSERT OR REPLACE INTO marks (lab, team, item, points, comment, by, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (lab, team, item, float(points), comment, by, change.at_text),
        )
    shown = "taken back" if points is None else f"{points} points"
    change.log(by, "marked", team, f"{lab}, {item}: {shown}")


def _checked(rubric: Mapping[str, Rubric], item: str, given: Given) -> tuple[Decimal | None, str]:
    if item not in rubric:
        raise Refused(
            404, f"The rubric has no item {item!r}.", f"Choose one of {', '.join(rubric)}."
        )
    if len(given.comment) > _LONGEST_COMMENT:
        raise Refused(
            400, f"The comment on {item} is longer than {_LONGEST_COMMENT} characters.", "Cut it."
        )
    comment = given.comment.replace("\r\n", "\n").strip()
    text = given.points.strip().replace(",", ".")
    if not text:
        if comment:
            raise Refused(400, f"{item} has a comment but no points.", "Give it points, too.")
        return None, ""
    most = rubric[item].points
    try:
        points = Decimal(text)
        fits = points.is_finite() and 0 <= points <= most and points == points.quantize(_CENT)
    except InvalidOperation:
        fits = False
    if not fits:
        raise Refused(
            400,
            f"{given.points.strip()[:40]!r} are no points for {item}.",
            f"Write a number from 0 to {most:f}, with at most two decimals.",
        )
    return points.quantize(_CENT), comment


def _require_known(service: Service, lab: str, team: str) -> None:
    """Refused for a misspelt name: its marks would count for nobody."""
    course = service.course
    entry, known = course.lab(lab), {*course.students}
    if entry is not None:
        groups = course.groups_of(entry)
        known |= {group.name for group in groups}
        known -= {student for group in groups for student in group.students}
    rows = service.connect().execute("SELECT DISTINCT team FROM submissions WHERE lab = ?", (lab,))
    if team not in known | {row["team"] for row in rows}:
        raise Refused(
            404,
            f"{team!r} is no student or group of {lab}.",
            "Check the spelling; a group is marked under its own name.",
        )
