"""The class page's tables: commonest failures, cases to decide, hand-ins and changes."""

from pathlib import Path

from grader.model.lab import Lab
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import (
    LAB,
    counted_lab,
    counted_result,
    made_up_class,
    make_result,
)
from grader.pages.report.changes import change
from grader.pages.report.decisions import Decision, Decisions
from grader.pages.report.failures import Failures, Problem
from grader.pages.report.html import Known, write_report


def _problems(*results: Result, lab: Lab = LAB) -> list[Problem]:
    failures = Failures(lab)
    for number, result in enumerate(results, start=1):
        failures.add(result, f"s{number}")
    return failures.commonest()


def test_counts_the_same_problem_once_with_all_who_show_it() -> None:
    problems = _problems(
        make_result("ada", Verdict.DATA_RACE, Verdict.WRONG_ANSWER),
        make_result("bob", Verdict.ACCEPTED, Verdict.WRONG_ANSWER),
        make_result("eve", Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER),
    )
    first = problems[0]
    assert (first.part, first.verdict) == ("Work queue", Verdict.WRONG_ANSWER)
    assert first.what == "SumQueueTest.AddsEveryElementOnce"
    assert [showing.anchor for showing in first.submissions] == ["s1", "s2", "s3"]
    assert {(p.part, p.label) for p in problems[1:]} == {
        ("Partial sums", "data race"),
        ("Partial sums", "wrong answer"),
        ("Partial sums", "misses points"),
    }


def test_counts_equal_compile_errors_together_whatever_the_names_and_lines() -> None:
    results = [make_result(name, Verdict.COMPILE_ERROR, Verdict.ACCEPTED) for name in "ab"]
    text = results[1].diagnostics[0].text
    results[1].diagnostics[0].text = text.replace(":14:20", ":9:1").replace("pthread_create", "x")
    problems = _problems(*results)
    assert [(p.part, p.what, len(p.submissions)) for p in problems] == [
        ("the file", "expected … before …", 2)
    ]


def test_names_the_counter_and_its_threshold_that_were_missed() -> None:
    problems = _problems(counted_result(0.3, "K", "x"), lab=counted_lab())
    assert "global_efficiency: not at least 0.9" in [problem.what for problem in problems]


def test_finds_no_problem_in_full_points_and_in_a_judge_error() -> None:
    right = make_result("ada", Verdict.ACCEPTED, Verdict.ACCEPTED)
    for part in right.parts:
        assert part.timing
        part.timing.points = part.timing.max_points
    failed = make_result("bob", Verdict.JUDGE_ERROR, Verdict.JUDGE_ERROR)
    assert _problems(right, failed) == []


def _decide(*results: Result) -> list[Decision]:
    decisions = Decisions()
    for number, result in enumerate(results, start=1):
        decisions.add(result, f"s{number}")
    return list(decisions.open_cases())


def _undecided(student: str) -> Result:
    result = make_result(student, Verdict.ACCEPTED, Verdict.ACCEPTED)
    assert result.parts[0].timing
    result.parts[0].timing.flagged = "undecided within the budget"
    result.parts[1].timing = None
    return result


def test_quotes_a_hostile_name_in_the_command_that_decides() -> None:
    first, *_ = _decide(make_result("x; rm -rf $HOME '", Verdict.TAMPERING, Verdict.ACCEPTED))
    assert first.reason.startswith("tampering")
    (command,) = first.commands
    assert command.endswith("""report --out OUT --student='x; rm -rf $HOME '"'"''""")


def test_measures_all_with_the_same_reason_by_one_command() -> None:
    (decision,) = _decide(_undecided("ada"), _undecided("bob"))
    assert decision.reason == "Partial sums: undecided within the budget"
    assert [each.anchor for each in decision.submissions] == ["s1", "s2"]
    (command,) = decision.commands
    assert command.endswith("--force --student=ada --student=bob")


def test_grades_again_without_force_what_was_not_judged() -> None:
    failed = make_result("bob", Verdict.JUDGE_ERROR, Verdict.JUDGE_ERROR)
    judged, measured = _decide(_undecided("ada"), failed)
    assert judged.commands[0].endswith("--submissions DIR --out OUT")
    assert measured.submissions[0].student == "ada"


def test_says_how_points_changed_and_what_is_different() -> None:
    before = make_result("ada", Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    now = make_result("ada", Verdict.ACCEPTED, Verdict.ACCEPTED)
    now.key.submission = "another"
    changed = change(before, now)
    assert changed
    assert changed.gain == now.points - before.points
    assert changed.before_text.endswith("points, wrong answer")
    assert changed.why == "another file"
    assert change(now, now.model_copy(update={"graded_at": "later"})) is None


def test_gives_no_difference_to_points_that_were_not_final() -> None:
    before = make_result("ada", Verdict.JUDGE_ERROR, Verdict.ACCEPTED)
    changed = change(before, make_result("ada", Verdict.ACCEPTED, Verdict.ACCEPTED))
    assert changed
    assert changed.gain == 0
    assert changed.before_text == "not judged"


def test_shows_who_did_not_hand_in_and_what_changed(tmp_path: Path) -> None:
    old = make_result("student01", Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER)
    known = Known(
        roster=["student01", "<b>absent</b>"],
        before=lambda student: old if student == "student01" else None,
    )
    html = write_report(made_up_class(3), LAB, tmp_path, known).read_text(encoding="utf-8")
    assert "1 of the 2 on the roster have not handed in." in html
    assert "&lt;b&gt;absent&lt;/b&gt;" in html
    assert "Handed in, but not on the roster: 2" in html
    assert "0 points, wrong answer" in html
    assert 'href="#changes">Changes (1)' in html


def test_has_no_empty_sections(tmp_path: Path) -> None:
    result = make_result("ada", Verdict.ACCEPTED, Verdict.ACCEPTED)
    for part in result.parts:
        part.timing = None
    html = write_report([result], LAB, tmp_path).read_text(encoding="utf-8")
    for section in ("failures", "decide", "roster", "changes"):
        assert f'id="{section}"' not in html
        assert f'href="#{section}"' not in html
