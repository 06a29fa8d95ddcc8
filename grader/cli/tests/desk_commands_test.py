"""The commands of `desk`: what they change, what they show, and that the log says who it was."""

import csv
import getpass
import json
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import main
from grader.cli.options import BAD_INPUT, GRADED
from grader.judging.store import Store
from grader.model.verdict import Verdict
from grader.service import desk, log, marks, people, queue, replays, requests
from grader.service.grading import control
from grader.service.people import Person
from grader.service.service import Service
from grader.service.tests.made_up import (
    GROUP,
    LABS,
    STAFF,
    STUDENTS,
    grade_next,
    hand_in,
    make_service,
)

BY = f"{getpass.getuser()} at a terminal"


class Terminal:
    """A member of staff at the machine of the service."""

    def __init__(self, service: Service, capsys: pytest.CaptureFixture[str]) -> None:
        self.service = service
        self._capsys = capsys
        self.said = ""

    def run(self, *words: str, code: int = GRADED) -> str:
        """What a command prints."""
        self._capsys.readouterr()
        ended = main(["desk", *words, "--course", str(self.service.course_path)])
        captured = self._capsys.readouterr()
        self.said = captured.err
        assert ended == code, captured.out + captured.err
        return captured.out

    def facts(self, *words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.run(*words, "--json"))
        return found

    def refused(self, *words: str) -> str:
        """What a command that changes nothing says."""
        self.run(*words, code=BAD_INPUT)
        assert self.said.startswith("error: ")
        assert "\n  next: " in self.said
        return self.said

    def last_change(self) -> tuple[str, str, str]:
        entry = log.entries(self.service.connect())[0]
        return entry.who, entry.what, entry.about


@pytest.fixture
def service(tmp_path: Path) -> Service:
    made = make_service(tmp_path, hand_in='data = "data"')
    for name, lab in LABS.items():
        with Store(made.data / "results" / name, create=True) as store:
            store.bind(name, lab)
    return made


@pytest.fixture
def terminal(service: Service, capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(service, capsys)


def staff_of(service: Service) -> Person:
    found = people.person(service, STAFF)
    assert found
    return found


def test_queue_shows_what_waits_and_what_is_wrong(service: Service, terminal: Terminal) -> None:
    hand_in(service, "cleo")
    grade_next(service, Verdict.JUDGE_ERROR)
    waiting = hand_in(service, "dan").id
    said = terminal.run("queue")
    assert "grade: 1 waiting, 0 being graded" in said
    assert waiting in said
    assert "could not be judged" in said
    assert "next: " in said
    facts = terminal.facts("queue")
    assert [each["id"] for each in facts["queue"]] == [waiting]
    assert len(facts["not_judged"]) == 1


@pytest.mark.parametrize(
    ("command", "wish"), [("pause", "pause"), ("resume", "grade"), ("drain", "drain")]
)
def test_the_graders_are_told_what_to_do(
    service: Service, terminal: Terminal, command: str, wish: str
) -> None:
    assert terminal.facts(command)["wish"] == wish
    assert control.wish(service) == wish
    assert terminal.last_change()[0] == BY


def test_a_link_signs_in_until_it_is_revoked(service: Service, terminal: Terminal) -> None:
    link = terminal.run("link", "cleo").strip()
    assert link.startswith("https://labs.example.edu/sign-in/")
    token = link.rsplit("/", 1)[1]
    found = people.person_by_token(service, token)
    assert found
    assert found.name == "cleo"
    assert terminal.facts("revoke", "cleo")["revoked"] == 1
    assert people.person_by_token(service, token) is None
    assert "neither in students nor in staff" in terminal.refused("link", "clio")
    assert "nobody of the course" in terminal.refused("revoke", "clio")


def test_links_of_the_class_are_in_a_new_file_for_its_owner_alone(
    service: Service, terminal: Terminal, tmp_path: Path
) -> None:
    people.new_token(service, "ada", STAFF)
    to = tmp_path / "links.csv"
    assert terminal.facts("links", "--to", str(to))["links"] == len(STUDENTS) - 1
    assert to.stat().st_mode & 0o777 == 0o600
    with to.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["student"] for row in rows] == [name for name in STUDENTS if name != "ada"]
    for row in rows:
        found = people.person_by_token(service, row["link"].rsplit("/", 1)[1])
        assert found
        assert found.name == row["student"]
    before = to.read_bytes()
    assert "exists" in terminal.refused("links", "--to", str(to), "--all")
    assert to.read_bytes() == before
    assert len(people.tokens_of(service, "ada")) == 1
    other = str(tmp_path / "all.csv")
    assert terminal.facts("links", "--to", other, "--all")["links"] == len(STUDENTS)


def test_marks_are_given_and_taken_back(service: Service, terminal: Terminal) -> None:
    terminal.run("mark", "fake_sum", GROUP, "style=4.5", "--comment", "style=Long lines")
    (mark,) = marks.marks_of(service, "fake_sum", GROUP)
    assert (str(mark.points), mark.comment, mark.by) == ("4.50", "Long lines", BY)
    terminal.run("mark", "fake_sum", GROUP, "style=5")
    assert marks.marks_of(service, "fake_sum", GROUP)[0].comment == "Long lines"
    terminal.run("mark", "fake_sum", GROUP, "style=")
    assert marks.marks_of(service, "fake_sum", GROUP)[0].points is None
    assert "from 0 to 5" in terminal.refused("mark", "fake_sum", GROUP, "style=9")
    assert "is not ITEM=VALUE" in terminal.refused("mark", "fake_sum", GROUP, "style")
    assert "no lab 'sum'" in terminal.refused("mark", "sum", GROUP, "style=1")
    comment = ("--comment", "other=x")
    assert "no points for other" in terminal.refused("mark", "fake_sum", GROUP, "style=1", *comment)


def test_a_request_is_listed_and_answered(service: Service, terminal: Terminal) -> None:
    submission = hand_in(service, "cleo").id
    grade_next(service)
    cleo = people.person(service, "cleo")
    assert cleo
    requests.ask(service, cleo, submission, "", "Why so few?", ())
    assert "Why so few?" in terminal.run("requests")
    (asked,) = terminal.facts("requests")["requests"]
    assert "is empty" in terminal.refused("answer", str(asked["id"]), " ")
    terminal.run("answer", str(asked["id"]), "Read line 3.")
    assert terminal.last_change() == (BY, "request answered", submission)
    assert "no request waits" in terminal.run("requests")
    assert "no open request" in terminal.refused("answer", str(asked["id"]), "again")


def test_what_counts_is_graded_again_by_lab_or_by_id(service: Service, terminal: Terminal) -> None:
    first = hand_in(service, "cleo", "fake_scan").id
    grade_next(service)
    second = hand_in(service, "cleo", "fake_scan").id
    grade_next(service, Verdict.WRONG_ANSWER)
    assert terminal.facts("regrade", "--lab", "fake_scan")["waiting"] == [first]
    assert terminal.facts("regrade", second)["waiting"] == [second]
    states = [row.state for row in desk.submissions_of(service, "cleo")]
    assert states == ["waiting", "waiting"]
    assert "not graded yet" in terminal.refused("regrade", second)
    assert "name submissions, or --lab" in terminal.refused("regrade")


def test_staff_are_told_who_else_handed_in_the_text(service: Service, terminal: Terminal) -> None:
    first = hand_in(service, "cleo", text="int same;").id
    second = hand_in(service, "dan", text="int same;").id
    assert f"handed in the same text: {first}" in terminal.run("submission", second)
    assert terminal.facts("submission", first)["same_text_by_others"] == [second]


def test_a_submission_is_explained_and_replayed(service: Service, terminal: Terminal) -> None:
    submission = hand_in(service, "cleo").id
    grade_next(service)
    marks.give(service, "fake_sum", "cleo", {"style": marks.Given("3", "fine")}, STAFF)
    said = terminal.run("submission", submission)
    assert "where they come from" in said
    assert "style: 3.00 of 5 fine" in said
    facts = terminal.facts("submission", submission)
    assert facts["submission"]["person"] == "cleo"
    assert facts["derivation"]["parts"]
    terminal.run("replay", submission)
    assert terminal.facts("submission", submission)["replay"]["state"] == "waiting"
    number = desk.submission(service, submission, staff_of(service)).number
    asked = replays.last_of(service, number)
    assert asked
    assert asked.asked_by == BY
    assert "no such submission" in terminal.refused("submission", "nothing")
    assert "waits to be repeated" in terminal.refused("replay", submission)


def test_a_person_a_class_and_the_log_are_shown(service: Service, terminal: Terminal) -> None:
    submission = hand_in(service, "cleo").id
    grade_next(service)
    people.new_token(service, "cleo", STAFF)
    said = terminal.run("person", "cleo")
    assert submission in said
    assert f"by {STAFF}" in said
    assert "fake_sum: No marks yet for style" in said
    assert "nobody of the course" in terminal.refused("person", "clio")
    found = {row["student"]: row for row in terminal.facts("class", "fake_sum")["students"]}
    assert set(found) == set(STUDENTS)
    assert found["cleo"]["counted"] == submission
    assert found["dan"]["counted"] is None
    with service.change() as change:
        change.log(log.SERVICE, "phase", submission, "testing")
    entries = terminal.facts("log", "--about", submission)["entries"]
    assert [entry["what"] for entry in entries] == ["graded", "grading started", "handed in"]
    assert len(terminal.facts("log", "--most", "1")["entries"]) == 1


def test_a_folder_without_a_service_is_named_and_stays_as_it_is(
    service: Service, terminal: Terminal, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    assert f"no service has run in {other}" in terminal.refused("queue", "--data", str(other))
    assert not other.exists()
    text = service.course_path.read_text().replace('data = "data"\n', "")
    service.course_path.write_text(text)
    assert "is not known" in terminal.refused("queue")
    assert queue.claim(service, 0) is None
