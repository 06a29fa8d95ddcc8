"""Repeated gradings that staff ask for: each is run once by the grading process, and kept."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from grader.model.errors import GraderError
from grader.model.result import Result
from grader.people.appeals.differences import Field, compare
from grader.people.appeals.replay import repeat
from grader.sandbox.processes import Processes
from grader.service import log
from grader.service.database import time_of
from grader.service.refused import Refused, no_such_submission, not_graded_yet
from grader.service.service import Service

_ON_A_CLUSTER = (
    "This service grades on a cluster. Run `replay --out DATA/results/{lab} --student NAME` there."
)
State = Literal["waiting", "running", "done", "failed"]


@dataclass(frozen=True)
class Asked:
    """One repetition."""

    state: State
    asked_by: str
    asked_at: datetime
    ended_at: datetime | None
    fields: list[Field]
    """The compared fields; empty until it is done."""
    notes: list[str]
    """How this machine differs from that of before or, where it failed, why."""

    @property
    def agrees(self) -> bool:
        return all(field.agrees for field in self.fields)


def ask(service: Service, submission: str, by: str) -> None:
    """Refused if the submission is not judged, or is waiting for a repetition already."""
    with service.change() as change:
        row = change.database.execute(
            "SELECT number, state FROM submissions WHERE id = ?", (submission,)
        ).fetchone()
        if row is None:
            raise no_such_submission()
        if row["state"] != "graded":
            raise not_graded_yet()
        is_open = change.database.execute(
            "SELECT 1 FROM replays WHERE submission = ? AND state IN ('waiting', 'running')",
            (row["number"],),
        ).fetchone()
        if is_open:
            raise Refused(409, "It waits to be repeated already.", "Look again in a few minutes.")
        change.database.execute(
            "INSERT INTO replays (submission, asked_by, asked_at) VALUES (?, ?, ?)",
            (row["number"], by, change.at_text),
        )
        change.log(by, "asked to replay", submission)


def last_of(service: Service, number: int) -> Asked | None:
    """The last repetition of a submission; None if nobody asked for one."""
    query = "SELECT * FROM replays WHERE submission = ? ORDER BY id DESC LIMIT 1"
    row = service.connect().execute(query, (number,)).fetchone()
    if row is None:
        return None
    found = json.loads(row["found"]) if row["found"] else {"fields": [], "notes": []}
    fields = [Field(**field) for field in found["fields"]]
    at = datetime.fromisoformat(row["asked_at"])
    return Asked(
        row["state"], row["asked_by"], at, time_of(row["ended_at"]), fields, found["notes"]
    )


def recover(service: Service) -> None:
    """Puts the replays that a killed grading process was running back into the queue."""
    with service.change() as change:
        change.database.execute("UPDATE replays SET state = 'waiting' WHERE state = 'running'")


def run_next(service: Service, processes: Processes | None) -> bool:
    """Repeats the grading that was asked for first; False if none waits.

    Call it in the grading process: it runs a submission by `processes`, and takes as long as
    grading it. None where a cluster grades: its login node runs no student's code.
    """
    if not _waits(service):
        return False
    with service.change() as change:
        row = change.database.execute(
            "UPDATE replays SET state = 'running' WHERE id ="
            " (SELECT MIN(id) FROM replays WHERE state = 'waiting') RETURNING id, submission"
        ).fetchone()
        if row is None:
            return False
        kept = change.database.execute(
            "SELECT id, lab, result FROM submissions WHERE number = ?", (row["submission"],)
        ).fetchone()
    stored = Result.model_validate_json(kept["result"])
    state, found = _repeated(service, kept["lab"], stored, processes)
    with service.change() as change:
        change.database.execute(
            "UPDATE replays SET state = ?, found = ?, ended_at = ? WHERE id = ?",
            (state, json.dumps(found), change.at_text, row["id"]),
        )
        change.log(log.SERVICE, "replayed", kept["id"], state)
    return True


def _waits(service: Service) -> bool:
    query = "SELECT 1 FROM replays WHERE state = 'waiting' LIMIT 1"
    return service.connect().execute(query).fetchone() is not None


def _repeated(
    service: Service, lab: str, stored: Result, processes: Processes | None
) -> tuple[State, dict[str, object]]:
    if processes is None:
        return "failed", {"fields": [], "notes": [_ON_A_CLUSTER.format(lab=lab)]}
    try:
        done = repeat(service.data / "results" / lab, stored, lambda _: None, processes)
    except GraderError as error:
        return "failed", {"fields": [], "notes": [str(error)]}
    fields = [field.model_dump() for field in compare(done.stored, done.repeated)]
    return "done", {"fields": fields, "notes": done.notes}
