"""What programs are told of a submission: `./submit` and live pages."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from grader.model.lab import Lab
from grader.model.result import PartResult, Result
from grader.pages.presentation.facts import diagnostics_for_student, failure_for_student, is_graded
from grader.pages.presentation.text import cap, one_line
from grader.pages.presentation.words import part_words, result_words
from grader.service import desk, queue
from grader.service.estimates import Place
from grader.service.rules import shows_now
from grader.service.service import Service
from grader.service.web.words import grading_words, verdict_words, waiting_words

_CHARACTERS, _LINES = 2_000, 30
_HIDDEN: Mapping[str, Literal["first_difference", "case", "verdict"]] = {
    "verdict": "verdict",
    "cases": "case",
    "all": "first_difference",
}


def submission_json(
    service: Service, submission: desk.Submission, place: Place | None
) -> dict[str, Any]:
    """The whole document, for viewers who may see the submission."""
    result = desk.result_of(service, submission) if submission.state == "graded" else None
    is_paused = service.fact(queue.PAUSED) is not None
    told = {
        "id": submission.id,
        "lab": submission.lab,
        "state": submission.state,
        "phase": submission.phase,
        "position": place.position if place else None,
        "estimate_s": _rough(place.estimate_s) if place and not is_paused else None,
        "received_at": _text(submission.received_at),
        "started_at": _text(submission.started_at),
        "ended_at": _text(submission.ended_at),
        "page": f"/submissions/{submission.id}",
    }
    lab = lab_as_shown(service, submission.person, submission.lab) if result else None
    if result is None or lab is None:
        nothing: dict[str, Any] = {"verdict": None, "points": None, "max_points": None, "parts": []}
        headline = _headline(submission, place, is_paused)
        return told | nothing | {"headline": headline, "first_failure": None, "next": None}
    return told | _verdict(result, lab)


def lab_as_shown(service: Service, person: str, name: str) -> Lab | None:
    """The lab with what of its hidden tests may be shown now; None if it is gone."""
    lab, entry = service.labs.get(name), service.course.lab(name)
    if lab is None or entry is None:
        return None
    hidden = _HIDDEN[shows_now(service, person, entry)]
    feedback = lab.feedback.model_copy(update={"hidden": hidden})
    return lab.model_copy(update={"feedback": feedback})


def _headline(submission: desk.Submission, place: Place | None, is_paused: bool) -> str:
    if submission.state == "waiting":
        where = (place.position, place.estimate_s) if place else (1, None)
        return waiting_words(*where, is_paused=is_paused)
    if submission.state == "grading":
        return grading_words(submission.phase or "")
    return "The grader failed here, which is not the fault of your code: staff will look at it."


def _verdict(result: Result, lab: Lab) -> dict[str, Any]:
    graded = is_graded(result)
    return {
        "verdict": result.verdict.value,
        "points": result.points if graded else None,
        "max_points": result.max_points if graded else None,
        "parts": [_part(part) for part in result.parts],
        "headline": verdict_words(result),
        "first_failure": _first_failure(result, lab),
        "next": result_words(result).next_step,
    }


def _part(part: PartResult) -> dict[str, Any]:
    final = part.verdict.is_final
    tests = f"{part.tests_passed} of {part.tests_total} tests passed"
    return {
        "name": one_line(part.title),
        "function": part.function,
        "points": part.points if final else None,
        "max_points": part.max_points,
        "verdict": part.verdict.value,
        "summary": part_words(part).label + (f", {tests}" if part.tests_total else ""),
    }


def _first_failure(result: Result, lab: Lab) -> dict[str, Any] | None:
    """The case or report to begin with, and the line of the student's file that it names."""
    found = next((f for part in result.parts if (f := failure_for_student(part, lab))), None)
    reports = [diagnostic.text for diagnostic in diagnostics_for_student(result, lab)]
    case = [found.test, found.message] if found else []
    texts = [text for text in [*case, *reports] if text]
    if not texts:
        return None
    named = re.search(rf"\b{re.escape(lab.file)}:(\d{{1,7}})(?!\d)", "\n".join(texts))
    return {
        "text": cap("\n".join(case) or texts[0], _CHARACTERS, _LINES),
        "line": int(named[1]) if named else None,
        "file": lab.file,
    }


def _rough(seconds: float | None) -> int | None:
    """Estimates to 5 s: what changes with every tick tells nothing new."""
    return None if seconds is None else 5 * round(seconds / 5)


def _text(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
