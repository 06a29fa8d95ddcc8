"""What the commands of `desk` do: the same functions that staff's pages call."""

import csv
import getpass
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from grader.judging.store import FILE_NAME as RESULTS
from grader.judging.store import Store
from grader.model.errors import GraderError
from grader.model.files import write_error
from grader.model.lab import Lab
from grader.pages.export.csv_format import cell
from grader.people.course.course import Course, load_course
from grader.service import desk, marks, people, queue, replays, requests
from grader.service.database import require
from grader.service.grading import control
from grader.service.hand_ins import folder_of
from grader.service.marks import Given
from grader.service.people import Person
from grader.service.refused import Refused
from grader.service.service import Service
from grader.service.standing import grade_class_again
from grader.service.web.settings import HOST, PORT

Facts = dict[str, Any]


def opened(course_path: Path, data: Path | None) -> Service:
    """The service of a folder in which it has run; GraderError for others."""
    course = load_course(course_path)
    folder = folder_of(course, course_path, data)
    if folder is None:
        step = "name it with --data, or as hand_in.data in course.toml"
        raise GraderError("the service's folder is not known", step)
    require(folder)
    service = Service(course, course_path, folder, _labs(course, folder))
    people.enrol(service)
    return service


def _labs(course: Course, data: Path) -> dict[str, Lab]:
    """Those in which something was graded, as of the last grading."""
    found = {}
    for entry in course.labs:
        folder = data / "results" / entry.name
        if (folder / RESULTS).exists():
            with Store(folder, create=False) as store:
                found[entry.name] = store.lab()[1]
    return found


@contextmanager
def translated() -> Iterator[None]:
    try:
        yield
    except Refused as refused:
        raise GraderError(refused.error, refused.next) from refused


def _by() -> str:
    """Who does it, for the log: a login name says which colleague it was."""
    return f"{getpass.getuser()} at a terminal"


def staff() -> Person:
    return Person(_by(), "staff")


def say(*lines: str) -> None:
    for line in lines:
        Console().print(Text(line), soft_wrap=True)


def set_wish(service: Service, wish: str, facts: Facts) -> None:
    with translated():
        control.CHANGES[wish](service, _by())
    facts["wish"] = control.wish(service)
    say(f"the graders are told to {facts['wish']}")


def _address(service: Service, token: str) -> str:
    address = service.course.hand_in.address or f"http://{HOST}:{PORT}"
    return f"{address}/sign-in/{token}"


def make_link(service: Service, name: str, facts: Facts) -> None:
    with translated():
        address = _address(service, people.new_token(service, name, _by()))
    facts.update(person=name, link=address)
    say(address)


def make_links(service: Service, to: Path, facts: Facts, *, is_for_all: bool) -> None:
    """The file is made before the first token: what cannot be written was not made either."""
    course = service.course
    members = {name for group in course.groups for name in group.students}
    names = sorted({*course.students, *members})
    if not is_for_all:
        names = [name for name in names if not _has_token(service, name)]
    try:
        descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise GraderError(f"{to} exists", "choose a new file for --to") from error
    except OSError as error:
        raise write_error(to, error) from error
    with translated(), os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\r\n")
        rows.writerow(("student", "link"))
        for name in names:
            rows.writerow((cell(name), _address(service, people.new_token(service, name, _by()))))
    facts.update(written=to.resolve(), links=len(names))
    say(f"wrote {len(names)} links to {to.resolve()}: delete it when they are sent")


def _has_token(service: Service, name: str) -> bool:
    return any(token.revoked_at is None for token in people.tokens_of(service, name))


def revoke(service: Service, name: str, token: int | None, facts: Facts) -> None:
    require_person(service, name)
    with translated():
        count = people.revoke(service, name, _by(), token)
    facts.update(person=name, revoked=count)
    say(f"{count} of {name}'s links and tokens ended")


def require_person(service: Service, name: str) -> None:
    known = people.person(service, name) or desk.submissions_of(service, name)
    if not known and not people.tokens_of(service, name):
        raise GraderError(f"nobody of the course is called {name!r}", "check the spelling")


def require_lab(service: Service, lab: str) -> None:
    names = [entry.name for entry in service.course.labs]
    if lab not in names:
        raise GraderError(f"no lab {lab!r} in the course", f"use {', '.join(names)}")


def grade_again(service: Service, ids: Sequence[str], lab: str | None, facts: Facts) -> None:
    with translated():
        if lab is None:
            for submission in ids:
                queue.grade_again(service, submission, _by())
        else:
            require_lab(service, lab)
            ids = grade_class_again(service, lab, _by())
    facts["waiting"] = list(ids)
    say(f"waiting to be graded again: {len(ids)}")


def replay(service: Service, submission: str, facts: Facts) -> None:
    with translated():
        replays.ask(service, submission, _by())
    facts["waiting"] = submission
    say(
        "the service repeats it as soon as a grader is free",
        f"  next: desk submission {submission}",
    )


def mark(
    service: Service,
    lab: str,
    team: str,
    points: Sequence[str],
    comments: Sequence[str],
    facts: Facts,
) -> None:
    """A comment that is not given stays as it is."""
    require_lab(service, lab)
    said = dict(_pair(text) for text in comments)
    old = {each.item: each.comment for each in marks.marks_of(service, lab, team)}
    given = {}
    for item, value in (_pair(text) for text in points):
        comment = said.pop(item, old.get(item, "") if value else "")
        given[item] = Given(value, comment)
    if said:
        raise GraderError(f"no points for {', '.join(said)}", "give ITEM=POINTS for each comment")
    with translated():
        marks.give(service, lab, team, given, _by())
    now = marks.marks_of(service, lab, team)
    facts.update(lab=lab, team=team, marks=[asdict(each) for each in now])
    for each in now:
        points_text = "not marked" if each.points is None else f"{each.points} of {each.max_points}"
        say(f"{each.item}: {points_text}")


def _pair(text: str) -> tuple[str, str]:
    item, equals, value = text.partition("=")
    if not equals:
        raise GraderError(f"{text!r} is not ITEM=VALUE", "write for example style=4")
    return item, value


def answer(service: Service, number: int, text: str, facts: Facts) -> None:
    with translated():
        answered = requests.answer(service, number, text, _by())
    facts.update(asdict(answered))
    say(f"request {number} is answered")
