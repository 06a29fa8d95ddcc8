"""Signing in by a personal link, and out."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grader.service import people
from grader.service.web import sessions
from grader.service.web.pages import render, see_other, service_of


def _ask(request: Request) -> Response:
    """A button: what only follows links, such as a preview, does not sign in."""
    return render(request, "sign_in.html.j2", {"token": request.path_params["token"]})


def _sign_in(request: Request) -> Response:
    """A new session, never one that the browser came with."""
    service, token = service_of(request), request.path_params["token"]
    limits = request.app.state.limits
    is_short = len(token) <= sessions.LONGEST_SECRET
    person = people.person_by_token(service, token) if is_short else None
    if person is None:
        limits.unknown(sessions.address_of(request.app.state.settings, request))
        raise people.invalid_link()
    limits.of_person(person.name, changes=True)
    _close(request)
    secret, _ = people.open_session(service, person.name, token)
    answer = see_other("/")
    sessions.set_cookie(request.app.state.settings, request, answer, secret)
    return answer


def _sign_out(request: Request) -> Response:
    _close(request)
    answer = see_other("/")
    sessions.set_cookie(request.app.state.settings, request, answer, "")
    return answer


def _close(request: Request) -> None:
    secret = request.cookies.get(sessions.cookie_name(request.app.state.settings, request))
    if secret:
        people.close_session(service_of(request), secret)


ROUTES = [
    Route("/sign-in/{token}", _ask),
    Route("/sign-in/{token}", _sign_in, methods=["POST"]),
    Route("/sign-out", _sign_out, methods=["POST"]),
]
