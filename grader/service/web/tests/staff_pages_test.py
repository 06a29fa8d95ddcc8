"""Staff's pages over a real connection: what they show, who may see them, what they change."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.model.verdict import Verdict
from grader.service import desk, log, marks, people, queue, replays, requests
from grader.service.grading import control
from grader.service.people import Person
from grader.service.service import Service
from grader.service.tests.made_up import GROUP, STAFF, Clock, grade_next, hand_in, make_service
from grader.service.web.tests.running import Answer, Running, running

EVIL = "<img src=x onerror=alert(1)>"


@dataclass
class Browser:
    """Someone who is signed in."""

    site: Running
    cookie: str

    def get(self, path: str) -> Answer:
        return self.site.ask("GET", path, headers={"Cookie": self.cookie})

    def page(self, path: str) -> str:
        answer = self.get(path)
        assert answer.status == 200, answer.text
        return answer.text

    def token(self, page: str = "/staff") -> str:
        found = re.search(r'name="csrf" value="([^"]+)"', self.get(page).text)
        assert found
        return found[1]

    def post(self, path: str, **fields: str) -> Answer:
        return self.site.post(path, self.cookie, csrf=self.token(), **fields)


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return make_service(tmp_path)


@pytest.fixture
def site(service: Service) -> Iterator[Running]:
    with running(service) as started:
        yield started


def sign_in(service: Service, site: Running, name: str) -> Browser:
    return Browser(site, site.sign_in(people.new_token(service, name, "setup")))


@pytest.fixture
def staff(service: Service, site: Running) -> Browser:
    return sign_in(service, site, STAFF)


def someone(service: Service, name: str) -> Person:
    found = people.person(service, name)
    assert found
    return found


def last_change(service: Service, what: str) -> tuple[str, str]:
    """Who made the last change of a kind, and about what."""
    entry = next(e for e in log.entries(service.connect()) if e.what == what)
    return entry.who, entry.about


def test_students_and_visitors_find_nothing_under_staff(service: Service, site: Running) -> None:
    submission = hand_in(service, "cleo").id
    student = sign_in(service, site, "cleo")
    paths = (
        "/staff",
        "/staff/labs/fake_sum",
        "/staff/labs/fake_sum/class",
        "/staff/people?name=cleo",
        "/staff/people/cleo",
        f"/staff/submissions/{submission}",
        "/staff/requests",
        "/staff/log",
    )
    for path in paths:
        assert student.get(path).status == 404, path
        assert site.ask("GET", path).status == 401, path
    token = re.findall(r'name="csrf" value="([^"]+)"', student.get("/staff").text)[0]
    changes = {
        "/staff": {"wish": "pause"},
        "/staff/people/cleo": {"do": "link"},
        f"/staff/submissions/{submission}": {"do": "mark", "points-style": "5"},
        "/staff/requests/1": {"answer": "yes"},
    }
    for path, fields in changes.items():
        assert site.post(path, student.cookie, csrf=token, **fields).status == 404, path
    assert control.wish(service) == "grade"
    assert len(people.tokens_of(service, "cleo")) == 1
    assert marks.marks_of(service, "fake_sum", "cleo")[0].points is None


def test_nothing_is_changed_without_the_session_s_own_token(
    service: Service, site: Running, staff: Browser
) -> None:
    submission = hand_in(service, "cleo").id
    grade_next(service)
    foreign = sign_in(service, site, STAFF).token()
    for path, fields in (
        ("/staff", {"wish": "pause"}),
        ("/staff/people/cleo", {"do": "revoke"}),
        (f"/staff/submissions/{submission}", {"do": "again"}),
        ("/staff/requests/1", {"answer": "yes"}),
    ):
        for token in ("", foreign):
            answer = site.post(path, staff.cookie, csrf=token, **fields)
            assert answer.status == 403, path
    assert control.wish(service) == "grade"


def test_the_queue_says_who_waits_for_what(service: Service, staff: Browser) -> None:
    hand_in(service, "ada")
    hand_in(service, "cleo", "fake_scan")
    queue.claim(service, 0)
    page = staff.page("/staff")
    assert "1 waiting, 1 being graded" in page
    assert page.index("ada</a>") < page.index("cleo</a>")
    assert f"for {GROUP}" in page
    assert "grades <a" in page


def test_pause_resume_and_drain_are_buttons_and_are_logged(
    service: Service, staff: Browser
) -> None:
    for wish, state, words in (
        ("pause", "pause", "Paused"),
        ("resume", "grade", "Grading."),
        ("drain", "drain", "Draining"),
    ):
        assert staff.post("/staff", wish=wish).status == 303
        assert control.wish(service) == state
        assert words in staff.page("/staff")
    assert last_change(service, "paused")[0] == STAFF
    assert staff.post("/staff", wish="explode").status == 400


def test_trouble_is_named_with_its_next_step(service: Service, staff: Browser) -> None:
    assert 'class="notice"' not in staff.page("/staff")
    submission = hand_in(service, "cleo").id
    grade_next(service, Verdict.JUDGE_ERROR)
    page = staff.page("/staff")
    assert "1 submission could not be judged" in page
    assert f"/staff/submissions/{submission}" in page


def test_a_lab_shows_its_class(service: Service, staff: Browser) -> None:
    hand_in(service, "cleo")
    grade_next(service, Verdict.DATA_RACE)
    hand_in(service, "ben")
    grade_next(service)
    page = staff.page("/staff/labs/fake_sum")
    assert "Submissions: 2" in page
    assert "data race" in page
    assert "Commonest failures" in page
    assert "polyline" in page
    for student in ("ada", "ben", "cleo", "dan", "eve"):
        assert f"/staff/people/{student}" in page
    assert page.count("0 of 1") >= 5  # nobody is marked
    assert "dashed" not in page
    assert "Nobody has handed in yet" in staff.page("/staff/labs/fake_scan")
    assert staff.get("/staff/labs/other").status == 404


def test_a_class_is_graded_again_and_who_waits_keeps_the_place(
    service: Service, staff: Browser
) -> None:
    first = hand_in(service, "cleo").id
    grade_next(service)
    hand_in(service, "ben")
    assert staff.post("/staff/labs/fake_sum", do="again").status == 303
    assert last_change(service, "asked to grade again") == (STAFF, first)
    states = {row.state for row in desk.submissions_of(service, "cleo")}
    assert states == {"waiting"}
    assert staff.post("/staff/labs/fake_sum", do="other").status == 404


def test_the_deadline_is_in_the_curve(service: Service, staff: Browser) -> None:
    assert isinstance(service.clock, Clock)
    hand_in(service, "cleo")
    service.clock.move(days=4)
    hand_in(service, "dan")
    assert "the dashed line is the deadline" in staff.page("/staff/labs/fake_sum")


def test_the_class_report_runs_its_own_script_alone(service: Service, staff: Browser) -> None:
    hand_in(service, "cleo")
    grade_next(service)
    answer = staff.get("/staff/labs/fake_sum/class")
    assert answer.status == 200
    policy = str(answer.headers["Content-Security-Policy"])
    assert "script-src 'sha256-" in policy
    assert "sandbox allow-scripts" in policy
    assert "cleo" in answer.text


def test_a_person_has_a_history_and_links_that_are_shown_once(
    service: Service, site: Running, staff: Browser
) -> None:
    submission = hand_in(service, "cleo").id
    assert staff.get("/staff/people?name=cleo").headers["Location"] == "/staff/people/cleo"
    assert staff.get("/staff/people?name=nobody").status == 404
    page = staff.page("/staff/people/cleo")
    assert f"/staff/submissions/{submission}" in page
    assert "In the service&#39;s queue; not counted yet." in page
    assert "free late days left: 2" in page
    made = staff.post("/staff/people/cleo", do="link")
    link = re.search(r"/sign-in/([a-z0-9]+)", made.text)
    assert link
    assert link[1] not in staff.page("/staff/people/cleo")
    assert all(link[1] not in entry.detail for entry in log.entries(service.connect()))
    student = Browser(site, site.sign_in(link[1]))
    assert student.get("/api/labs").status in (200, 401)
    number = people.tokens_of(service, "cleo")[0].id
    assert staff.post("/staff/people/cleo", do="revoke", token=str(number)).status == 303
    assert site.post(f"/sign-in/{link[1]}").status == 401
    assert last_change(service, "tokens revoked") == (STAFF, "cleo")


def test_a_submission_is_graded_again_and_replayed_from_its_page(
    service: Service, staff: Browser
) -> None:
    submission = hand_in(service, "cleo").id
    path = f"/staff/submissions/{submission}"
    assert 'value="again"' not in staff.page(path)
    grade_next(service)
    page = staff.page(path)
    assert "Where each point comes from" in page
    assert "seed" in page
    assert staff.post(path, do="replay").status == 303
    assert "A replay is waiting" in staff.page(path)
    assert staff.post(path, do="replay").status == 409
    assert staff.post(path, do="again").status == 303
    row = desk.submission(service, submission, someone(service, STAFF))
    assert row.state == "waiting"
    assert last_change(service, "asked to grade again") == (STAFF, submission)
    asked = replays.last_of(service, row.number)
    assert asked
    assert asked.asked_by == STAFF


def test_marks_are_saved_beside_the_automatic_points(service: Service, staff: Browser) -> None:
    submission = hand_in(service, "ben").id
    grade_next(service)
    path = f"/staff/submissions/{submission}"
    fields = {"points-style": "4,5", "comment-style": EVIL}
    assert staff.post(path, do="mark", **fields).status == 303
    page = staff.page(path)
    assert 'value="4.50"' in page
    assert EVIL not in page
    assert "&lt;img src=x" in page
    assert last_change(service, "marked") == (STAFF, GROUP)
    refused = staff.post(path, do="mark", **{"points-style": "6"})
    assert refused.status == 400
    assert "from 0 to 5" in refused.text


def test_a_request_is_answered_from_the_list(service: Service, staff: Browser) -> None:
    submission = hand_in(service, "cleo").id
    grade_next(service)
    requests.ask(service, someone(service, "cleo"), submission, "", f"why? {EVIL}", ())
    page = staff.page("/staff/requests")
    assert "why?" in page
    assert EVIL not in page
    assert "Requests (1)" in page
    (asked,) = requests.open_requests(service)
    assert staff.post(f"/staff/requests/{asked.id}", answer=" ").status == 400
    assert staff.post(f"/staff/requests/{asked.id}", answer="Because.").status == 303
    assert "Requests (0)" in staff.page("/staff/requests")
    assert "Because." in staff.page(f"/staff/submissions/{submission}")
    assert staff.post(f"/staff/requests/{asked.id}", answer="No.").status == 404


def test_the_log_pages_back_and_finds_what_is_about_one(service: Service, staff: Browser) -> None:
    for number in range(120):
        with service.change() as change:
            change.log("setup", "counted", f"thing {number}", EVIL)
    page = staff.page("/staff/log")
    assert EVIL not in page
    older = re.search(r'href="(/staff/log\?before=\d+)"', page)
    assert older
    assert "thing 3<" not in page
    assert "thing 3<" in staff.page(older[1])
    assert staff.page(f"/staff/log?about={STAFF}").count("signed in") == 1
    page = staff.page("/staff/log?about=thing%205")
    assert "thing 5<" in page
    assert "thing 50<" not in page
    assert staff.get("/staff/log?before=x").status == 200


def test_staff_alone_see_that_another_team_handed_in_the_same_text(
    service: Service, staff: Browser, site: Running
) -> None:
    first = hand_in(service, "cleo", text="int same;")
    second = hand_in(service, "dan", text="int same;")
    other = hand_in(service, "dan", text="int own;")
    page = staff.page(f"/staff/submissions/{second.id}")
    assert "The same text was handed in by" in page
    assert first.id in page
    assert second.id in staff.page(f"/staff/submissions/{first.id}")
    assert "The same text" not in staff.page(f"/staff/submissions/{other.id}")
    assert "same text" not in sign_in(service, site, "dan").page(f"/submissions/{second.id}")
