"""Students' requests to look at the points of a part again, and staff's answers."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from grader.service import desk
from grader.service.database import time_of
from grader.service.people import Person
from grader.service.refused import Refused, not_graded_yet
from grader.service.service import Service

WHOLE = ""
"""The part of a request about the whole file."""
_LONGEST = 4000
_MOST_OPEN = 20
"""Of a team, without an answer: staff read them all on one page."""
_JOINED = """
SELECT requests.*, submissions.id AS submission_id, submissions.lab AS lab,
       submissions.person AS person
FROM requests JOIN submissions ON requests.submission = submissions.number
"""


@dataclass(frozen=True)
class Request:
    """One request; `answer` is None while it is open."""

    id: int
    submission_id: str
    lab: str
    person: str
    """Who handed in."""
    part: str
    text: str
    made_at: datetime
    answer: str | None
    answered_by: str | None
    answered_at: datetime | None


def ask(
    service: Service, who: Person, submission: str, part: str, text: str, parts: Sequence[str]
) -> None:
    """Writes a request on one of `parts`, or on the whole file, of a submission of one's own.

    Refused if there is no such submission, if it is not graded, or if the part has an open request.
    """
    row = desk.submission(service, submission, who)
    if row.state != "graded":
        raise not_graded_yet()
    if part != WHOLE and part not in parts:
        raise Refused(404, f"This lab has no part {part[:80]!r}.", "Choose one of the parts.")
    text = _text(text, "Your request", "Say what should be looked at, and why.")
    with service.change() as change:
        is_open = change.database.execute(
            "SELECT 1 FROM requests WHERE submission = ? AND part = ? AND answer IS NULL",
            (row.number, part),
        ).fetchone()
        if is_open:
            raise Refused(
                409, "You have asked about this part already.", "Wait for the answer of the staff."
            )
        waiting = change.database.execute(
            "SELECT COUNT(*) FROM requests JOIN submissions ON submission = number"
            " WHERE team = ? AND answer IS NULL",
            (row.team,),
        ).fetchone()[0]
        if waiting >= _MOST_OPEN:
            raise Refused(
                429, f"{waiting} of your requests have no answer yet.", "Wait for the first."
            )
        change.database.execute(
            "INSERT INTO requests (submission, part, text, made_at) VALUES (?, ?, ?, ?)",
            (row.number, part, text, change.at_text),
        )
        change.log(who.name, "request", submission, part or "the whole file")


def answer(service: Service, request: int, text: str, by: str) -> Request:
    """Answers an open request; Refused if there is none with this number."""
    text = _text(text, "The answer", "Write what the student should know.")
    with service.change() as change:
        found = change.database.execute(
            "UPDATE requests SET answer = ?, answered_by = ?, answered_at = ?"
            " WHERE id = ? AND answer IS NULL RETURNING submission",
            (text, by, change.at_text, request),
        ).fetchone()
        if found is None:
            raise Refused(
                404, f"There is no open request {request}.", "See the list of open requests."
            )
        answered = _read(change.database, "WHERE requests.id = ?", request)[0]
        change.log(by, "request answered", answered.submission_id, f"request {request}")
    return answered


def open_requests(service: Service) -> list[Request]:
    """Those without an answer, the oldest first."""
    return _read(service.connect(), "WHERE answer IS NULL ORDER BY requests.id")


def requests_of(service: Service, submission: str) -> list[Request]:
    """All requests about a submission, the oldest first."""
    return _read(service.connect(), "WHERE submissions.id = ? ORDER BY requests.id", submission)


def answered_last(service: Service, most: int = 50) -> list[Request]:
    """Those with an answer, the latest answer first."""
    return _read(
        service.connect(), "WHERE answer IS NOT NULL ORDER BY answered_at DESC LIMIT ?", most
    )


def _read(database: sqlite3.Connection, condition: str, *values: object) -> list[Request]:
    return [_request(row) for row in database.execute(f"{_JOINED} {condition}", values)]


def _request(row: sqlite3.Row) -> Request:
    return Request(
        row["id"],
        row["submission_id"],
        row["lab"],
        row["person"],
        row["part"],
        row["text"],
        datetime.fromisoformat(row["made_at"]),
        row["answer"],
        row["answered_by"],
        time_of(row["answered_at"]),
    )


def _text(text: str, what: str, step: str) -> str:
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise Refused(400, f"{what} is empty.", step)
    if len(text) > _LONGEST:
        raise Refused(400, f"{what} is longer than {_LONGEST} characters.", "Shorten it.")
    return text
