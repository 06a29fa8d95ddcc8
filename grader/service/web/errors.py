"""What went wrong and the next step, in a sentence each: JSON for programs, a page for people."""

import logging
import sqlite3

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from grader.model.errors import GraderError
from grader.pages.presentation.text import one_line
from grader.service.refused import Refused
from grader.service.web.pages import nothing_here, path_of, render

_LOGGED = 200
logger = logging.getLogger(__name__)

_UNCLEAR = ("The service does not understand this request.", "Go back, reload the page, try again.")
_BUSY = Refused(
    503, "The service cannot do this right now.", "Try again in a few seconds; nothing is lost.", 5
)
_BROKEN = Refused(
    500,
    "The service failed here, which is not your fault.",
    "Try again; if it happens again, tell the course staff.",
)
_HEADINGS = {404: "Nothing here", 429: "Not so fast", 503: "Not now"}


def refusal(request: Request, refused: Refused) -> Response:
    """The answer to a request that is refused."""
    headers = {} if refused.retry_after is None else {"Retry-After": str(refused.retry_after)}
    if wants_json(request):
        if refused.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        content = {"error": refused.error, "next": refused.next}
        return JSONResponse(content, refused.status, headers)
    if refused.status == 401:
        return render(request, "sign_in.html.j2", {"token": ""}, 401, headers)
    context = {
        "heading": _HEADINGS.get(refused.status, "That did not work"),
        "error": refused.error,
        "next": refused.next,
        "back": "/",
    }
    return render(request, "error.html.j2", context, refused.status, headers)


def wants_json(request: Request) -> bool:
    """Whether a program asks."""
    path = path_of(request)
    return path.startswith("/api/") or path in ("/api", "/health")


def route_of(request: Request) -> str:
    """The path for the log, on one line: a sign-in link holds a token, which is left out."""
    path = path_of(request)
    return "/sign-in/…" if path.startswith("/sign-in/") else one_line(path)[:_LOGGED]


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return refusal(request, nothing_here())
    answer = refusal(request, Refused(error.status_code, *_UNCLEAR))
    answer.headers.update(error.headers or {})
    return answer


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(request, error)


def _unusable(request: Request, error: Exception) -> Response:
    logger.error("%s %s: %s", request.method, route_of(request), error)
    return refusal(request, _BUSY)


def _broken(request: Request, error: Exception) -> Response:
    logger.error("%s %s", request.method, route_of(request), exc_info=error)
    return refusal(request, _BROKEN)


def _gone(_request: Request, _error: Exception) -> Response:
    return Response(status_code=400)


HANDLERS = {
    HTTPException: _http,
    Refused: _refused,
    sqlite3.OperationalError: _unusable,
    GraderError: _unusable,
    ClientDisconnect: _gone,
    Exception: _broken,
}
