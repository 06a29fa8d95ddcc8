"""The pages of staff: the queue, each lab's class, each student, each submission, the log."""

from collections.abc import Callable, Mapping
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from grader.pages.presentation.provenance import provenance_lines
from grader.people.course.course import CourseLab
from grader.service import desk, log, marks, people, queue, replays, requests
from grader.service.explanations import explanation
from grader.service.grading import control
from grader.service.hand_ins import term_so_far
from grader.service.marks import Given
from grader.service.overview import overview
from grader.service.people import Person
from grader.service.refused import Refused
from grader.service.rules import labs_of
from grader.service.service import Service
from grader.service.standing import counted_results, curve, grade_class_again, table
from grader.service.web.class_view import class_view, report_of
from grader.service.web.pages import (
    form_of,
    nothing_here,
    number_of,
    render,
    see_other,
    service_of,
    staff_viewer,
)
from grader.service.web.student_pages import FEEDBACK_POLICY
from grader.service.web.words import about

_ENTRIES = 100
"""Of the log on a page."""


def _page(
    request: Request, name: str, context: Mapping[str, object], status: int = 200
) -> Response:
    service = service_of(request)
    shared = {"here": "Staff", "zone": service.course.zone, "open": _open(service)}
    return render(request, name, {**shared, **context}, status)


def _open(service: Service) -> int:
    """Requests without an answer."""
    return len(requests.open_requests(service))


def _for_staff_alone(view: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Whoever else asks gets the same answer as for a page that does not exist."""

    def for_staff(request: Request) -> Response:
        staff_viewer(request)
        return view(request)

    return for_staff


def _home(request: Request) -> Response:
    service = service_of(request)
    values = {
        "run": overview(service),
        "wish": control.wish(service),
        "labs": labs_of(service),
        "about": about,
        "names": [*service.course.students, *service.course.staff],
    }
    return _page(request, "staff.html.j2", values)


def _set_wish(request: Request) -> Response:
    wish = control.CHANGES.get(form_of(request).fields.get("wish", ""))
    if wish is None:
        raise Refused(400, "This button does not exist.", "Reload the page, and try again.")
    wish(service_of(request), staff_viewer(request).name)
    return see_other("/staff")


def _lab(request: Request) -> Response:
    service, entry = _service_and_lab(request)
    name = entry.name
    rows = table(service, name)
    deadline = service.course.instant(entry.deadline) if entry.deadline else None
    results = counted_results(service, rows)
    view = class_view(service.labs[name], curve(service, name), results, deadline)
    rubric = marks.rubric_of(service.course, name)
    given = marks.points_of_class(service, name)
    values = {"name": name, "rows": rows, "view": view, "rubric": rubric, "given": given}
    return _page(request, "staff_lab.html.j2", values)


def _change_lab(request: Request) -> Response:
    service, lab = _service_and_lab(request)
    if form_of(request).fields.get("do") != "again":
        raise nothing_here()
    grade_class_again(service, lab.name, staff_viewer(request).name)
    return see_other("/staff")


def _service_and_lab(request: Request) -> tuple[Service, CourseLab]:
    service, name = service_of(request), request.path_params["lab"]
    entry = service.course.lab(name)
    if name not in service.labs or entry is None:
        raise nothing_here()
    return service, entry


def _report(request: Request) -> Response:
    """The page that `report` writes, of what counts now; its one script is known by its hash."""
    service, lab = _service_and_lab(request)
    results = counted_results(service, table(service, lab.name))
    html, script_hash = report_of(service.labs[lab.name], results, service.course.students)
    policy = f"{FEEDBACK_POLICY} allow-scripts; script-src '{script_hash}'"
    return HTMLResponse(html, headers={"Content-Security-Policy": policy})


def _find_person(request: Request) -> Response:
    name = request.query_params.get("name", "").strip()
    if people.person(service_of(request), name) is None:
        raise Refused(404, f"Nobody of the course is called {name!r}.", "Check the spelling.")
    return see_other(f"/staff/people/{quote(name)}")


def _person(request: Request, link: str = "", status: int = 200) -> Response:
    service, name = service_of(request), request.path_params["name"]
    someone = people.person(service, name)
    rows = desk.submissions_of(service, name)
    if someone is None and not rows:
        raise nothing_here()
    values = {
        "name": name,
        "someone": someone,
        "submissions": rows,
        "term": term_so_far(service, name, service.now()),
        "tokens": people.tokens_of(service, name),
        "link": link,
        "titles": {lab: known.title for lab, known in service.labs.items()},
    }
    return _page(request, "staff_person.html.j2", values, status)


def _change_person(request: Request) -> Response:
    """A new link is shown once, in the answer: no address and no log has it."""
    service, name = service_of(request), request.path_params["name"]
    by, fields = staff_viewer(request).name, form_of(request).fields
    if fields.get("do") == "link":
        token = people.new_token(service, name, by)
        address = request.app.state.settings.addresses[0]
        return _person(request, f"{address}/sign-in/{token}")
    if fields.get("do") == "revoke":
        text = fields.get("token", "")
        number = number_of(text)
        if text and number is None:
            raise nothing_here()
        people.revoke(service, name, by, number)
        return see_other(request.url.path)
    raise nothing_here()


def _submission(request: Request) -> Response:
    service, viewer = service_of(request), staff_viewer(request)
    row = desk.submission(service, request.path_params["id"], viewer)
    result = desk.result_of(service, row)
    explained = explanation(service, result) if result else None
    own_log = [d.text for d in result.diagnostics if d.phase == "judge"] if result else []
    values = {
        "row": row,
        "result": result,
        "derivation": explained[0] if explained else None,
        "facts": list(provenance_lines(explained[1])) if explained else [],
        "own_log": own_log,
        "others": desk.same_text_by_others(service, row),
        "replay": replays.last_of(service, row.number),
        "marks": marks.marks_of(service, row.lab, row.team),
        "requests": requests.requests_of(service, row.id),
        "entries": log.entries(service.connect(), about=row.id),
        "place": queue.place(service, row.id),
    }
    return _page(request, "staff_submission.html.j2", values)


def _change_submission(request: Request) -> Response:
    service, viewer, fields = service_of(request), staff_viewer(request), form_of(request).fields
    row = desk.submission(service, request.path_params["id"], viewer)
    if fields.get("do") == "again":
        queue.grade_again(service, row.id, viewer.name)
    elif fields.get("do") == "replay":
        replays.ask(service, row.id, viewer.name)
    elif fields.get("do") == "mark":
        _mark(service, viewer, row.lab, row.team, fields)
    else:
        raise nothing_here()
    return see_other(request.url.path)


def _mark(service: Service, viewer: Person, lab: str, team: str, fields: Mapping[str, str]) -> None:
    given = {
        item: Given(text, fields.get(f"comment-{item}", ""))
        for name, text in fields.items()
        if (item := name.removeprefix("points-")) != name
    }
    marks.give(service, lab, team, given, viewer.name)


def _requests(request: Request) -> Response:
    service = service_of(request)
    values = {
        "waiting": requests.open_requests(service),
        "answered": requests.answered_last(service),
    }
    return _page(request, "staff_requests.html.j2", values)


def _answer(request: Request) -> Response:
    service, fields = service_of(request), form_of(request).fields
    number = number_of(request.path_params["number"])
    if number is None:
        raise nothing_here()
    requests.answer(service, number, fields.get("answer", ""), staff_viewer(request).name)
    return see_other("/staff/requests")


def _log(request: Request) -> Response:
    service, query = service_of(request), request.query_params
    before, about = query.get("before", ""), query.get("about") or None
    entries = log.entries(service.connect(), about, number_of(before), _ENTRIES)
    values = {"entries": entries, "about": about, "is_full": len(entries) == _ENTRIES}
    return _page(request, "staff_log.html.j2", values)


def _staff_route(path: str, view: Callable[[Request], Response], method: str = "GET") -> Route:
    return Route(path, _for_staff_alone(view), methods=[method])


ROUTES = [
    _staff_route("/staff", _home),
    _staff_route("/staff", _set_wish, "POST"),
    _staff_route("/staff/labs/{lab}", _lab),
    _staff_route("/staff/labs/{lab}", _change_lab, "POST"),
    _staff_route("/staff/labs/{lab}/class", _report),
    _staff_route("/staff/people", _find_person),
    _staff_route("/staff/people/{name:path}", _person),
    _staff_route("/staff/people/{name:path}", _change_person, "POST"),
    _staff_route("/staff/submissions/{id}", _submission),
    _staff_route("/staff/submissions/{id}", _change_submission, "POST"),
    _staff_route("/staff/requests", _requests),
    _staff_route("/staff/requests/{number}", _answer, "POST"),
    _staff_route("/staff/log", _log),
]
