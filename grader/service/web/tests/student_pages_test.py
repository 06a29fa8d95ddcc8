"""What students see and do on their pages, over a real connection and without a browser."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.model.verdict import Verdict
from grader.pages.report.tests.parsed_page import Page
from grader.service import desk, marks, people, queue, requests
from grader.service.service import Service
from grader.service.tests.made_up import Clock, grade_next, hand_in, make_service, new_key
from grader.service.web.tests.running import Answer, Running, running


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(tmp_path: Path, clock: Clock) -> Service:
    return make_service(tmp_path, hand_in="attempts_per_day = 3\npause_s = 30", clock=clock)


@pytest.fixture
def site(service: Service) -> Iterator[Running]:
    with running(service) as site:
        yield site


class Reader:
    """Someone who is signed in."""

    def __init__(self, service: Service, site: Running, name: str) -> None:
        self._site = site
        self.cookie = site.sign_in(people.new_token(service, name, by="tess"))

    def get(self, path: str) -> Answer:
        return self._site.ask("GET", path, headers={"Cookie": self.cookie})

    def page(self, path: str) -> Page:
        answer = self.get(path)
        assert answer.status == 200, answer.text
        return Page(answer.text)

    def words(self, path: str) -> str:
        """What is to be read there, with a blank for each tag."""
        self.page(path)
        return " ".join(html.unescape(re.sub("<[^>]*>", " ", self.get(path).text)).split())

    def csrf(self) -> str:
        return _value(self.page("/me"), "csrf")

    def post(self, path: str, **fields: str) -> Answer:
        return self._site.post(path, self.cookie, csrf=self.csrf(), **fields)

    def hand_in(self, lab: str, name: str, content: bytes, key: str | None = None) -> Answer:
        fields = {"csrf": self.csrf(), "key": key or new_key()}
        body = b"".join(_part(f'name="{k}"', v.encode()) for k, v in fields.items())
        body += _part(f'name="file"; filename="{name}"', content) + b"--b--\r\n"
        headers = {
            "Content-Type": "multipart/form-data; boundary=b",
            "Sec-Fetch-Site": "same-origin",
            "Cookie": self.cookie,
        }
        return self._site.ask("POST", f"/labs/{lab}", body, headers)


def _part(disposition: str, content: bytes) -> bytes:
    return (
        f"--b\r\nContent-Disposition: form-data; {disposition}\r\n\r\n".encode() + content + b"\r\n"
    )


def _value(page: Page, field: str) -> str:
    return next(str(each["value"]) for each in page.all("input") if each.get("name") == field)


@pytest.fixture
def cleo(service: Service, site: Running) -> Reader:
    return Reader(service, site, "cleo")


def test_the_labs_say_deadline_points_and_attempts(service: Service, cleo: Reader) -> None:
    hand_in(service, "cleo", "fake_scan")
    grade_next(service, Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    page, words = cleo.page("/"), cleo.words("/")
    assert "2 of 2 free late days left" in words
    assert "Fri 23 Oct, 23:59 CEST 3 d 9 h left" in words
    assert "3 of 3 today" in words
    assert "2 of 3 today" in words
    assert "50 of 100 points" in words
    assert {each["datetime"] for each in page.all("time")} >= {"2026-10-23T21:59:59+00:00"}


def test_a_form_hands_in_once_however_often_it_is_sent(service: Service, cleo: Reader) -> None:
    first, again = (cleo.hand_in("fake_sum", "sum.cc", b"int a;\n", "ab" * 16) for _ in range(2))
    assert first.status == again.status == 303
    assert first.headers["Location"] == again.headers["Location"]
    assert [row.file_name for row in desk.submissions_of(service, "cleo")] == ["sum.cc"]
    words = cleo.words(str(first.headers["Location"]))
    assert "Waiting: next in the queue." in words
    assert "The file is stored" in words


def test_a_pause_is_said_instead_of_an_estimate(service: Service, cleo: Reader) -> None:
    hand_in(service, "dan")
    grade_next(service)
    number = hand_in(service, "cleo").id
    assert "until the verdict" in cleo.words(f"/submissions/{number}")
    with service.change() as change:
        change.set_fact(queue.PAUSED, "tess")
        change.log("tess", "paused")
    assert "Grading is paused; the place is kept." in cleo.words(f"/submissions/{number}")


def test_a_refused_file_leaves_the_form_and_says_why(cleo: Reader) -> None:
    assert cleo.hand_in("fake_sum", "sum.cc", b"int a;\n").status == 303
    answer = cleo.hand_in("fake_sum", "sum.cc", b"int b;\n")
    assert answer.status == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 30
    page = Page(answer.text)
    assert "the last one was just now" in page.text
    assert page.all("input")[-1]["type"] == "file"
    assert cleo.hand_in("fake_scan", "", b"").status == 400


def test_the_list_says_which_one_counts_and_links_to_each(
    service: Service, clock: Clock, cleo: Reader
) -> None:
    ids = []
    for verdict in (Verdict.WRONG_ANSWER, Verdict.ACCEPTED, Verdict.DATA_RACE):
        ids.append(hand_in(service, "cleo", "fake_scan").id)
        grade_next(service, verdict, Verdict.ACCEPTED)
        clock.move(minutes=1)
    page = cleo.page("/labs/fake_scan")
    assert "The best of 3 hand-ins." in page.text
    links = [str(each["href"]) for each in page.all("a")]
    assert [link.split("/")[2] for link in links if link.endswith("/text")] == ids[::-1]
    assert f"/submissions/{ids[0]}/difference" not in links
    assert f"/submissions/{ids[1]}/difference" in links
    chosen = page.text.index("counts", page.text.index("What you handed in"))
    newest, middle = page.text.index("Tue 20 Oct, 14:02"), page.text.index("Tue 20 Oct, 14:01")
    assert newest < middle < chosen < page.text.index("Tue 20 Oct, 14:00")
    assert "This one counts." in cleo.page(f"/submissions/{ids[1]}").text
    assert "This one counts." not in cleo.page(f"/submissions/{ids[2]}").text


def test_a_graded_page_shows_the_case_the_race_and_the_line(service: Service, cleo: Reader) -> None:
    text = "".join(f"int line{number};\n" for number in range(1, 50))
    number = hand_in(service, "cleo", text=text).id
    grade_next(service, Verdict.DATA_RACE, Verdict.ACCEPTED)
    words = cleo.words(f"/submissions/{number}")
    assert "of 100 points: data race." in words
    assert "Partial sums 0 of 50 data race" in words
    assert "First failing case of Partial sums: SumPartialTest.AddsEveryElementOnce" in words
    assert "named here: 31 int line31;" in words
    assert "bazel test --config=tsan //labs/fake_sum/..." in words


@pytest.mark.parametrize(("days", "is_shown"), [(0, False), (5, True)])
def test_hidden_tests_are_shown_as_the_course_says_before_and_after_the_deadline(
    tmp_path: Path, clock: Clock, days: int, is_shown: bool
) -> None:
    lines = 'shows_before = "verdict"\nshows_after = "cases"'
    service = make_service(tmp_path, hand_in=lines, clock=clock)
    number = hand_in(service, "cleo").id
    grade_next(service, Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    clock.move(days=days)
    with running(service) as site:
        reader = Reader(service, site, "cleo")
        for path in (f"/submissions/{number}", f"/submissions/{number}/feedback"):
            text = reader.page(path).text
            assert ("AddsEveryElementOnce" in text) == is_shown
            assert "expected 3.5" not in text


def test_the_rules_say_what_is_shown_when_and_where_the_handout_is(tmp_path: Path) -> None:
    lines = 'shows_before = "verdict"\nhandouts = "https://example.edu/labs/"'
    service = make_service(tmp_path, hand_in=lines)
    with running(service) as site:
        cleo = Reader(service, site, "cleo")
        words = cleo.words("/labs/fake_sum")
        links = [each["href"] for each in cleo.page("/labs/fake_sum").all("a")]
    assert "Until the deadline hidden tests show the verdict of each part" in words
    assert "After the deadline they show the first one that failed" in words
    assert "https://example.edu/labs/fake_sum" in links


def test_texts_and_differences_are_escaped(service: Service, clock: Clock, cleo: Reader) -> None:
    hand_in(service, "cleo", text="int a;\n</code><script>alert(1)</script>\n")
    clock.move(minutes=1)
    number = hand_in(service, "cleo", text="int a;\n<b>bold</b>\x1b[31m\n").id
    for path in (f"/submissions/{number}/text", f"/submissions/{number}/difference"):
        answer = cleo.get(path)
        Page(answer.text)
        assert "&lt;b&gt;bold" in answer.text
        assert "<script>" not in answer.text
        assert "\x1b" not in answer.text
    assert "1 line added, 1 removed" in answer.text
    saved = cleo.get(f"/submissions/{number}/text?save=1")
    assert saved.body.endswith(b"\x1b[31m\n")
    assert saved.headers["Content-Disposition"].startswith("attachment")


def test_a_page_shows_as_many_lines_as_anyone_reads(service: Service, cleo: Reader) -> None:
    number = hand_in(service, "cleo", text=b"\n" * 60_000).id
    answer = cleo.get(f"/submissions/{number}/text")
    assert "55,000 more lines are not shown here." in answer.text
    assert len(answer.body) < 500_000


def test_pages_of_others_are_not_there(service: Service, cleo: Reader) -> None:
    number = hand_in(service, "dan").id
    grade_next(service)
    for what in ("", "/feedback", "/text", "/difference"):
        assert cleo.get(f"/submissions/{number}{what}").status == 404
    assert cleo.post(f"/submissions/{number}/requests", part="", text="why").status == 404


def test_a_group_sees_what_its_members_handed_in(service: Service, site: Running) -> None:
    number = hand_in(service, "ben", "fake_sum").id
    alone = hand_in(service, "ben", "fake_scan").id
    ada = Reader(service, site, "ada")
    assert "by ben" in ada.words("/labs/fake_sum")
    assert "You work as group-a: ada, ben." in ada.words("/labs/fake_sum")
    assert ada.get(f"/submissions/{number}").status == 200
    assert ada.get(f"/submissions/{alone}").status == 404


def test_a_part_can_be_asked_to_be_graded_again(service: Service, cleo: Reader) -> None:
    number = hand_in(service, "cleo").id
    grade_next(service, Verdict.DATA_RACE, Verdict.ACCEPTED)
    answer = cleo.post(f"/submissions/{number}/requests", part="SumQueue", text="<i>Line 3</i>")
    assert answer.status == 303
    requests.answer(service, requests.open_requests(service)[0].id, "You are right.", by="tess")
    words = cleo.words(f"/submissions/{number}")
    assert "Work queue , Tue 20 Oct" in words
    assert "<i>Line 3</i>" in words
    assert "Answer of tess: You are right." in words


def test_marks_stand_beside_the_points(service: Service, cleo: Reader) -> None:
    number = hand_in(service, "cleo").id
    grade_next(service)
    marks.give(service, "fake_sum", "cleo", {"style": marks.Given("4", "Short names")}, by="tess")
    words = cleo.words(f"/submissions/{number}")
    assert "Names, structure, comments 4 of 5 Short names" in words


def test_the_board_has_those_who_chose_a_nickname(service: Service, site: Running) -> None:
    for name in ("cleo", "dan", "eve"):
        hand_in(service, name)
        grade_next(service, Verdict.WRONG_ANSWER if name == "cleo" else Verdict.ACCEPTED)
    cleo, eve = (Reader(service, site, name) for name in ("cleo", "eve"))
    assert "You are not on the board." in cleo.words("/board/fake_sum")
    assert cleo.post("/me/nickname", nickname="<owl>").status == 303
    assert eve.post("/me/nickname", nickname="heron").status == 303
    words = eve.words("/board/fake_sum")
    assert words.index("1 heron") < words.index("2 <owl> 50")
    assert not any(name in words.replace("eve Sign out", "") for name in ("cleo", "dan", "eve "))
    taken = eve.post("/me/nickname", nickname="<OWL>")
    assert taken.status == 409
    assert "Someone else has this name." in Page(taken.text).text
    assert cleo.post("/me/nickname", nickname="").status == 303
    assert "<owl>" not in eve.page("/board/fake_sum").text


def test_a_board_that_the_course_does_not_want_is_not_there(tmp_path: Path) -> None:
    service = make_service(tmp_path, hand_in="board = false")
    with running(service) as site:
        cleo = Reader(service, site, "cleo")
        assert cleo.get("/board/fake_sum").status == 404
        assert "/board/fake_sum" not in cleo.get("/labs/fake_sum").text


def test_a_token_is_shown_once_and_can_be_ended(service: Service, cleo: Reader) -> None:
    answer = cleo.post("/me/tokens")
    made = answer.text.split('<pre class="secret" tabindex="0">')[1].split("</pre>")[0]
    someone = people.person_by_token(service, made)
    assert someone is not None
    assert someone.name == "cleo"
    assert made not in cleo.get("/me").text
    token = people.tokens_of(service, "cleo")[-1].id
    assert cleo.post("/me/tokens/end", id=str(token)).status == 303
    assert people.person_by_token(service, made) is None


def test_nobody_ends_the_token_of_another(service: Service, cleo: Reader) -> None:
    made = people.new_token(service, "dan", by="dan")
    cleo.post("/me/tokens/end", id=str(people.tokens_of(service, "dan")[0].id))
    assert people.person_by_token(service, made) is not None


def test_signs_out_in_all_browsers(service: Service, site: Running, cleo: Reader) -> None:
    other = Reader(service, site, "cleo")
    assert cleo.post("/me/sign-out-everywhere").status == 303
    assert [reader.get("/me").status for reader in (cleo, other)] == [401, 401]


def test_a_closed_lab_has_no_form(clock: Clock, cleo: Reader) -> None:
    clock.move(days=7)
    page = cleo.page("/labs/fake_sum")
    assert not [each for each in page.all("input") if each.get("type") == "file"]
    assert "accepts nothing more" in page.text
    assert cleo.hand_in("fake_sum", "sum.cc", b"int a;\n").status == 403


def test_the_feedback_page_may_run_no_script(service: Service, cleo: Reader) -> None:
    number = hand_in(service, "cleo").id
    grade_next(service)
    answer = cleo.get(f"/submissions/{number}/feedback")
    policy: Any = answer.headers["Content-Security-Policy"]
    assert "sandbox" in policy
    assert "script-src" not in policy
    assert f'href="/submissions/{number}"' in answer.text
