"""Helpers of all views: the sender of a request, its form, and answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from grader.service.people import Person
from grader.service.refused import Refused
from grader.service.service import Service
from grader.service.web import templating

_DIGITS = 16
"""Fewer than a number of the database has at most."""


@dataclass(frozen=True)
class Who:
    """Who makes a request."""

    person: Person
    csrf: str = ""
    """What their forms must carry; empty for a program, which sends none."""

    @property
    def name(self) -> str:
        return self.person.name

    @property
    def is_staff(self) -> bool:
        return self.person.is_staff


@dataclass(frozen=True)
class Form:
    """The fields of a form, and the file with it, if any."""

    fields: Mapping[str, str] = field(default_factory=dict)
    file_name: str = ""
    content: bytes | None = None
    """None without a file."""


def path_of(request: Request) -> str:
    """The path as routes see it; `request.url` is made of headers, too."""
    path: str = request.scope["path"]
    return path


def service_of(request: Request) -> Service:
    """The service that is asked."""
    service: Service = request.app.state.service
    return service


def who_of(request: Request) -> Who | None:
    """Who makes the request; None if nobody is signed in."""
    found: Who | None = getattr(request.state, "who", None)
    return found


def viewer(request: Request) -> Person:
    """Who makes the request. Refused with 401 if nobody is signed in."""
    who = who_of(request)
    if who is None:
        raise Refused(401, "You are not signed in.", "Open your personal link.")
    return who.person


def staff_viewer(request: Request) -> Person:
    """The member of staff who makes the request. Refused with 404 for students."""
    person = viewer(request)
    if not person.is_staff:
        raise nothing_here()
    return person


def nothing_here() -> Refused:
    """The same answer for a page that is missing and one that the viewer may not see."""
    return Refused(
        404, "There is nothing here, or nothing that you may see.", "Go back to your labs."
    )


def form_of(request: Request) -> Form:
    """What a POST sent. Its `csrf` was checked before the view was called."""
    form: Form = getattr(request.state, "form", Form())
    return form


def number_of(text: str) -> int | None:
    """A number of the database, from a form or an address; None if the text is none."""
    is_one = text.isascii() and text.isdigit() and len(text) < _DIGITS
    return int(text) if is_one else None


def body_of(request: Request) -> bytes:
    """The bytes that a program sent."""
    body: bytes = getattr(request.state, "body", b"")
    return body


def render(
    request: Request,
    name: str,
    context: Mapping[str, object],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A page from a template, which also knows course, viewer and here (see base.html.j2)."""
    shared = {"course": service_of(request).course.name, "viewer": who_of(request), "here": ""}
    html = templating.render(name, **{**shared, **context})
    return HTMLResponse(html, status, headers)


def see_other(path: str) -> Response:
    """Sends the browser on to a path of the service after a POST, never to another site."""
    if not path.startswith("/") or path[1:2] in ("/", "\\"):
        raise ValueError(f"{path!r} is no path of the service")
    return RedirectResponse(quote(path, safe="/?=&#%"), 303)


def attachment(file_name: str, content: bytes) -> Response:
    """A file to save; its name cannot add a header, a folder or a type."""
    name = file_name.replace("\\", "/").rsplit("/", 1)[-1] or "file"
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    coded = quote(name, safe="", errors="replace")
    named = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{coded}"
    headers = {"Content-Disposition": named, "Content-Type": "text/plain; charset=utf-8"}
    return Response(content, headers=headers)
