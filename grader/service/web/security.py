"""The checks of every request before its view, and the headers of every answer."""

import hmac
import logging
import re
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grader.service.refused import Refused
from grader.service.web import limits, sessions
from grader.service.web.errors import route_of
from grader.service.web.pages import Form, Who, path_of
from grader.service.web.settings import WebSettings, origin

access = logging.getLogger("grader.service.access")

CONTENT_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_CONTROL = re.compile("[\x00-\x1f\x7f\\\\]")
_OPEN = re.compile(r"/(static/.*|health)")
"""Paths that are the same for everyone and need no sign-in."""
_STREAM = re.compile(r"/api/submissions/[^/]+/events")
_HAND_IN = re.compile(r"/labs/([^/]+)|/api/labs/([^/]+)/submissions")
_ONCE = (
    *("authorization", "content-length", "content-type", "idempotency-key"),
    *("origin", "sec-fetch-site", "transfer-encoding", "x-file-name"),
)
"""Headers of which one that is checked must not hide another that is used."""
_READING = frozenset({"GET", "HEAD"})


@dataclass
class Headers:
    """Adds the headers that tell browsers what a page may do, and logs the request."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, request = time.monotonic(), Request(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if not sessions.is_local(request):
                    headers.setdefault("Strict-Transport-Security", "max-age=31536000")
                if getattr(request.state, "ends_connection", False):
                    headers["Connection"] = "close"
                _log(request, message["status"], time.monotonic() - started)
            await send(message)

        await self.app(scope, receive, send_with_headers)


def _log(request: Request, status: int, seconds: float) -> None:
    """One line without secrets: neither tokens in paths nor queries nor headers."""
    who: Who | None = getattr(request.state, "who", None)
    name = who.name if who else "-"
    access.info(
        "%s %s %d %.0f ms %r", request.method, route_of(request), status, 1000 * seconds, name
    )


@dataclass
class Guard:
    """Lets a request through to its view when host, size, sender and rate allow it.

    Raises Refused, which the middleware around it turns into an answer.
    """

    app: ASGIApp
    settings: WebSettings
    sign_in: sessions.SignIn
    limits: limits.Limits
    file_bytes: Mapping[str, int]
    """The longest file of each lab."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sessions.strip(self.settings, Request(scope))
        request = Request(scope, receive)
        request.state.ends_connection = True  # a malformed request may hide another
        self._check_target(request)
        request.state.ends_connection = False
        address = sessions.address_of(self.settings, request)
        self.limits.of_address(address)
        if _OPEN.fullmatch(path_of(request)):
            await self.app(scope, receive, send)
            return
        who = await self._identify(request, address)
        if _STREAM.fullmatch(path_of(request)):  # counted by the stream itself
            await self.app(scope, receive, send)
            return
        with self.limits.one_more_request(who.name if who else None, address):
            if request.method not in _READING:
                receive = await self._read(request, who)
            await self.app(scope, receive, send)

    def _check_target(self, request: Request) -> None:
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.settings.hosts:
            raise Refused(
                400,
                "This is not the service's address.",
                f"Use {self.settings.addresses[0]} instead.",
            )
        target = request.scope["raw_path"] + request.scope["query_string"]
        if len(target) > limits.URL_BYTES or _CONTROL.search(path_of(request)):
            raise Refused(400, "This is not an address of the service.", "Go back to your labs.")
        if sum(len(name) + len(value) for name, value in request.headers.raw) > limits.HEADER_BYTES:
            raise Refused(431, "The request's headers are too long.", "Delete this site's cookies.")
        names = Counter(request.headers.keys())
        has_two_lengths = names["content-length"] and names["transfer-encoding"]
        if has_two_lengths or any(names[name] > 1 for name in _ONCE):
            raise Refused(400, "The request says two things at once.", "Send it again.")

    async def _identify(self, request: Request, address: str) -> Who | None:
        try:
            who = await run_in_threadpool(self.sign_in.who, request)
        except sessions.UnknownSecret:
            self.limits.unknown(address)
            raise
        request.state.who = who
        if who is not None:
            self.limits.of_person(who.name, changes=request.method not in _READING)
        return who

    async def _read(self, request: Request, who: Who | None) -> Receive:
        """Reads what a request sends, after the checks that need no reading."""
        if request.method != "POST":
            raise HTTPException(405, headers={"Allow": "GET, HEAD, POST"})
        by_program = path_of(request).startswith("/api/")
        if by_program and (who is None or who.csrf):
            raise Refused(
                401, "The request carries no token.", "Send it as Authorization: Bearer TOKEN."
            )
        if not by_program:
            check_origin(self.settings, request)
        body = await limits.read_body(request, self._longest(request))
        if by_program:
            request.state.body = body
        else:
            # What visitors send is not parsed, which takes long: nothing that they may do needs it.
            request.state.form = await _form(request, body) if who else Form()
            if not path_of(request).startswith("/sign-in/"):  # the link is the secret
                check_token(who, request.state.form)
        return _replay(body, request.receive)

    def _longest(self, request: Request) -> int:
        found = _HAND_IN.fullmatch(path_of(request))
        if found is None:
            return limits.FORM_BYTES
        # For an unknown lab, enough is read to answer.
        file = self.file_bytes.get(found[1] or found[2], limits.FORM_BYTES)
        return file if found[2] else file + limits.FORM_BYTES


def check_origin(settings: WebSettings, request: Request) -> None:
    """Refuses a change that a page of another site asks a signed-in browser for."""
    site, sender = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        is_own = site == "same-origin"
    else:
        is_own = sender is not None and origin(sender) in settings.addresses
    if not is_own:
        raise Refused(
            403,
            "This request does not come from a page of the service.",
            "Open the service's own page, in a current browser, and try there.",
        )


def check_token(who: Who | None, form: Form) -> None:
    """Refuses a form that was not made for this session. A visitor's form has none."""
    if who is None:
        return
    if not hmac.compare_digest(form.fields.get("csrf", "").encode(), who.csrf.encode()):
        raise Refused(
            403, "This page is from an earlier session.", "Reload the page, and try again."
        )


async def _form(request: Request, body: bytes) -> Form:
    """The fields and the file of a form."""
    fields, name, content = {}, "", None
    form = Request(request.scope, _replay(body, request.receive))
    async with form.form(max_files=1, max_fields=100, max_part_size=limits.FORM_BYTES) as data:
        for key, value in data.multi_items():
            if isinstance(value, UploadFile):
                name, content = value.filename or "", await value.read()
            else:
                fields[key] = value
    return Form(fields, name, content)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that yields a body that was read before."""
    left = [body]

    async def receive_again() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return receive_again
