"""Results on a terminal."""

import io
import re
import statistics

import pytest
from rich.console import Console

from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.presentation.facts import is_graded
from grader.pages.presentation.tests.made_up_class import LAB, made_up_class, make_result
from grader.pages.presentation.words import WORDS
from grader.pages.report.terminal import print_student, print_summary


def _console(*, color: bool = False) -> tuple[Console, io.StringIO]:
    text = io.StringIO()
    return Console(file=text, width=140, force_terminal=color), text


def _printed(*results: Result) -> str:
    console, text = _console()
    print_summary(iter(results), LAB, console)
    return text.getvalue()


def test_shows_students_verdict_counts_mean_and_median() -> None:
    results = list(made_up_class(40))
    graded = [result.points for result in results if is_graded(result)]
    text = _printed(*results)
    assert "student01" in text
    assert "40 submissions" in text
    for verdict in Verdict:
        assert WORDS[verdict].label in text
    middle = f"mean {statistics.mean(graded):.1f}, median {statistics.median(graded):g}"
    assert f"{middle} of 100 points" in text
    assert "2 not judged, no points lost" in text


def test_shows_points_whole_on_a_narrow_terminal() -> None:
    text = io.StringIO()
    console = Console(file=text, width=60)
    result = make_result("a_student_with_a_long_name", Verdict.DATA_RACE, Verdict.ACCEPTED)
    print_summary(iter([result]), LAB, console)
    assert "1 (50)" in text.getvalue()
    assert f"{result.parts[1].points:g}" in text.getvalue()


def test_cuts_no_usual_name_where_five_parts_meet_eighty_columns() -> None:
    text = io.StringIO()
    part = LAB.parts[0]
    parts = [part.model_copy(update={"function": f"Part{number}"}) for number in range(5)]
    result = make_result("student07", Verdict.BARRIER_DIVERGENCE, Verdict.ACCEPTED)
    lab = LAB.model_copy(update={"parts": parts})
    print_summary(iter([result]), lab, Console(file=text, width=80))
    assert "student07" in text.getvalue()
    assert "barrier divergence" in text.getvalue()
    assert max(map(len, text.getvalue().splitlines())) <= 80


@pytest.mark.parametrize("width", [60, 80])
def test_breaks_no_count_at_the_end_of_a_line(width: int) -> None:
    text = io.StringIO()
    print_summary(made_up_class(40), LAB, Console(file=text, width=width))
    lines = text.getvalue().splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("40 submissions"))
    last = next(at for at, line in enumerate(lines) if line.startswith("mean "))
    assert last - first > 1
    for word in "  ".join(lines[first + 1 : last]).split("  "):
        assert re.fullmatch(r"[1-9]\d* [a-z ]+", word)
    assert max(map(len, lines)) <= width


def test_says_a_lost_protection_once_for_the_class() -> None:
    assert _printed(*made_up_class(40)).count("protection lost: no cgroup") == 1


def test_shows_the_first_sixty_of_a_large_class_and_counts_all() -> None:
    text = _printed(*made_up_class(200))
    assert "student60" in text
    assert "student61" not in text
    assert "and 140 more" in text
    assert "200 submissions" in text


def test_says_something_for_an_empty_class() -> None:
    assert "0 submissions" in _printed()


def test_prints_names_as_text_not_as_markup_or_escapes() -> None:
    text = _printed(make_result("[bold]x[/bold]\x1b[2J", Verdict.ACCEPTED, Verdict.ACCEPTED))
    assert "[bold]x[/bold]" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("verdict", list(Verdict))
def test_explains_one_student_in_full(verdict: Verdict) -> None:
    console, text = _console()
    print_student(make_result("student01", verdict, Verdict.ACCEPTED), LAB, console)
    flat = " ".join(text.getvalue().split())
    assert WORDS[verdict].happened in flat
    assert "seed 7, from lab1/student01/sum.cc" in flat


def test_shows_a_students_failing_case_and_the_checkers_lines() -> None:
    console, text = _console()
    print_student(make_result("student01", Verdict.DATA_RACE, Verdict.ACCEPTED), LAB, console)
    assert "input size 1000, 4 threads, seed 42" in text.getvalue()
    assert "sum.cc:31" in text.getvalue()


def test_takes_markup_in_a_students_log_literally() -> None:
    result = make_result("student01", Verdict.DATA_RACE, Verdict.ACCEPTED)
    result.diagnostics[0].text = "[/] [red]x \x1b[31m"
    console, text = _console()
    print_student(result, LAB, console)
    assert "[/] [red]x" in text.getvalue()
