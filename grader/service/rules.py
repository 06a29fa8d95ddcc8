"""What the course's rules say when someone wants to hand in."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from grader.people.course.course import CourseLab
from grader.people.course.hand_in import Shows
from grader.people.course.local_time import days_after, instants
from grader.service.database import text_of
from grader.service.refused import Refused
from grader.service.service import Service

_LAB_SHOWS: dict[str, Shows] = {"verdict": "verdict", "case": "cases", "first_difference": "all"}
_LEAST_FIRST: tuple[Shows, ...] = ("verdict", "cases", "all")


@dataclass(frozen=True)
class LabRules:
    """The rules of a lab for one person, now."""

    deadline: datetime | None
    """With extensions; in time up to its last second, fractions included."""
    last_acceptance: datetime | None
    attempts_left: int | None
    """Of this day; None: no limit."""
    wait_until: datetime | None
    """When the next hand-in is accepted: after the pause, or tomorrow; None: now."""


def labs_of(service: Service) -> list[CourseLab]:
    """The labs that can be handed in, in the course's order."""
    return [lab for lab in service.course.labs if lab.name in service.labs]


def lab_of(service: Service, name: str) -> CourseLab:
    """A lab that can be handed in; Refused for others."""
    lab = service.course.lab(name)
    if lab and name in service.labs:
        return lab
    names = [lab.name for lab in labs_of(service)]
    raise Refused(
        404,
        f"This course has no lab {name!r}.",
        f"Choose one of {', '.join(names)}." if names else "Ask the course staff.",
    )


def team_of(service: Service, person: str, lab: CourseLab) -> str:
    """The group's name, or the person's own."""
    group = service.course.group_of(person, lab)
    return group.name if group else person


def is_after(at: datetime, end: datetime | None) -> bool:
    """Whether the last second of a deadline is over."""
    return end is not None and at.replace(microsecond=0) > end


def seconds_until(at: datetime | None, now: datetime) -> int:
    """Rounded up; 0 after it, and where there is no such time."""
    return 0 if at is None else max(0, -((now - at) // timedelta(seconds=1)))


def lab_rules(
    service: Service,
    person: str,
    lab: str,
    at: datetime | None = None,
) -> LabRules:
    """The rules at a time, or now; Refused if there is no such lab."""
    entry = lab_of(service, lab)
    at = at or service.now()
    attempts_left, wait_until = attempts(service, team_of(service, person, entry), lab, at)
    return LabRules(
        service.course.deadline(person, entry),
        last_acceptance(service, person, entry),
        attempts_left,
        wait_until,
    )


def last_acceptance(service: Service, person: str, lab: CourseLab) -> datetime | None:
    """Until when late work is accepted; None without a deadline."""
    course = service.course
    deadline = course.deadline(person, lab)
    return deadline and days_after(deadline, course.late.accept_days, course.zone)


def shows(service: Service, lab: str, *, late: bool) -> Shows:
    """How much is shown of hidden tests, before the deadline or after it."""
    asked = service.course.hand_in.shows_after if late else service.course.hand_in.shows_before
    return min(asked, _LAB_SHOWS[service.labs[lab].feedback.hidden], key=_LEAST_FIRST.index)


def shows_now(service: Service, person: str, lab: CourseLab) -> Shows:
    """What is shown of hidden tests to a person at this time."""
    late = is_after(service.now(), service.course.deadline(person, lab))
    return shows(service, lab.name, late=late)


def attempts(
    service: Service, team: str, lab: str, at: datetime
) -> tuple[int | None, datetime | None]:
    """Attempts left today, and when the next one is accepted."""
    asked, zone = service.course.hand_in, service.course.zone
    today = at.astimezone(zone).date()
    midnight, next_midnight = (
        instants(datetime.combine(day, time()), zone)[0]
        for day in (today, today + timedelta(days=1))
    )
    # A failure of the grader uses no attempt.
    query = (
        "SELECT COUNT(CASE WHEN received_at >= ? THEN 1 END), MAX(received_at)"
        " FROM submissions WHERE team = ? AND lab = ? AND state <> 'judge_error'"
    )
    values = text_of(midnight), team, lab
    count, last = service.connect().execute(query, values).fetchone()
    waits = []
    if last is not None and asked.pause_s and last <= text_of(at):
        waits.append(datetime.fromisoformat(last) + timedelta(seconds=asked.pause_s))
    left = None
    if asked.attempts_per_day is not None:
        left = max(0, asked.attempts_per_day - count)
        if not left:
            waits.append(next_midnight)
    wait_until = max(waits, default=at)
    return left, wait_until if wait_until > at else None
