"""The queue: which submission is graded next, and when a waiting one will be done.

Teams take turns, by start-time fair queueing (P. Goyal, H. Vin, H. Cheng: Start-time Fair Queuing,
SIGCOMM 1996) with one unit of service a submission: each has a round, given when it is handed in,
and rounds are graded in order. A team that has not had its turn in the round that is graded now
hands in for that round, then for the rounds after it. So a team that hands in fifty times delays
each other team by one submission, and a later submission never overtakes a team that has not had
its turn.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.service import log
from grader.service.database import text_of
from grader.service.estimates import PAUSED, ROUND, Place, place, places, virtual_time
from grader.service.refused import no_such_submission, not_graded_yet
from grader.service.service import Change, Service

__all__ = [
    "PAUSED",
    "Claimed",
    "Place",
    "beat",
    "claim",
    "finish",
    "give_back",
    "grade_again",
    "next_round",
    "place",
    "places",
    "recover",
    "set_phase",
]

_HARMLESS_DEATHS = 3
_LONGEST_WAIT_S = 600


@dataclass(frozen=True)
class Claimed:
    """A submission that a grader works on."""

    number: int
    id: str
    person: str
    team: str
    lab: str
    digest: str
    content: bytes
    tries: int
    """How often it was claimed, this time included."""
    again: bool
    """Whether staff want it graded anew, also if the result of its text is known."""


_KEPT = ("number", "id", "person", "team", "lab", "digest", "tries")


def next_round(change: Change, team: str) -> int:
    """The round of a team's next submission."""
    execute = change.database.execute
    now = virtual_time(change.database)
    # An empty queue begins a new round, so that earlier gradings delay nobody.
    if execute("SELECT 1 FROM submissions WHERE state = 'waiting' LIMIT 1").fetchone() is None:
        now += 1
        change.set_fact(ROUND, str(now))
    last = execute("SELECT MAX(round) FROM submissions WHERE team = ?", (team,)).fetchone()[0]
    return now if last is None else max(now, last + 1)


def claim(service: Service, slot: int) -> Claimed | None:
    """Takes the next submission for the grader in a slot; None if none waits, or it is paused."""
    if _first(service, service.now()) is None:  # looking needs no transaction
        return None
    with service.change() as change:
        number = _first(service, change.at)
        if number is None or service.fact(PAUSED) is not None:
            return None
        row = change.database.execute(
            "UPDATE submissions SET state = 'grading', phase = NULL, started_at = ?,"
            " ended_at = NULL, tries = tries + 1 WHERE number = ? RETURNING *",
            (change.at_text, number),
        ).fetchone()
        content = change.database.execute(
            "SELECT content FROM texts WHERE digest = ?", (row["digest"],)
        ).fetchone()["content"]
        change.set_fact(ROUND, str(max(row["round"], virtual_time(change.database))))
        change.database.execute(
            "INSERT OR REPLACE INTO graders VALUES (?1, ?2, ?3, ?4, ?4)",
            (slot, os.getpid(), number, change.at_text),
        )
        change.log(log.SERVICE, "grading started", row["id"], f"slot {slot}")
    kept = {name: row[name] for name in _KEPT}
    return Claimed(**kept, content=content, again=bool(row["again"]))


def _first(service: Service, at: datetime) -> int | None:
    query = (
        "SELECT number FROM submissions WHERE state = 'waiting'"
        " AND (not_before IS NULL OR not_before <= ?) ORDER BY round, again, number LIMIT 1"
    )
    row = service.connect().execute(query, (text_of(at),)).fetchone()
    return None if row is None else int(row["number"])


def finish(service: Service, number: int, result: Result) -> bool:
    """Stores what a claimed submission got; False, and nothing changed, if it is not being graded:
    a grader that was thought dead changes no verdict.

    A submission with a verdict keeps it when the grader fails to grade it again.
    """
    with service.change() as change:
        row = change.database.execute(
            "SELECT id, verdict FROM submissions WHERE number = ? AND state = 'grading'", (number,)
        ).fetchone()
        if row is None:
            return False
        is_judged = result.verdict is not Verdict.JUDGE_ERROR
        was_judged = row["verdict"] not in (None, Verdict.JUDGE_ERROR.value)
        change.database.execute(
            "UPDATE submissions SET state = ?, phase = NULL, ended_at = ?, again = 0"
            " WHERE number = ?",
            ("graded" if is_judged or was_judged else "judge_error", change.at_text, number),
        )
        if is_judged or not was_judged:
            _store(change, number, result)
        _leave(change, number)
        points = f" {result.points:g} of {result.max_points:g}" if is_judged else ""
        change.log(log.SERVICE, "graded", row["id"], f"{result.verdict.value}{points}")
    return True


def _store(change: Change, number: int, result: Result) -> None:
    has_points = result.verdict is not Verdict.JUDGE_ERROR
    change.database.execute(
        "UPDATE submissions SET result = ?, verdict = ?, points = ?, max_points = ?"
        " WHERE number = ?",
        (
            result.model_dump_json(),
            result.verdict.value,
            result.points if has_points else None,
            result.max_points if has_points else None,
            number,
        ),
    )


def set_phase(service: Service, number: int, phase: str) -> None:
    """Stores the current step of a claimed submission, which its page shows."""
    with service.change() as change:
        row = change.database.execute(
            "UPDATE submissions SET phase = ? WHERE number = ? AND state = 'grading' RETURNING id",
            (phase, number),
        ).fetchone()
        if row is not None:
            change.log(log.SERVICE, "phase", row["id"], phase)


def give_back(service: Service, number: int, why: str = "", until: datetime | None = None) -> bool:
    """Lets a claimed submission wait again, at its old place; False if it is not being graded.

    It is not claimed before `until`; without that, the claim does not count as a try.
    """
    with service.change() as change:
        if until is None:
            change.database.execute(
                "UPDATE submissions SET tries = tries - 1 WHERE number = ? AND state = 'grading'",
                (number,),
            )
        return _give_back(change, number, why, until)


def beat(service: Service, slots: Iterable[int]) -> None:
    """A sign of life of the graders in these slots, so that estimates count them."""
    with service.change() as change:
        for slot in slots:
            change.database.execute(
                "INSERT INTO graders VALUES (?1, ?2, NULL, ?3, ?3) ON CONFLICT (slot)"
                " DO UPDATE SET pid = excluded.pid, heartbeat = excluded.heartbeat",
                (slot, os.getpid(), change.at_text),
            )


def recover(service: Service) -> int:
    """Gives back all submissions that are being graded, when no grader runs; returns how many.

    A submission that was being graded at several deaths may cause them: it waits longer each time.
    """
    with service.change() as change:
        rows = change.database.execute(
            "SELECT number, tries FROM submissions WHERE state = 'grading'"
        ).fetchall()
        for row in rows:
            wait_s = min(_LONGEST_WAIT_S, 2 ** max(0, row["tries"] - _HARMLESS_DEATHS) - 1)
            until = change.at + timedelta(seconds=wait_s) if wait_s else None
            _give_back(change, row["number"], "its grader ended", until)
        change.database.execute("DELETE FROM graders")
    return len(rows)


def _give_back(change: Change, number: int, why: str, until: datetime | None) -> bool:
    row = change.database.execute(
        "UPDATE submissions SET state = 'waiting', phase = NULL, started_at = NULL, not_before = ?"
        " WHERE number = ? AND state = 'grading' RETURNING id",
        (until and text_of(until), number),
    ).fetchone()
    if row is None:
        return False
    _leave(change, number)
    change.log(log.SERVICE, "given back", row["id"], why)
    return True


def _leave(change: Change, number: int) -> None:
    change.database.execute(
        "UPDATE graders SET submission = NULL, since = ?, heartbeat = ? WHERE submission = ?",
        (change.at_text, change.at_text, number),
    )


def grade_again(service: Service, submission_id: str, by: str) -> None:
    """Puts a graded submission into the queue again, after what else is in its team's next round.

    It keeps its result until it has the new one.
    """
    with service.change() as change:
        row = change.database.execute(
            "SELECT number, team, state FROM submissions WHERE id = ?", (submission_id,)
        ).fetchone()
        if row is None:
            raise no_such_submission()
        if row["state"] not in ("graded", "judge_error"):
            raise not_graded_yet()
        change.database.execute(
            "UPDATE submissions SET state = 'waiting', round = ?, tries = 0, again = 1,"
            " started_at = NULL, ended_at = NULL, not_before = NULL WHERE number = ?",
            (next_round(change, row["team"]), row["number"]),
        )
        change.log(by, "asked to grade again", submission_id)
