"""The HTTP API, for programs with a token: what ./submit asks."""

import re
from datetime import datetime
from typing import Any
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from grader.service import desk, queue
from grader.service.hand_ins import term_so_far
from grader.service.people import Person
from grader.service.refused import Refused
from grader.service.rules import lab_rules, labs_of, seconds_until
from grader.service.service import Service
from grader.service.web.pages import body_of, nothing_here, service_of, viewer
from grader.service.web.submission_json import submission_json

KEY = re.compile(r"[0-9a-f]{32}")
"""The Idempotency-Key, and the key of a form."""
_ID = re.compile(r"[a-z2-7]{26}")


def _labs(request: Request) -> Response:
    service, person = service_of(request), viewer(request)
    late_days_left = term_so_far(service, person.name, service.now()).late_days_left
    return JSONResponse(
        [_lab(service, person, lab.name, late_days_left) for lab in labs_of(service)]
    )


def _lab(service: Service, person: Person, name: str, late_days_left: int) -> dict[str, Any]:
    lab, now = service.labs[name], service.now()
    rules = lab_rules(service, person.name, name, now)
    handed_in = desk.submissions_of(service, person.name, name)
    best = max((each.points for each in handed_in if each.points is not None), default=None)
    return {
        "lab": name,
        "title": lab.title,
        "file": lab.file,
        "deadline": _text(rules.deadline),
        "time_left_s": seconds_until(rules.deadline, now) if rules.deadline else None,
        "late_days_left": late_days_left,
        "attempts_left": rules.attempts_left,
        "wait_s": seconds_until(rules.wait_until, now),
        "best_points": best,
        "max_points": lab.max_points,
        "submissions": len(handed_in),
    }


def _text(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _hand_in(request: Request) -> Response:
    service, person = service_of(request), viewer(request)
    key = request.headers.getlist("idempotency-key")
    if len(key) != 1 or not KEY.fullmatch(key[0]):
        raise Refused(
            400,
            "The request has no Idempotency-Key of 32 hexadecimal digits.",
            "Send a new one with each file, and the same one when you ask again.",
        )
    name = unquote(request.headers.get("x-file-name", ""), errors="replace")
    lab = request.path_params["lab"]
    receipt = desk.hand_in(service, person.name, lab, body_of(request), name, key[0])
    shown = desk.submission(service, receipt.id, person)
    place = queue.place(service, receipt.id)
    content = {
        "id": receipt.id,
        "lab": receipt.lab,
        "person": receipt.person,
        "team": receipt.team,
        "digest": receipt.digest,
        "received_at": receipt.received_at.isoformat(),
        "late": receipt.late,
        "page": f"/submissions/{receipt.id}",
        "position": place.position if place else None,
        "estimate_s": place.estimate_s if place else None,
        "state": shown.state,
    }
    return JSONResponse(content, 201 if receipt.is_new else 200)


def _submission(request: Request) -> Response:
    service = service_of(request)
    found = submission_of(request)
    return JSONResponse(submission_json(service, found, queue.place(service, found.id)))


def submission_of(request: Request) -> desk.Submission:
    """The submission of the path, which the viewer may see. Refused with 404 for all others."""
    person, submission_id = viewer(request), request.path_params["id"]
    if not _ID.fullmatch(submission_id):
        raise nothing_here()
    return desk.submission(service_of(request), submission_id, person)


def _health(request: Request) -> Response:
    service = service_of(request)
    rows = service.connect().execute(
        "SELECT state, COUNT(*) FROM submissions WHERE state IN ('waiting', 'grading')"
        " GROUP BY state"
    )
    counts = {"waiting": 0, "grading": 0} | dict(rows.fetchall())
    paused = service.fact(queue.PAUSED) is not None
    return JSONResponse({"state": "up", "paused": paused, **counts})


ROUTES = [
    Route("/health", _health),
    Route("/api/labs", _labs),
    Route("/api/labs/{lab}/submissions", _hand_in, methods=["POST"]),
    Route("/api/submissions/{id}", _submission),
]
