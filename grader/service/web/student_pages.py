"""The pages of students: their labs, handing in by a form, and each submission."""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from grader.model.kind import lab_of
from grader.model.lab import Lab
from grader.model.result import Result
from grader.pages.presentation.facts import diagnostics_for_student, failure_for_student
from grader.pages.presentation.feedback import HEADINGS
from grader.pages.presentation.text import cap, clean, one_line
from grader.pages.presentation.words import result_words
from grader.pages.report.excerpts import Excerpt, Source
from grader.pages.report.feedback_page import feedback_page
from grader.pages.report.next_steps import next_steps
from grader.service import desk, marks, queue, requests
from grader.service.desk import Submission
from grader.service.refused import Refused
from grader.service.service import Service
from grader.service.web.api import KEY, submission_of
from grader.service.web.difference import MOST_LINES, difference, lines_of
from grader.service.web.pages import (
    attachment,
    form_of,
    nothing_here,
    render,
    see_other,
    service_of,
    viewer,
)
from grader.service.web.student_views import LabView, lab_view, lab_views, rules_in_words
from grader.service.web.submission_json import lab_as_shown, submission_json

FEEDBACK_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox"
)
"""The page of the reports brings its style along; no script of whatever origin runs there."""
_CHARACTERS, _LINES = 8_000, 120


@dataclass(frozen=True)
class _Step:
    """A step of a submission's way."""

    text: str
    is_done: bool
    is_now: bool = False


@dataclass(frozen=True)
class _Finding:
    """What to begin with: a message, and the student's lines that it names."""

    title: str
    text: str
    excerpts: list[Excerpt]
    pictures: tuple[str, ...] = ()
    """None here: the feedback page, to which this one leads, has them."""


def _labs(request: Request) -> Response:
    service, person = service_of(request), viewer(request)
    views, late_days_left = lab_views(service, person.name)
    course = service.course
    values = {
        "here": "Labs",
        "open": sorted((each for each in views if not each.is_closed), key=_due),
        "closed": [each for each in views if each.is_closed],
        "zone": course.zone,
        "free_days": course.late.free_days,
        "late_days_left": late_days_left,
    }
    return render(request, "labs.html.j2", values)


def _due(view: LabView) -> tuple[bool, bool, float]:
    """Sort key: next deadline first, then labs without one, then overdue labs."""
    if view.rules.deadline is None:
        return False, True, 0
    return not view.left_s, False, view.rules.deadline.timestamp()


def _lab(request: Request, refused: Refused | None = None) -> Response:
    service, person = service_of(request), viewer(request)
    view = lab_view(service, person.name, request.path_params["lab"])
    values = {
        "here": "Labs",
        "lab": view,
        "tries": view.tries,
        "rules": list(rules_in_words(service, view)),
        "key": secrets.token_hex(16),
        "has_board": service.course.hand_in.board,
        "handout": _handout(service, view.name),
        "zone": service.course.zone,
        "refused": refused,
    }
    if refused is None:
        return render(request, "lab.html.j2", values)
    wait = refused.retry_after
    headers = {} if wait is None else {"Retry-After": str(wait)}
    return render(request, "lab.html.j2", values, refused.status, headers)


def _handout(service: Service, lab: str) -> str:
    """The address of a lab's handout; empty where course.toml names none."""
    base = service.course.hand_in.handouts
    return f"{base}/{quote(lab_of(lab))}" if base else ""


def _hand_in(request: Request) -> Response:
    """The form's key makes a second click the same request."""
    service, person, form = service_of(request), viewer(request), form_of(request)
    lab, key = request.path_params["lab"], form.fields.get("key", "")
    if not KEY.fullmatch(key):
        raise Refused(400, "This form is incomplete.", "Reload the page, and try again.")
    try:
        if not form.file_name:
            raise Refused(400, "No file was chosen.", "Choose your file, then hand it in.")
        name, content = form.file_name, form.content or b""
        receipt = desk.hand_in(service, person.name, lab, content, name, key)
    except Refused as refused:
        if refused.status == 404:
            raise
        return _lab(request, refused)
    return see_other(f"/submissions/{receipt.id}")


def _submission(request: Request) -> Response:
    service, row = service_of(request), submission_of(request)
    lab = _lab_of(service, row)
    result = desk.result_of(service, row)
    told = submission_json(service, row, queue.place(service, row.id))
    values = {
        "here": "Labs",
        "row": row,
        "lab": lab,
        "zone": service.course.zone,
        "state": told["headline"],
        "is_done": row.is_done,
        "steps_of_path": _path(row),
        "result": result,
        "handout": _handout(service, row.lab),
        "requests": requests.requests_of(service, row.id),
        "titles": {part.function: part.title for part in lab.parts},
        "marks": marks.for_student(service, row.lab, row.team),
        **_verdict(service, row, lab, result),
        **_beside(service, row),
    }
    return render(request, "submission.html.j2", values)


def _lab_of(service: Service, row: Submission) -> Lab:
    """The lab with what may be shown of it now."""
    lab = lab_as_shown(service, row.person, row.lab)
    if lab is None:
        raise nothing_here()
    return lab


def _path(row: Submission) -> list[_Step]:
    is_waiting = row.state == "waiting"
    return [
        _Step("handed in", is_done=True),
        _Step("in the queue", is_done=not is_waiting, is_now=is_waiting),
        _Step(
            "to be graded" if is_waiting else "being graded", is_done=False, is_now=not is_waiting
        ),
    ]


def _verdict(
    service: Service, row: Submission, lab: Lab, result: Result | None
) -> dict[str, object]:
    if result is None:
        return {}
    text = _text_of(service, row)
    return {
        "heading": result_words(result),
        "steps": next_steps(result, lab),
        "findings": list(_findings(result, lab, text)),
    }


def _text_of(service: Service, row: Submission) -> str:
    return desk.text_of(service, row).decode("utf-8", errors="replace")


def _findings(result: Result, lab: Lab, text: str) -> Iterator[_Finding]:
    """The first failing case; where it names no line, also the first report of a tool."""
    source = Source(lab.file, text)
    failures = ((part, failure_for_student(part, lab)) for part in result.parts)
    part, failure = next(((part, f) for part, f in failures if f), (None, None))
    if part and failure:
        title = f"First failing case of {one_line(part.title)}: {one_line(failure.test)}"
        found = _finding(title, failure.message, source)
        yield found
        if found.excerpts:
            return
    for report in diagnostics_for_student(result, lab)[:1]:
        yield _finding(HEADINGS[report.phase], report.text, source)


def _finding(title: str, text: str, source: Source) -> _Finding:
    shown = cap(text, _CHARACTERS, _LINES)
    return _Finding(title, shown, source.excerpts([shown]))


def _beside(service: Service, row: Submission) -> dict[str, object]:
    """What the list of the lab says of this submission, and the one before it."""
    view = lab_view(service, row.person, row.lab)
    mine = next((each for each in view.tries if each.row.id == row.id), None)
    counts = mine is not None and mine.counts
    return {
        "is_late": mine is not None and mine.is_late,
        "before": _before(row, [each.row for each in view.tries]),
        "why_counts": f"This one counts. {view.line.why}" if counts else "",
    }


def _before(row: Submission, rows: Sequence[Submission]) -> Submission | None:
    return next((each for each in rows if each.number < row.number), None)


def _feedback(request: Request) -> Response:
    service, row = service_of(request), submission_of(request)
    result = desk.result_of(service, row)
    if result is None:
        raise Refused(
            404, "This submission has no feedback yet.", "Look at its page, which shows its place."
        )
    back = f"/submissions/{row.id}"
    html = feedback_page(result, _lab_of(service, row), _text_of(service, row), back)
    return HTMLResponse(html, headers={"Content-Security-Policy": FEEDBACK_POLICY})


def _text(request: Request) -> Response:
    service, row = service_of(request), submission_of(request)
    if request.query_params.get("save"):
        return attachment(row.file_name, desk.text_of(service, row))
    lines = lines_of(_text_of(service, row))
    values = {
        "here": "Labs",
        "row": row,
        "lab": _lab_of(service, row),
        "text": [clean(line).expandtabs(4) for line in lines[:MOST_LINES]],
        "left_out": max(0, len(lines) - MOST_LINES),
    }
    return render(request, "text.html.j2", {**values, "zone": service.course.zone})


def _difference(request: Request) -> Response:
    service, row = service_of(request), submission_of(request)
    rows = desk.submissions_of(service, row.person, row.lab)
    before = _before(row, rows)
    if before is None:
        raise Refused(404, "There is no submission before this one.", "Look at the file itself.")
    lines = difference(clean(_text_of(service, before)), clean(_text_of(service, row)))
    kinds = [line.kind for line in lines or ()]
    values = {
        "here": "Labs",
        "row": row,
        "before": before,
        "lab": _lab_of(service, row),
        "lines": lines,
        "added": kinds.count("added"),
        "removed": kinds.count("removed"),
        "zone": service.course.zone,
    }
    return render(request, "difference.html.j2", values)


def _ask(request: Request) -> Response:
    service, row, fields = service_of(request), submission_of(request), form_of(request).fields
    parts = [part.function for part in _lab_of(service, row).parts]
    part, text = fields.get("part", requests.WHOLE), fields.get("text", "")
    requests.ask(service, viewer(request), row.id, part, text, parts)
    return see_other(f"/submissions/{row.id}#ask")


ROUTES = [
    Route("/", _labs),
    Route("/labs/{lab}", _lab),
    Route("/labs/{lab}", _hand_in, methods=["POST"]),
    Route("/submissions/{id}", _submission),
    Route("/submissions/{id}/feedback", _feedback),
    Route("/submissions/{id}/text", _text),
    Route("/submissions/{id}/difference", _difference),
    Route("/submissions/{id}/requests", _ask, methods=["POST"]),
]
