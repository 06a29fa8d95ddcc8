"""A student's page: complete, safe, and silent about what a student may not see."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.model.files import FileNames
from grader.model.lab import Feedback, Lab
from grader.model.result import Diagnostic, Failure, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import (
    LAB,
    costly_result,
    counted_lab,
    counted_result,
    made_up_class,
    make_result,
)
from grader.pages.presentation.words import WORDS
from grader.pages.report.feedback_page import feedback_page, write_feedback_page
from grader.pages.report.tests.parsed_page import Page

_TEXT = "".join(f"int line{number};\n" for number in range(1, 60))
_ATTACKS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</pre></style></title><svg onload=alert(1)>",
    "{{ 7 * 7 }}{% include 'x' %}",
]

_HIDDEN = ("first_difference", "case", "verdict")


def _page(result: Result, lab: Lab = LAB, text: str | None = _TEXT) -> Page:
    return Page(feedback_page(result, lab, text))


def _level(hidden: str) -> Lab:
    feedback = Feedback.model_validate({"hidden": hidden})
    return LAB.model_copy(update={"feedback": feedback})


def _racy() -> Result:
    return make_result("ada", Verdict.WRONG_ANSWER, Verdict.DATA_RACE)


def test_shows_the_students_lines_around_a_finding() -> None:
    page = _page(_racy())
    assert "Your file, lines 29 to 33" in page.text
    assert "int line31;" in page.text
    assert "int line35;" not in page.text


_RACE = """SumQueueTest.AddsEveryElementOnce:
ThreadSanitizer: data race
  Write by thread T3, holding no lock
    SumQueue(std::span<float>) at sum.cc:31
  Previous read by thread T1, holding no lock
    SumQueue(std::span<float>) at sum.cc:30
"""


def _drawn(hidden: str, text: str | None = _TEXT) -> str:
    race = Diagnostic(phase="races", text=_RACE)
    return feedback_page(_racy().model_copy(update={"diagnostics": [race]}), _level(hidden), text)


def test_a_race_is_drawn_beside_its_report_with_the_students_lines() -> None:
    html = _drawn("first_difference")
    assert re.findall(r'data-lane="([^"]*)"', html) == ["thread T1", "thread T3"]
    assert re.findall(r'data-place="([^"]*)"', html) == ["sum.cc:30", "sum.cc:31"]
    assert html.count('data-order="missing"') == 1
    assert "int line30;</text>" in html
    assert html.index("data-order") < html.index("ThreadSanitizer: data race")


def test_a_picture_is_shown_where_its_report_is() -> None:
    shown = {hidden: _drawn(hidden).count('data-order="missing"') for hidden in _HIDDEN}
    assert shown == {"first_difference": 1, "case": 1, "verdict": 0}


def test_wrong_results_are_drawn_where_values_are_shown() -> None:
    result = _racy()
    failure = Failure(
        test="SumPartialTest.Adds",
        message="element 31 of 99: expected 1, got 2; 2 more are wrong: every 32nd from 31 to 95",
    )
    parts = [result.parts[0].model_copy(update={"failure": failure}), *result.parts[1:]]
    drawn = result.model_copy(update={"parts": parts})
    shown = {hidden: feedback_page(drawn, _level(hidden), _TEXT) for hidden in _HIDDEN}
    assert [shown[hidden].count("data-map=") for hidden in _HIDDEN] == [1, 0, 0]
    for hidden in ("case", "verdict"):
        assert not re.search("32nd|Wrong results", shown[hidden])


def test_a_picture_of_hostile_lines_is_text() -> None:
    for attack in _ATTACKS:
        html = _drawn("case", "\n".join([attack] * 40))
        assert "<script" not in html
        assert html.count("<svg onload") == html.count("<img") == 0


def test_says_what_was_tested_what_failed_and_what_to_do() -> None:
    page = _page(_racy())
    for fact in (
        "First failing case: SumPartialTest.AddsEveryElementOnce",
        "element 16 of 17: expected 3.5, got nan",
        "12 hidden tests, of which",
        "Not measured, because the answers must be right first: time.",
        WORDS[Verdict.DATA_RACE].next_step,
        "bazel test --config=tsan //labs/fake_sum/...",
    ):
        assert fact in page.text


def test_shows_timing_with_interval_and_how_the_points_came_about() -> None:
    page = _page(make_result("ada", Verdict.TOO_SLOW, Verdict.ACCEPTED))
    assert "6.80× the reference's time, 95 % interval 6.20 to 7.50" in page.text
    assert "How the points came about" in page.text
    assert re.search(r"right answers\s*30\s*30\s*time\s*0\s*20\s*all\s*30\s*50", page.text)


def test_a_costly_line_is_drawn_with_its_worst_request_and_a_divided_warp() -> None:
    html = feedback_page(costly_result(), counted_lab(), _TEXT)
    titles = re.findall("<figcaption><b>(.*?)</b>", html)
    assert titles == [
        "What your lines cost.",
        f"{LAB.file}:12, global load of in: the worst request of a warp.",
        f"{LAB.file}:14: divergence.",
    ]
    page = Page(html)
    assert f"{LAB.file}:12  int line12;" in page.text
    assert "global load of in: 32 sectors a request, 4 would do" in page.text
    assert "This request: 32 sectors of 32 bytes" in page.text
    assert "8 of 10 times" in page.text


def test_single_requests_and_lanes_are_drawn_only_where_values_are_shown() -> None:
    shown = []
    for hidden in _HIDDEN:
        lab = counted_lab().model_copy(update={"feedback": _level(hidden).feedback})
        shown.append(feedback_page(costly_result(), lab, _TEXT).count("<figcaption><b>"))
    assert shown == [3, 1, 0]


def test_the_names_in_a_profile_are_text() -> None:
    for attack in _ATTACKS:
        html = feedback_page(costly_result(target=attack), counted_lab(), _TEXT)
        assert html.count("<script") == html.count("<svg onload") == html.count("<img") == 0


def test_shows_counters_with_advice_and_the_lines_that_it_names() -> None:
    result = counted_result(0.3, "SumKernel", "sum.cc:12: every thread skips 31 elements")
    page = _page(result, counted_lab())
    assert "every thread skips 31 elements" in page.text
    assert "Your file, lines 10 to 14; ▶ marks those that the advice names" in page.text


def test_shows_the_rest_without_the_text_of_the_submission() -> None:
    page = _page(_racy(), text=None)
    assert "Your file" not in page.text
    assert "Worker(void*) at sum.cc:31" in page.text


def test_withholds_the_case_and_all_reports_at_the_level_verdict() -> None:
    page = _page(_racy(), _level("verdict"))
    for secret in ("expected 3.5", "input size", "AddsEveryElementOnce", "sum.cc:31", "line31"):
        assert secret not in page.text
    assert "wrong answer" in page.text


def test_withholds_values_at_the_level_case() -> None:
    page = _page(_racy(), _level("case"))
    assert "expected 3.5" not in page.text
    assert "input size 17" in page.text


def test_never_shows_what_is_the_instructors_alone() -> None:
    result = make_result("ada", Verdict.JUDGE_ERROR, Verdict.ACCEPTED)
    result.source, result.key.machine, result.key.kit = "SECRET-1", "SECRET-2", "SECRET-3"
    result.protections_lost = ["SECRET-4"]
    result.diagnostics = [Diagnostic(phase="judge", text="SECRET-5 sum.cc:31")]
    assert result.parts[1].timing
    result.parts[1].timing.flagged = "SECRET-6"
    page = _page(result)
    assert "SECRET" not in page.text
    assert "int line31;" not in page.text
    assert "Not final" in page.text
    assert not re.search(r"\d+ of 100 points", page.text)


@pytest.mark.parametrize("attack", _ATTACKS)
def test_shows_hostile_text_as_text(attack: str) -> None:
    result = make_result(attack, Verdict.TOO_SLOW, Verdict.WRONG_ANSWER)
    result.lab = result.key.submission = result.graded_at = attack
    result.parts[0].title = result.parts[0].function = attack
    result.parts[1].failure = Failure(test=attack, message=f"{attack} sum.cc:2")
    result.diagnostics = [Diagnostic(phase="compile", text=attack)]
    page = _page(result, LAB.model_copy(update={"title": attack}), f"one\n{attack}\nthree")
    assert page.all("script", "img") == []
    assert len(page.all("svg")) == len([a for a in page.all("svg") if "onload" not in a])
    assert [a for _, a in page.elements for name in a if name.startswith("on")] == []
    assert page.text.count(attack) >= 6


def test_asks_for_nothing_outside_and_runs_no_script() -> None:
    html = feedback_page(_racy(), LAB, _TEXT)
    page = Page(html)
    assert page.all("script", "link", "img", "iframe", "object", "embed", "base", "form") == []
    assert all((a.get("href") or "").startswith("#") for a in page.all("a"))
    assert "default-src 'none'" in html
    assert "@import" not in html
    assert not re.search(r"url\((?!#)", html)


def test_reads_well_aloud() -> None:
    for result in made_up_class(len(Verdict)):
        page = _page(result)
        levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(below <= above + 1 for above, below in pairwise(levels))
        assert len(page.all("caption")) == len(page.all("table"))
        assert all(a.get("scope") in {"row", "col"} for a in page.all("th"))
        assert page.all("html") == [{"lang": "en"}]
        assert page.all("title")
        ids = Counter(a["id"] for _, a in page.elements if "id" in a)
        assert [name for name, count in ids.items() if count > 1] == []
        anchors = {str(a["href"])[1:] for a in page.all("a")}
        assert anchors <= set(ids)


def test_stays_small_whatever_the_tools_said() -> None:
    result = counted_result(0.3, "K" * 10_000, "sum.cc:1: " + "<" * 100_000)
    result.parts[0].counters *= 20
    result.parts[0].counters[0].advice *= 1000
    result.parts[1].failure = Failure(test="<" * 1000, message="<\U0001f600" * 300_000)
    places = "".join(f"sum.cc:{number} '&<>\n" for number in range(1, 50_000))
    result.diagnostics = [Diagnostic(phase="tests", text=places)] * 50
    html = feedback_page(result, counted_lab(), "<&>'\"" * 200_000 + "\n<" * 200_000)
    assert len(html.encode()) < 500_000


def test_gives_each_student_a_file_of_their_own(tmp_path: Path) -> None:
    names = FileNames()
    students = ["../../etc/passwd", "Ada", "ada", "x" * 300]
    for student in students:
        result = make_result(student, Verdict.ACCEPTED, Verdict.ACCEPTED)
        path = write_feedback_page(result, LAB, None, tmp_path / "feedback", names)
        assert path.parent == tmp_path / "feedback"
    assert len(list((tmp_path / "feedback").iterdir())) == len(students)


def test_names_the_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GraderError, match=re.escape(str(tmp_path / "file"))):
        write_feedback_page(_racy(), LAB, None, tmp_path / "file")
