"""Handing in: a submission that fits the rules is on disk when its receipt is given."""

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from pathlib import Path, PurePosixPath
from typing import Literal

from grader.judging.collect.submission import Found, settle
from grader.judging.collect.tree import Entry, Kind, OneText
from grader.model.kind import BESIDE, kind_of
from grader.model.kind import lab_of as folder_of
from grader.model.result import Result
from grader.people.course.course import CourseLab
from grader.people.course.local_time import time_text
from grader.service import people, queue
from grader.service.database import time_of
from grader.service.people import Person
from grader.service.refused import Refused, no_such_submission
from grader.service.rules import attempts, is_after, lab_of, last_acceptance, team_of
from grader.service.service import Change, Service

__all__ = ["Receipt", "Refused", "Submission", "hand_in", "submission", "submissions_of"]

State = Literal["waiting", "grading", "graded", "judge_error"]

_MOST_WAITING = 100
"""Submissions of a team in the queue: it fills the disk no faster than it is graded."""
_LONGEST_NAME = 200


@dataclass(frozen=True)
class Receipt:
    """The promise that a submission is kept and will be graded."""

    id: str
    lab: str
    person: str
    team: str
    digest: str
    """SHA-256 of the file."""
    received_at: datetime
    is_new: bool
    """False where the same request came before: it was carried out once."""
    late: bool


@dataclass(frozen=True)
class Submission:
    """What the database knows of a submission, but for the file and its result."""

    number: int
    id: str
    person: str
    team: str
    lab: str
    digest: str
    received_at: datetime
    file_name: str
    same_as: int | None
    """Number of the team's earliest submission of the same file, whose verdict this one gets."""
    state: State
    phase: str | None
    started_at: datetime | None
    ended_at: datetime | None
    tries: int
    verdict: str | None
    points: float | None
    max_points: float | None

    @property
    def is_done(self) -> bool:
        """Whether its state is the last one, unless staff let it be graded again."""
        return self.state in ("graded", "judge_error")


_COLUMNS = ", ".join(Submission.__dataclass_fields__)


def hand_in(
    service: Service, person: str, lab: str, content: bytes, file_name: str, client_key: str
) -> Receipt:
    """Hands a file in for a person's team.

    The same `client_key` of a person hands in once: asked again, it answers as before. Refused if
    the course's rules do not allow it, or the database cannot be written; then nothing is kept.
    """
    entry = lab_of(service, lab)
    _require_member(service, person)
    if beside := BESIDE.get(kind_of(lab)):
        content = _joined(service, entry, team_of(service, person, entry), content, beside)
    _require_file(service, lab, content)
    digest = hashlib.sha256(content).hexdigest()
    name = _plain_name(file_name) or service.labs[lab].file
    with service.change() as change:
        before = change.database.execute(
            "SELECT * FROM submissions WHERE person = ? AND client_key = ?", (person, client_key)
        ).fetchone()
        if before is not None:
            return _same_again(service, before, lab, digest)
        team = team_of(service, person, entry)
        _require_in_time(service, change, person, entry, team)
        row = _insert(change, person, team, lab, digest, content, name, client_key)
    return _receipt(service, row, is_new=True)


def _require_member(service: Service, person: str) -> None:
    if people.person(service, person) is None:
        raise Refused(
            403,
            "You are not on this course's list.",
            "Ask the course staff to add you.",
        )


def _joined(
    service: Service, lab: CourseLab, team: str, archive: bytes, beside: Sequence[str]
) -> bytes:
    """The one text that the files in an archive become; see several.py."""
    file = service.labs[lab.name].file
    entry = Entry((f"{lab.name}.zip",), Kind.FILE, len(archive))
    found = Found(team, entry.name, ((entry.name, entry),))
    limit = service.labs[lab.name].limits.source_kb << 10
    made = settle(found, OneText(Path(), archive), file, folder_of(lab.name), limit, beside)
    if made.problem:
        names = " and ".join([file, *beside])
        raise Refused(400, made.problem.text, f"Hand in a zip archive of {names}.")
    return made.read()


def _require_file(service: Service, lab: str, content: bytes) -> None:
    limit = service.labs[lab].limits.source_kb
    if len(content) > limit * 1024:
        raise Refused(
            413,
            f"The file has {len(content)} bytes; {lab} accepts at most {limit} KiB.",
            f"Hand in {service.labs[lab].file} alone, without data in it.",
        )
    if not content:
        raise Refused(400, "The file is empty.", f"Save {service.labs[lab].file}, then try again.")
    if b"\0" in content:
        raise Refused(
            400, "The file is no text: it has bytes of 0.", "Save it as UTF-8, then try again."
        )


def _plain_name(file_name: str) -> str:
    """The name without folders and unprintable characters."""
    name = PurePosixPath(file_name.replace("\\", "/")).name
    seen = "".join(char for char in name if char.isprintable())[:_LONGEST_NAME]
    return seen if seen.strip(". ") else ""


def _same_again(service: Service, before: sqlite3.Row, lab: str, digest: str) -> Receipt:
    if (before["lab"], before["digest"]) != (lab, digest):
        raise Refused(
            409,
            "This request was made before, with another file or lab.",
            "Hand in again with a new Idempotency-Key.",
        )
    return _receipt(service, before, is_new=False)


def _require_in_time(
    service: Service, change: Change, person: str, lab: CourseLab, team: str
) -> None:
    zone = service.course.zone
    end = last_acceptance(service, person, lab)
    if end is not None and is_after(change.at, end):
        raise Refused(
            403,
            f"{lab.name} was accepted until {time_text(end, zone)}.",
            "If you have a reason, ask the course staff for an extension.",
        )
    left, wait_until = attempts(service, team, lab.name, change.at)
    if wait_until is not None:
        why = "no attempt is left today" if left == 0 else "the last one was just now"
        raise Refused(
            429,
            f"You can hand in {lab.name} again at {time_text(wait_until, zone)}: {why}.",
            "Until then, test on your own machine.",
            max(1, ceil((wait_until - change.at).total_seconds())),
        )
    waiting = change.database.execute(
        "SELECT COUNT(*) FROM submissions WHERE state = 'waiting' AND team = ?", (team,)
    ).fetchone()[0]
    if waiting >= _MOST_WAITING:
        raise Refused(
            429,
            f"{waiting} of your submissions are waiting to be graded.",
            "Wait for the first of them.",
            60,
        )


def _insert(
    change: Change,
    person: str,
    team: str,
    lab: str,
    digest: str,
    content: bytes,
    file_name: str,
    client_key: str,
) -> sqlite3.Row:
    execute = change.database.execute
    execute("INSERT INTO texts VALUES (?, ?) ON CONFLICT DO NOTHING", (digest, content))
    same_as = execute(
        "SELECT MIN(number) FROM submissions WHERE team = ? AND lab = ? AND digest = ?",
        (team, lab, digest),
    ).fetchone()[0]
    row: sqlite3.Row = execute(
        "INSERT INTO submissions (id, person, team, lab, digest, received_at, client_key,"
        " file_name, same_as, round, state)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting') RETURNING *",
        (
            people.secret(),
            person,
            team,
            lab,
            digest,
            change.at_text,
            client_key,
            file_name,
            same_as,
            queue.next_round(change, team),
        ),
    ).fetchone()
    change.log(person, "handed in", row["id"], f"{lab} {digest[:12]}")
    return row


def _receipt(service: Service, row: sqlite3.Row, *, is_new: bool) -> Receipt:
    received = datetime.fromisoformat(row["received_at"])
    deadline = service.course.deadline(row["person"], lab_of(service, row["lab"]))
    late = is_after(received, deadline)
    kept = {name: row[name] for name in ("id", "lab", "person", "team", "digest")}
    return Receipt(**kept, received_at=received, is_new=is_new, late=late)


def submissions_of(service: Service, person: str, lab: str | None = None) -> list[Submission]:
    """Those of a person's teams, newest first: of one lab, or of all."""
    rows: list[sqlite3.Row] = []
    for entry in service.course.labs:
        if lab is None or entry.name == lab:
            rows += service.connect().execute(
                f"SELECT {_COLUMNS} FROM submissions"  # noqa: S608
                " WHERE +lab = ? AND (team = ? OR person = ?)",  # by the indexes of the two
                (entry.name, team_of(service, person, entry), person),
            )
    return sorted((_submission(row) for row in rows), key=lambda each: -each.number)


def submission(service: Service, submission_id: str, viewer: Person) -> Submission:
    """A submission that the viewer may see; others are answered as if they were not there."""
    query = f"SELECT {_COLUMNS} FROM submissions WHERE id = ?"  # noqa: S608
    row = service.connect().execute(query, (submission_id,)).fetchone()
    if row is None or not _may_see(service, viewer, row):
        raise no_such_submission()
    return _submission(row)


def _may_see(service: Service, viewer: Person, row: sqlite3.Row) -> bool:
    if viewer.is_staff or viewer.name == row["person"]:
        return True
    lab = service.course.lab(row["lab"])
    return lab is not None and team_of(service, viewer.name, lab) == row["team"]


def same_text_by_others(service: Service, submission: Submission) -> list[Submission]:
    """Other teams' first submissions of the same text to the lab, oldest first: for staff."""
    rows = service.connect().execute(
        f"SELECT {_COLUMNS} FROM submissions"  # noqa: S608
        " WHERE lab = ? AND digest = ? AND team <> ? AND same_as IS NULL ORDER BY number",
        (submission.lab, submission.digest, submission.team),
    )
    return [_submission(row) for row in rows]


def text_of(service: Service, submission: Submission) -> bytes:
    """The file that was handed in."""
    query = "SELECT content FROM texts WHERE digest = ?"
    row = service.connect().execute(query, (submission.digest,)).fetchone()
    return bytes(row["content"])


def result_of(service: Service, submission: Submission) -> Result | None:
    """None while it is not graded."""
    query = "SELECT result FROM submissions WHERE number = ?"
    row = service.connect().execute(query, (submission.number,)).fetchone()
    return None if row["result"] is None else Result.model_validate_json(row["result"])


def _submission(row: sqlite3.Row) -> Submission:
    values = dict(row)
    for name in ("received_at", "started_at", "ended_at"):
        values[name] = time_of(values[name])
    return Submission(**values)
