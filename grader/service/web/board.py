"""The board of a lab: its best results, under the nicknames of those who chose one."""

from collections.abc import Iterator
from functools import lru_cache
from sqlite3 import Row

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from grader.model.result import Result
from grader.pages.report.leaderboard import ranking
from grader.people.course.course import CourseLab
from grader.service.rules import lab_of, team_of
from grader.service.service import Service
from grader.service.web.pages import nothing_here, render, service_of, viewer


def _board(request: Request) -> Response:
    service, person = service_of(request), viewer(request)
    entry = lab_of(service, request.path_params["lab"])
    if not service.course.hand_in.board:
        raise nothing_here()
    lab = service.labs[entry.name]
    found = ranking(_entries(service, entry), lab)
    values = {"here": "Labs", "name": entry.name, "lab": lab, "found": found}
    return render(request, "board.html.j2", {**values, "mine": person.nickname})


def _entries(service: Service, lab: CourseLab) -> Iterator[tuple[str, Result]]:
    """Each member of a group who chose a nickname stands there with the group's result."""
    shown, students = _shown(service, lab), {*service.course.students}
    people = service.connect().execute(
        "SELECT name, nickname FROM people WHERE nickname IS NOT NULL AND role = 'student'"
    )
    for person in people.fetchall():
        if students and person["name"] not in students:
            continue  # who left the course cannot sign in to leave the board
        number = shown.get(team_of(service, person["name"], lab))
        if number is not None:
            yield person["nickname"], _result(service, number)


def _shown(service: Service, lab: CourseLab) -> dict[str, int]:
    """Each team's best or last graded submission. What lateness costs is no matter of the board."""
    rows = service.connect().execute(
        "SELECT team, points, number FROM submissions"
        " WHERE lab = ? AND points IS NOT NULL ORDER BY number",
        (lab.name,),
    )
    shown: dict[str, Row] = {}
    for row in rows:
        best = shown.get(row["team"])
        if best is None or lab.counts == "last" or row["points"] > best["points"]:
            shown[row["team"]] = row
    return {team: row["number"] for team, row in shown.items()}


def _result(service: Service, number: int) -> Result:
    query = "SELECT result FROM submissions WHERE number = ?"
    return _parsed(service.connect().execute(query, (number,)).fetchone()["result"])


@lru_cache(maxsize=2_000)
def _parsed(result: str) -> Result:
    """The board is asked for often, and results seldom change."""
    return Result.model_validate_json(result)


ROUTES = [Route("/board/{lab}", _board)]
