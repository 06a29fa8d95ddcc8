"""What staff see at a glance: the queue, the graders, and signs of trouble."""

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta

from grader.service import queue
from grader.service.database import text_of
from grader.service.estimates import SILENT_AFTER
from grader.service.service import Service

SHOWN = 50
"""Waiting submissions that are listed; all are counted."""
_LEAST_FREE = 1 << 30
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Waiting:
    """A submission in the queue, or one that is being graded."""

    id: str
    person: str
    team: str
    lab: str
    state: str
    phase: str | None
    received_at: datetime
    position: int | None
    estimate_s: float | None


@dataclass(frozen=True)
class Grader:
    """One slot of the grading process."""

    slot: int
    pid: int
    submission: str | None
    """Its id; None while it has nothing to do."""
    lab: str | None
    since: datetime
    is_silent: bool


@dataclass(frozen=True)
class Sign:
    """Something that staff should look at, and the next step."""

    what: str
    next: str


@dataclass(frozen=True)
class Overview:
    """The official run, now."""

    waiting: int
    grading: int
    queue: list[Waiting]
    """First those that are graded, then those that wait, in their order: at most SHOWN."""
    graders: list[Grader]
    not_judged: list[Waiting]
    """Submissions with a judge error, newest first."""
    signs: list[Sign]


def overview(service: Service) -> Overview:
    counts = {
        row["state"]: row["number"]
        for row in service.connect().execute(
            "SELECT state, COUNT(*) AS number FROM submissions GROUP BY state"
        )
    }
    graders = _graders(service)
    return Overview(
        counts.get("waiting", 0),
        counts.get("grading", 0),
        _queue(service),
        graders,
        _not_judged(service),
        _signs(service, graders, counts.get("judge_error", 0), counts.get("waiting", 0)),
    )


def _queue(service: Service) -> list[Waiting]:
    return _listed(service, "state IN ('grading', 'waiting') ORDER BY state, round, again, number")


def _not_judged(service: Service) -> list[Waiting]:
    return _listed(service, "state = 'judge_error' ORDER BY number DESC")


def _listed(service: Service, condition: str) -> list[Waiting]:
    query = (
        "SELECT id, person, team, lab, state, phase, received_at FROM submissions"  # noqa: S608
        f" WHERE {condition} LIMIT ?"
    )
    rows = service.connect().execute(query, (SHOWN,)).fetchall()
    places = queue.places(service) if rows else {}
    found = []
    for row in rows:
        place = places.get(row["id"])
        values = {**dict(row), "received_at": datetime.fromisoformat(row["received_at"])}
        position, estimate = (place.position, place.estimate_s) if place else (None, None)
        found.append(Waiting(**values, position=position, estimate_s=estimate))
    return found


def _graders(service: Service) -> list[Grader]:
    now = service.now()
    rows = service.connect().execute(
        "SELECT slot, pid, since, heartbeat, id, lab FROM graders"
        " LEFT JOIN submissions ON graders.submission = submissions.number ORDER BY slot"
    )
    return [
        Grader(
            row["slot"],
            row["pid"],
            row["id"],
            row["lab"],
            datetime.fromisoformat(row["since"]),
            now - datetime.fromisoformat(row["heartbeat"]) > SILENT_AFTER,
        )
        for row in rows
    ]


def _signs(service: Service, graders: list[Grader], errors: int, waiting: int) -> list[Sign]:
    signs = []
    if problem := service.course_problem:
        signs.append(
            Sign(f"Changes of course.toml do not count: {problem.problem}", problem.next_step)
        )
    if missing := [lab.name for lab in service.course.labs if lab.name not in service.labs]:
        what = f"Nobody can hand in {', '.join(missing)}: the service has no kit of it."
        signs.append(Sign(what, "If it is a lab of the workspace, start the service again."))
    if errors:
        what = f"{_many(errors)} could not be judged, which is the grader's fault."
        signs.append(Sign(what, "See what the grader says of them below, then grade them again."))
    if waiting and all(grader.is_silent for grader in graders):
        what = f"{_many(waiting)} wait, and no grader shows a sign of life."
        signs.append(Sign(what, "Read the service's own log, then start it again."))
    if restarts := _restarts(service):
        what = f"The grading process was started again within a day: {restarts}."
        signs.append(Sign(what, "Read the service's own log and the machine's for the reason."))
    usage = shutil.disk_usage(service.data)
    if usage.free < _LEAST_FREE:
        what = f"{usage.free >> 20} MiB are free on the disk of {service.data}."
        signs.append(Sign(what, "Free some space: without it nothing can be handed in."))
    return signs


def _many(count: int) -> str:
    return f"{count} submission{'' if count == 1 else 's'}"


def _restarts(service: Service) -> int:
    query = "SELECT COUNT(*) FROM log WHERE what = 'grading died' AND at >= ?"
    since = text_of(service.now() - _DAY)
    return int(service.connect().execute(query, (since,)).fetchone()[0])
