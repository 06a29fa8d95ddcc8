"""The term's table, from a course and its hand-ins: pure functions, no file and no clock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from grader.people.course.course import Course, CourseLab
from grader.people.course.lateness import Lateness, lateness, rounded
from grader.people.course.local_time import span_text, time_text

Status = Literal[
    "on_time", "late", "too_late", "nothing", "not_due", "not_judged", "not_graded", "not_marked"
]


@dataclass(frozen=True)
class HandIn:
    """One attempt at a lab."""

    score: Decimal | None
    """Percent; None if it was not judged."""
    at: datetime | None = None
    """None if unknown: then it counts as in time."""
    digest: str = ""
    """Equal for equal files of one attempt, as where each member of a group is listed."""
    source: str = ""
    """The file as it was found."""
    name: str = ""
    """The student's, where the platform's own key is a number."""
    waiting: bool = False
    """Found by a run of `grade` that ended before it was graded."""
    marked_late: bool = False
    """Whether the platform calls it late, by a time that is not known."""
    in_queue: bool = False
    """Waits at the service, which grades it without another command."""
    not_marked: tuple[str, ...] = ()
    """Items of the lab's rubric that have no points yet; `score` has 0 for them."""


HandIns = Mapping[str, Mapping[str, Sequence[HandIn]]]
"""By lab and by student or group, oldest first; a lab without results is not in it."""


@dataclass(frozen=True)
class Line:
    """One student's lab."""

    lab: str
    status: Status
    why: str
    raw: Decimal | None = None
    late_by_seconds: int = 0
    late_days_used: int = 0
    penalty: Decimal = Decimal(0)
    counted: Decimal | None = None
    """None: not counted in the total, neither for nor against the student."""
    dropped: bool = False
    published: Decimal | None = None
    time_known: bool = True
    """False where a deadline could not be applied, as no hand-in time is known."""
    source: str = ""
    """Of the hand-in that counts."""


@dataclass(frozen=True)
class Student:
    """One student's term."""

    student: str
    labs: list[Line]
    late_days_left: int
    total: Decimal | None
    curved: Decimal | None
    grade: str | None
    published_total: Decimal | None = None
    extra: list[str] = field(default_factory=list)
    """Points added to the total, in words."""
    name: str = ""
    """Where the platform's own key is a number."""


def term(course: Course, hand_ins: HandIns, now: datetime) -> list[Student]:
    """Every student's line, by name."""
    return [student_in(course, name, hand_ins, now) for name in students(course, hand_ins)]


def students(course: Course, hand_ins: HandIns) -> list[str]:
    """The class list, or everyone who handed in or is in a group."""
    if course.students:
        return sorted(set(course.students))
    groups = {group.name for group in course.groups}
    members = {name for group in course.groups for name in group.students}
    return sorted({who for lab in hand_ins.values() for who in lab} - groups | members)


def strangers(course: Course, hand_ins: HandIns) -> list[str]:
    """Names in results or extensions that belong to no student or group: often misspelt."""
    known = {*students(course, hand_ins), *(group.name for group in course.groups)}
    named = {who for lab in hand_ins.values() for who in lab}
    named |= {who for entry in course.extensions for who in entry.students}
    named |= {entry.student for entry in course.extra_points}
    return sorted(named - known)


def not_graded(hand_ins: HandIns) -> dict[str, list[str]]:
    """Lab -> whose hand-ins were found, but not graded."""
    found = {
        lab: [who for who, attempts in of_lab.items() if any(each.waiting for each in attempts)]
        for lab, of_lab in hand_ins.items()
    }
    return {lab: sorted(students) for lab, students in found.items() if students}


def in_queue(hand_ins: HandIns) -> dict[str, list[str]]:
    """Lab -> whose hand-ins wait at the service."""
    found = {
        lab: sorted(who for who, attempts in of_lab.items() if any(a.in_queue for a in attempts))
        for lab, of_lab in hand_ins.items()
    }
    return {lab: students for lab, students in found.items() if students}


def not_marked(table: list[Student]) -> dict[str, list[str]]:
    """Lab -> whose score waits for points of the rubric."""
    found: dict[str, list[str]] = {}
    for student in table:
        for line in student.labs:
            if line.status == "not_marked":
                found.setdefault(line.lab, []).append(student.student)
    return found


def student_in(course: Course, name: str, hand_ins: HandIns, now: datetime) -> Student:
    """One student's line."""
    free = course.late.free_days
    lines: dict[str, Line] = {}
    for lab in sorted(course.labs, key=lambda lab: _due(course, lab)):
        line = _line(course, name, lab, hand_ins, free, now)
        free -= line.late_days_used
        lines[lab.name] = _with_extra(course, name, line)
    ordered = _with_drops(course, [lines[lab.name] for lab in course.labs])
    extra = [e for e in course.extra_points if e.student == name and e.lab is None]
    total = _total(course, ordered, sum((e.points for e in extra), Decimal(0)))
    curved = curve(course.curve, total) if total is not None else None
    texts = [f"{e.points:+} points: {e.why}" for e in extra]
    named = (each.name for lab in hand_ins.values() for each in lab.get(name, ()) if each.name)
    grade = _grade(course, curved)
    return Student(name, ordered, free, total, curved, grade, extra=texts, name=next(named, ""))


def counting(course: Course, name: str, lab: CourseLab, hand_ins: HandIns) -> HandIn | None:
    """The hand-in that counts for a student in a lab, as in the table; None if none is accepted."""
    free = course.late.free_days
    for entry in sorted(course.labs, key=lambda entry: _due(course, entry)):
        attempts = _attempts(course, name, entry, hand_ins) if entry.name in hand_ins else []
        judged = _judged(course, attempts, course.deadline(name, entry), free)
        accepted = [pair for pair in judged if pair[1].accepted]
        attempt, late = _counting(entry, accepted) if accepted else (None, Lateness())
        if entry.name == lab.name:
            return attempt
        if attempt is not None and attempt.score is not None:
            free -= late.free_days
    return None


def _due(course: Course, lab: CourseLab) -> datetime:
    return course.instant(lab.deadline) if lab.deadline else datetime.max.replace(tzinfo=UTC)


def _line(
    course: Course, name: str, lab: CourseLab, hand_ins: HandIns, free: int, now: datetime
) -> Line:
    if lab.name not in hand_ins:
        return Line(lab.name, "not_graded", "Not graded yet; not counted.")
    deadline = course.deadline(name, lab)
    attempts = _attempts(course, name, lab, hand_ins)
    if not attempts:
        if deadline and now <= deadline:
            due = time_text(deadline, course.zone)
            return Line(lab.name, "not_due", f"Nothing handed in, due {due}; not counted yet.")
        return Line(lab.name, "nothing", "Nothing handed in: 0.", counted=Decimal(0))
    judged = _judged(course, attempts, deadline, free)
    accepted = [pair for pair in judged if pair[1].accepted]
    if not accepted:
        late = judged[-1][1]
        why = f"Handed in {span_text(late.seconds)} late, after the last acceptance: 0."
        return Line(
            lab.name,
            "too_late",
            why,
            judged[-1][0].score,
            late.seconds,
            0,
            judged[-1][0].score or Decimal(0),
            Decimal(0),
        )
    return _chosen(course, lab, name, accepted, free)


def _attempts(course: Course, name: str, lab: CourseLab, hand_ins: HandIns) -> list[HandIn]:
    """Also those under the names of the group and its members, each file once, oldest first."""
    group = course.group_of(name, lab)
    names = [name] if group is None else [group.name, *group.students]
    found: list[HandIn] = []
    for attempt in (attempt for who in names for attempt in hand_ins[lab.name].get(who, ())):
        if not attempt.digest or attempt.digest not in {other.digest for other in found}:
            found.append(attempt)
    if all(attempt.at for attempt in found):
        found.sort(key=lambda attempt: attempt.at or datetime.max.replace(tzinfo=UTC))
    return found


def _judged(
    course: Course, attempts: Sequence[HandIn], deadline: datetime | None, free: int
) -> list[tuple[HandIn, Lateness]]:
    return [(attempt, _judge(course, attempt, deadline, free)) for attempt in attempts]


def _judge(course: Course, attempt: HandIn, deadline: datetime | None, free: int) -> Lateness:
    if deadline is None or attempt.at is None:
        return Lateness()
    # What is not judged yet may still be too late.
    score = attempt.score if attempt.score is not None else Decimal(0)
    return lateness(score, attempt.at, deadline, course.late, free, course.zone)


def _counting(
    lab: CourseLab, accepted: Sequence[tuple[HandIn, Lateness]]
) -> tuple[HandIn, Lateness]:
    """The one of several that counts."""

    def worth(pair: tuple[HandIn, Lateness]) -> tuple[Decimal, int]:
        attempt, late = pair
        score = Decimal(-1) if attempt.score is None else attempt.score - late.points
        return score, -late.free_days

    return accepted[-1] if lab.counts == "last" else max(accepted, key=worth)


def _chosen(
    course: Course, lab: CourseLab, name: str, accepted: list[tuple[HandIn, Lateness]], free: int
) -> Line:
    attempt, late = _counting(lab, accepted)
    if attempt.waiting:
        why = "Found, but not graded yet; not counted: run the same `grade` command again."
        return Line(lab.name, "not_graded", why)
    if attempt.in_queue:
        return Line(lab.name, "not_graded", "In the service's queue; not counted yet.")
    if attempt.not_marked:
        items = ", ".join(attempt.not_marked)
        why = f"No marks yet for {items}; not counted."
        return Line(lab.name, "not_marked", why, late_days_used=late.free_days)
    if attempt.score is None:
        return Line(lab.name, "not_judged", "Not judged yet; not counted: grade it again.")
    counted = rounded(max(Decimal(0), attempt.score - late.points))
    several = f"The {lab.counts} of {len(accepted)} hand-ins. " if len(accepted) > 1 else ""
    group = course.group_of(name, lab)
    with_group = f"Group {group.name}. " if group else ""
    why = with_group + several + _why(course, attempt, late, free, counted)
    is_late = late.seconds or (attempt.at is None and attempt.marked_late)
    return Line(
        lab.name,
        "late" if is_late else "on_time",
        why,
        attempt.score,
        late.seconds,
        late.free_days,
        late.points,
        counted,
        time_known=attempt.at is not None or course.deadline(name, lab) is None,
        source=attempt.source,
    )


def _why(course: Course, attempt: HandIn, late: Lateness, free: int, counted: Decimal) -> str:
    if attempt.at is None and attempt.marked_late:
        return (
            "Marked LATE in the download, but not how late; counted without a penalty: "
            f"{counted}. Write the time to handed_in.csv."
        )
    if attempt.at is None:
        return f"No hand-in time known, counted as in time: {counted}."
    when = f"Handed in {time_text(attempt.at, course.zone)}, "
    if not late.seconds:
        return f"{when}in time: {counted}."
    text = f"{when}{span_text(late.seconds)} late"
    if late.free_days:
        text += f"; {late.free_days} of {free} free late days used"
    if late.units and late.percent:
        text += f"; {late.units} {course.late.per}(s) begun cost {late.percent} % of the "
        text += course.late.of
    return f"{text}: {attempt.score} - {late.points} = {counted}."


def _with_extra(course: Course, name: str, line: Line) -> Line:
    for entry in course.extra_points:
        if entry.student == name and entry.lab == line.lab and line.counted is not None:
            counted = rounded(max(Decimal(0), line.counted + entry.points))
            why = f"{line.why} {entry.points:+} points: {entry.why}; {counted}."
            line = replace(line, counted=counted, why=why)
    return line


def _with_drops(course: Course, lines: list[Line]) -> list[Line]:
    """Drops the lowest scores of labs without extra credit, and always leaves one."""
    extra = {lab.name for lab in course.labs if lab.extra_credit}
    regular = [line for line in lines if line.counted is not None and line.lab not in extra]
    lowest = sorted(regular, key=lambda line: line.counted or Decimal(0))
    names = {line.lab for line in lowest[: min(course.drop_lowest, max(0, len(regular) - 1))]}
    note = f"Dropped: among the lowest {course.drop_lowest}."
    return [
        replace(line, dropped=True, why=f"{line.why} {note}") if line.lab in names else line
        for line in lines
    ]


def _total(course: Course, lines: list[Line], points: Decimal) -> Decimal | None:
    """The weighted mean of what counts; None before there is any."""
    earned = weights = Decimal(0)
    for lab, line in zip(course.labs, lines, strict=True):
        if line.counted is not None and not line.dropped:
            earned += lab.weight * line.counted
            weights += Decimal(0) if lab.extra_credit else lab.weight
    return rounded(max(Decimal(0), earned / weights + points)) if weights else None


def curve(points: list[tuple[Decimal, Decimal]], total: Decimal) -> Decimal:
    """Linear between the points, constant beyond the first and the last; no points: unchanged."""
    if not points:
        return total
    for (x, y), (next_x, next_y) in pairwise(points):
        if x <= total < next_x:
            return rounded(y + (next_y - y) * (total - x) / (next_x - x))
    return rounded(points[0][1] if total < points[0][0] else points[-1][1])


def _grade(course: Course, total: Decimal | None) -> str | None:
    """The grade with the highest threshold that the rounded total reaches."""
    if total is None:
        return None
    reached = [(least, grade) for grade, least in course.grades.items() if least <= total]
    return max(reached)[1] if reached else None
