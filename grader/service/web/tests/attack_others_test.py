"""Attacks on what is another's: ids, lists, staff's pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.people.course.course import load_course
from grader.service import people
from grader.service.service import Service
from grader.service.tests.made_up import Clock, grade_next, hand_in, make_service, new_key
from grader.service.web.tests.attacked import SECRET, Site, attacked, every_path
from grader.service.web.tests.running import running

MISSING = "a" * 26


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with attacked(tmp_path_factory.mktemp("site")) as made:
        yield made


def _routes(site: Site, method: str) -> list[str]:
    """Every path of the service with cleo's, her lab's and her name's values in it."""
    values = {"id": site.graded, "lab": "fake_sum", "name": "cleo"}
    return every_path(site.service, method, values)


def test_a_visitor_sees_nothing_but_the_door(site: Site) -> None:
    for path in _routes(site, "GET"):
        assert site.running.ask("GET", path).status in (401, 404, 405), path


def test_a_visitor_changes_nothing(site: Site) -> None:
    before = _log_length(site)
    for path in _routes(site, "POST"):
        assert site.running.post(path).status in (303, 401, 404), path
    assert _log_length(site) == before


def test_another_student_finds_nothing_of_cleos_on_any_page(site: Site) -> None:
    for path in _routes(site, "GET"):
        if path.startswith("/board"):  # where cleo chose no name
            continue
        asks = [site.page("eve", path)]
        if path.startswith("/api/"):
            asks.append(site.api("eve", "GET", path))
        for answer in asks:
            if "cleo" in path or site.graded in path:
                assert answer.status == 404, path
            elif answer.status == 200:
                for found in (SECRET, site.graded.encode(), b"cleo"):
                    assert found not in answer.body, path


def test_staffs_pages_are_not_there_for_students(site: Site) -> None:
    for path in [path for path in _routes(site, "GET") if path.startswith("/staff")]:
        assert site.page("cleo", path).status == 404, path
        assert site.page("tess", path).status in (200, 404), path


def test_staffs_actions_are_not_there_for_students(site: Site) -> None:
    before = _log_length(site)
    for path in [path for path in _routes(site, "POST") if path.startswith("/staff")]:
        assert site.post("cleo", path).status == 404, path
    assert _log_length(site) == before


def _log_length(site: Site) -> int:
    site.cookie("cleo")  # whose sign-in is logged
    rows = site.service.connect().execute("SELECT COUNT(*) FROM log")
    return int(rows.fetchone()[0])


@pytest.mark.parametrize("form", ["/api/submissions/{}", "/api/submissions/{}/events"])
def test_a_foreign_id_is_answered_as_a_missing_one(site: Site, form: str) -> None:
    foreign = site.api("eve", "GET", form.format(site.graded))
    missing = site.api("eve", "GET", form.format(MISSING))
    assert foreign.status == missing.status == 404
    assert foreign.body == missing.body
    assert {*foreign.headers} == {*missing.headers}


@pytest.mark.parametrize(
    "submission_id",
    ["1", "0", "-1", "%25", "' OR '1'='1", "A" * 26, "a" * 25, "a" * 500, "*", "_" * 26, "null"],
)
def test_a_guessed_id_is_nobodys(site: Site, submission_id: str) -> None:
    path = f"/api/submissions/{submission_id}".replace(" ", "%20")
    assert site.api("tess", "GET", path).status == 404


def test_ids_cannot_be_counted_up(site: Site) -> None:
    ids = [hand_in(site.service, "dan").id for _ in range(3)]
    assert all(len(each) == 26 for each in ids)
    assert len({each[:8] for each in ids}) == 3


def test_a_partner_of_one_lab_does_not_see_another_lab(site: Site) -> None:
    of_group = hand_in(site.service, "ada", lab="fake_sum").id
    own = hand_in(site.service, "ada", lab="fake_scan").id
    assert site.api("ben", "GET", f"/api/submissions/{of_group}").status == 200
    assert site.api("ben", "GET", f"/api/submissions/{own}").status == 404


def test_nobody_hands_in_for_another(site: Site) -> None:
    headers = {"Idempotency_Key": new_key(), "X_Remote_User": "cleo", "X_Person": "cleo"}
    path = "/api/labs/fake_sum/submissions?person=cleo&team=cleo"
    answer = site.api("eve", "POST", path, b"int x;\n", **headers)
    assert (answer.json["person"], answer.json["team"]) == ("eve", "eve")


def test_another_persons_key_does_not_bring_their_receipt(site: Site) -> None:
    key = new_key()
    theirs = hand_in(site.service, "cleo", key=key)
    path = "/api/labs/fake_sum/submissions"
    answer = site.api("eve", "POST", path, b"int x;\n", Idempotency_Key=key)
    assert answer.status == 201
    assert answer.json["id"] != theirs.id


def test_a_student_who_left_the_course_is_nobody(tmp_path: Path) -> None:
    before = make_service(tmp_path)
    token, theirs = (people.new_token(before, name, "tess") for name in ("dan", "eve"))
    people.set_nickname(before, "dan", "heron")
    hand_in(before, "dan")
    grade_next(before)
    cookie = f"session={people.open_session(before, 'dan', token)[0]}"
    before.course_path.write_text(before.course_path.read_text().replace('"dan", ', ""))
    course = load_course(before.course_path)
    after = Service(course, before.course_path, before.data, before.labs, Clock())
    with running(after) as server:
        assert server.ask("GET", "/api/labs", headers={"Cookie": cookie}).status == 401
        bearer = {"Authorization": f"Bearer {token}"}
        assert server.ask("GET", "/api/labs", headers=bearer).status == 401
        assert server.post(f"/sign-in/{token}").status == 401
        board = server.ask("GET", "/board/fake_sum", headers={"Cookie": server.sign_in(theirs)})
        assert (board.status, "heron" in board.text) == (200, False)


def test_the_list_of_submissions_is_ones_own(site: Site) -> None:
    labs = {lab["lab"]: lab for lab in site.api("ben", "GET", "/api/labs").json}
    assert labs["fake_scan"]["submissions"] == 0
    assert labs["fake_sum"]["submissions"] >= 1
