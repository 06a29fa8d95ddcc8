"""The class's page: complete, self-contained, accessible, and safe to open."""

import base64
import hashlib
import re
import tracemalloc
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.model.lab import Lab
from grader.model.result import Diagnostic, Failure, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import LAB, made_up_class, make_result
from grader.pages.presentation.words import WORDS
from grader.pages.report.html import write_report
from grader.pages.report.tests.parsed_page import Page


def _html(results: Iterable[Result], folder: Path, lab: Lab = LAB) -> str:
    return write_report(iter(results), lab, folder).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    return _html(made_up_class(40), tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def test_has_a_row_and_details_for_every_student_in_order(page: Page) -> None:
    rows = [a["data-v"] for a in page.all("th") if a.get("scope") == "row" and "data-v" in a]
    assert rows == [f"student{number:02}" for number in range(1, 41)]
    details = [a["id"] for a in page.all("div") if a.get("hidden") == "until-found"]
    assert details == [f"s{number}-d" for number in range(1, 41)]


def test_explains_every_verdict_to_the_student(page: Page) -> None:
    for verdict in Verdict:
        assert WORDS[verdict].happened in page.text
        assert WORDS[verdict].next_step in page.text


def test_shows_failing_case_evidence_and_timing_with_interval(page: Page) -> None:
    for fact in (
        "element 16 of 17: expected 3.5, got nan",
        "input size 17, 4 threads, seed 81985529216486895",
        "sum.cc:14:20: error: expected ';'",
        "sum.cc:31",
        "6.80× the reference's time, 95 % interval 6.20 to 7.50",
        "All points up to 1.5×, none from 4×",
        "undecided within the budget",
    ):
        assert fact in page.text


def test_says_a_lost_protection_once_at_the_top(page: Page) -> None:
    assert page.text.count("no cgroup") == 1
    assert page.text.index("no cgroup") < page.text.index("student01")


def test_shows_no_points_for_who_was_not_judged(html: str) -> None:
    row = html[html.index(f'id="s{len(Verdict)}"') :]
    assert re.search(r'class="num total" data-v="">–<', row[:1200])
    assert "2 submissions were not judged." in html


def test_needs_nothing_from_the_network(html: str, page: Page) -> None:
    for tag, attributes in page.elements:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base"}
        for name in ("src", "href", "xlink:href", "action", "data"):
            assert (attributes.get(name) or "#").startswith("#")
    assert "@import" not in html
    assert not re.search(r"url\((?!#)", html)


def test_lets_the_browser_run_our_script_only(html: str) -> None:
    script = re.findall(r"<script>(.*?)</script>", html, flags=re.DOTALL)
    assert len(script) == 1
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39;" in html or f"'sha256-{digest}'" in html
    assert "default-src 'none'" in html


def test_names_rows_and_columns_for_a_screen_reader(page: Page) -> None:
    assert all(a.get("scope") in {"row", "col", "colgroup"} for a in page.all("th"))
    sortable = [a for a in page.all("th") if "aria-sort" in a]
    assert len(sortable) == 4 + 3 + 3
    assert len(page.all("caption")) == len(page.all("table")) >= 4
    ids = Counter(a["id"] for _, a in page.elements if "id" in a)
    assert [name for name, count in ids.items() if count > 1] == []
    controlled = {a["aria-controls"] for a in page.all("button") if "aria-controls" in a}
    assert len(controlled) == 40
    assert controlled <= set(ids)


def test_gives_every_chart_a_description_with_its_numbers(page: Page) -> None:
    labels = [a["aria-label"] or "" for a in page.all("figure") if a.get("role") == "img"]
    assert len(labels) == 3
    assert "4 with all points" in labels[0]
    assert "at or below 1.5" in labels[1]


_ATTACKS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</pre></td></table><svg onload=alert(1)>",
    "{{ 7 * 7 }}{% include 'x' %}",
    "</style><script>alert(1)</script>",
    "javascript:alert(1)",
]


@pytest.mark.parametrize("attack", _ATTACKS)
def test_shows_hostile_text_as_text_wherever_it_comes_from(attack: str, tmp_path: Path) -> None:
    result = make_result(attack, Verdict.TOO_SLOW, Verdict.WRONG_ANSWER)
    result.source = result.key.machine = result.key.kit = result.key.submission = attack
    result.graded_at = attack
    result.seconds = {attack: 1.0}
    result.protections_lost = [attack]
    result.parts[0].title = result.parts[0].failure = None  # type: ignore[assignment]
    result.parts[0].title = attack
    result.parts[0].failure = Failure(test=attack, message=attack)
    assert result.parts[0].timing is not None
    result.parts[0].timing.flagged = attack
    result.diagnostics = [Diagnostic(phase="compile", text=attack)]
    lab = LAB.model_copy(update={"title": attack})
    page = Page(_html([result], tmp_path, lab))
    assert len(page.all("script")) == 1
    assert not page.all("img")
    assert not [a for _, a in page.elements for name in a if name.startswith("on")]
    assert page.text.count(attack) >= 8


def test_cuts_long_texts_and_says_so(tmp_path: Path) -> None:
    result = make_result("student01", Verdict.COMPILE_ERROR, Verdict.ACCEPTED)
    result.diagnostics = [Diagnostic(phase="compile", text="x" * 100_000)]
    html = _html([result], tmp_path)
    assert "[… 96,000 more characters are not shown]" in html
    assert len(html) < 100_000


def test_names_an_untouched_stub(tmp_path: Path) -> None:
    result = make_result("student01", Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    result.parts[0].failure = Failure(test="T", message="x", not_written=True)
    assert "not written</span>" in _html([result], tmp_path)


def test_shows_a_page_for_an_empty_class_and_for_results_without_parts(tmp_path: Path) -> None:
    assert "There are no results yet." in _html([], tmp_path)
    bare = make_result("student01", Verdict.JUDGE_ERROR, Verdict.ACCEPTED)
    bare.parts, bare.diagnostics, bare.seconds, bare.graded_at = [], [], {}, ""
    assert "student01" in _html([bare], tmp_path)


def test_names_the_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GraderError, match=re.escape(str(tmp_path / "file"))):
        write_report(iter([]), LAB, tmp_path / "file")


def test_keeps_the_old_page_when_the_results_cannot_be_read(tmp_path: Path) -> None:
    old = _html(made_up_class(1), tmp_path)

    def broken() -> Iterator[Result]:
        yield from made_up_class(3)
        raise GraderError("the database is corrupt", "restore it")

    with pytest.raises(GraderError, match="corrupt"):
        write_report(broken(), LAB, tmp_path)
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == old
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_holds_a_class_with_long_logs_in_little_memory_and_space(tmp_path: Path) -> None:
    def results() -> Iterator[Result]:
        for result in made_up_class(200):  # 85 MB of logs
            result.diagnostics = [Diagnostic(phase="races", text=line * 2000)] * 4
            yield result

    line = "a line of a sanitizer's report, long enough to count\n"
    _html(made_up_class(1), tmp_path)  # matplotlib's own memory is not what is measured
    tracemalloc.start()
    path = write_report(results(), LAB, tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6
    assert path.stat().st_size < 4e6
    assert path.read_text(encoding="utf-8").count("<tbody id=") == 200
