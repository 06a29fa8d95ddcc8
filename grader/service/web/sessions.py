"""Who makes a request: by a browser's session, a program's token, or the proxy's header."""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from grader.people.course.hand_in import LOCAL
from grader.service import people
from grader.service.refused import Refused
from grader.service.service import Service
from grader.service.web.limits import network_of
from grader.service.web.pages import Who
from grader.service.web.settings import WebSettings

LONGEST_SECRET = 64
_PORT = re.compile(r":[0-9]*\Z")


class UnknownSecret(Refused):
    """A token or link that is nobody's, which is counted against the address it came from."""


@dataclass(frozen=True)
class SignIn:
    """Finds out who makes a request."""

    service: Service
    settings: WebSettings
    _key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def who(self, request: HTTPConnection) -> Who | None:
        """Who makes it; None if nobody is signed in. Reads the database. Refused for bad secrets.

        A program's token counts for the API alone, where no browser adds it by itself.
        """
        authorization = request.headers.get("authorization")
        if request.scope["path"].startswith("/api/") and authorization is not None:
            return Who(self._by_token(authorization))
        named = self._named_by_proxy(request)
        if named is not None:
            return Who(named, self._token_of(named.name))
        cookie = request.cookies.get(cookie_name(self.settings, request))
        if not cookie or len(cookie) > LONGEST_SECRET:
            return None
        session = people.session_of(self.service, cookie)
        return Who(session.person, session.csrf) if session else None

    def _by_token(self, authorization: str) -> people.Person:
        scheme, _, token = authorization.partition(" ")
        token = token.strip()
        if scheme.lower() == "bearer" and 0 < len(token) <= LONGEST_SECRET:
            found = people.person_by_token(self.service, token)
            if found is not None:
                return found
        raise UnknownSecret(
            401,
            "This token is not valid, or not any more.",
            "Open your personal link and make a new one there, or ask the course staff.",
        )

    def _named_by_proxy(self, request: HTTPConnection) -> people.Person | None:
        """Whom the proxy names. Headers of others are no evidence: they were stripped before."""
        if self.settings.trust_header is None:
            return None
        sent = request.headers.get(self.settings.trust_header)
        if not sent:
            return None
        name = sent.encode("latin-1").decode("utf-8", "replace")
        found = people.person(self.service, name)
        if found is None:
            raise Refused(
                403,
                f"You are signed in as {name}, who is not on the class list.",
                "Ask the course staff to add you.",
            )
        return found

    def _token_of(self, name: str) -> str:
        """What forms carry where the session is the proxy's."""
        return hmac.new(self._key, name.encode(), hashlib.sha256).hexdigest()


def is_proxy(settings: WebSettings, request: HTTPConnection) -> bool:
    """Whether the request comes from the one peer that is believed."""
    peer = request.client.host if request.client else ""
    return settings.proxy_address is not None and peer == settings.proxy_address


def address_of(settings: WebSettings, request: HTTPConnection) -> str:
    """The network that the request comes from; the proxy's last entry says for whom it asks."""
    if is_proxy(settings, request):
        forwarded = request.headers.getlist("x-forwarded-for")
        if forwarded:
            return network_of(forwarded[-1].rsplit(",", 1)[-1].strip()[:45])
    return network_of(request.client.host) if request.client else ""


def strip(settings: WebSettings, request: HTTPConnection) -> None:
    """Removes the headers that only the proxy may set; refuses two names from the proxy."""
    if settings.trust_header is None:
        return
    name = settings.trust_header.lower().encode()
    headers = request.scope["headers"]
    if not is_proxy(settings, request):
        request.scope["headers"] = [(key, value) for key, value in headers if key.lower() != name]
    elif sum(key.lower() == name for key, _ in headers) > 1:
        raise Refused(
            400, "The proxy named two people.", "Tell the course staff, who set up the proxy."
        )


def is_secure(settings: WebSettings, request: HTTPConnection) -> bool:
    """False only for plain http to this machine's own name, without a proxy in between."""
    if request.scope.get("scheme") == "https" or is_proxy(settings, request):
        return True
    return not is_local(request)


def is_local(request: HTTPConnection) -> bool:
    """Whether it was sent to a name of this machine that no other machine has."""
    return _PORT.sub("", request.headers.get("host", "").lower()).strip("[]") in LOCAL


def cookie_name(settings: WebSettings, request: HTTPConnection) -> str:
    """With __Host-, no other server of the domain can set it."""
    return "__Host-session" if is_secure(settings, request) else "session"


def set_cookie(settings: WebSettings, request: Request, answer: Response, secret: str) -> None:
    """Hands the session's secret to the browser; an empty one takes it back."""
    answer.set_cookie(
        cookie_name(settings, request),
        secret,
        max_age=int(people.SESSION_LASTS.total_seconds()) if secret else 0,
        secure=is_secure(settings, request),
        httponly=True,
        samesite="lax",
    )
