"""The page of whoever is signed in: nickname, tokens, browsers."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grader.service import people
from grader.service.refused import Refused
from grader.service.web.pages import form_of, number_of, render, see_other, service_of, viewer


def _me(request: Request, made: str = "", refused: Refused | None = None) -> Response:
    service, name = service_of(request), viewer(request).name
    person = people.person(service, name)
    tokens = [each for each in people.tokens_of(service, name) if each.revoked_at is None]
    values = {
        "here": "You",
        "nickname": person.nickname if person else None,
        "tokens": tokens,
        "zone": service.course.zone,
        "made": made,
        "refused": refused,
    }
    return render(request, "me.html.j2", values, refused.status if refused else 200)


def _nickname(request: Request) -> Response:
    service, name = service_of(request), viewer(request).name
    chosen = form_of(request).fields.get("nickname", "").strip()
    try:
        people.set_nickname(service, name, chosen or None)
    except Refused as refused:
        return _me(request, refused=refused)
    return see_other("/me")


def _make_token(request: Request) -> Response:
    """Shown in the answer, and never again."""
    service, name = service_of(request), viewer(request).name
    try:
        return _me(request, made=people.new_token(service, name, by=name))
    except Refused as refused:
        return _me(request, refused=refused)


def _end_token(request: Request) -> Response:
    service, name = service_of(request), viewer(request).name
    number = number_of(form_of(request).fields.get("id", ""))
    if number is None:
        raise Refused(400, "This form is incomplete.", "Reload the page, and try again.")
    people.revoke(service, name, by=name, token=number)
    return see_other("/me")


def _sign_out_everywhere(request: Request) -> Response:
    people.close_sessions(service_of(request), viewer(request).name)
    return see_other("/")


ROUTES = [
    Route("/me", _me),
    Route("/me/nickname", _nickname, methods=["POST"]),
    Route("/me/tokens", _make_token, methods=["POST"]),
    Route("/me/tokens/end", _end_token, methods=["POST"]),
    Route("/me/sign-out-everywhere", _sign_out_everywhere, methods=["POST"]),
]
