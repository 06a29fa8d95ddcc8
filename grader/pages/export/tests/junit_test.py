"""JUnit XML: one suite per student, and a judge error is no failure."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from grader.model.result import Diagnostic, Result
from grader.model.verdict import Verdict
from grader.pages.export import write
from grader.pages.presentation.tests.made_up_class import LAB, made_up_class, make_result


def _root(results: list[Result], folder: Path) -> ElementTree.Element:
    (path,) = write("junit", iter(results), LAB, folder / "junit.xml")
    return ElementTree.parse(path).getroot()  # noqa: S314


def _outcomes(suite: ElementTree.Element) -> dict[str, str]:
    return {
        case.get("name", ""): next((child.tag for child in case), "passed")
        for case in suite.iter("testcase")
    }


def test_has_one_suite_per_student_in_order(tmp_path: Path) -> None:
    root = _root(list(made_up_class(40)), tmp_path)
    assert [suite.get("name") for suite in root] == [f"student{n:02}" for n in range(1, 41)]


def test_counts_match_the_cases_of_each_suite_and_of_all(tmp_path: Path) -> None:
    root = _root(list(made_up_class(40)), tmp_path)
    for node in [root, *root]:
        assert int(node.get("tests", "")) == len(list(node.iter("testcase")))
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(node.get(name, "")) == len(list(node.iter(tag)))
    assert int(root.get("failures", "")) > 12


def test_tells_passed_failed_and_untimed_apart(tmp_path: Path) -> None:
    (suite,) = _root([make_result("student01", Verdict.TOO_SLOW, Verdict.DATA_RACE)], tmp_path)
    assert _outcomes(suite) == {
        "Partial sums": "passed",
        "Partial sums: timing": "failure",
        "Work queue": "failure",
        "Work queue: timing": "skipped",
    }
    failure = suite.findall(".//failure")[1]
    assert failure.get("type") == "data_race"
    assert "seed 42" in (failure.text or "")
    assert "sum.cc:31" in (failure.text or "")


def test_passes_a_part_with_its_timing(tmp_path: Path) -> None:
    (suite,) = _root([make_result("student01", Verdict.ACCEPTED, Verdict.ACCEPTED)], tmp_path)
    assert suite.get("failures") == suite.get("errors") == suite.get("skipped") == "0"
    assert "times the reference" in (suite.findtext(".//system-out") or "")


@pytest.mark.parametrize("verdict", [Verdict.COMPILE_ERROR, Verdict.POLICY])
def test_fails_a_file_that_was_not_run_once_and_skips_its_parts(
    verdict: Verdict, tmp_path: Path
) -> None:
    (suite,) = _root([make_result("student01", verdict, Verdict.ACCEPTED)], tmp_path)
    outcomes = _outcomes(suite)
    assert outcomes.pop(verdict.value) == "failure"
    assert set(outcomes.values()) == {"skipped"}
    assert len(outcomes) == 4


def test_reports_a_judge_error_as_an_error_and_gives_no_points(tmp_path: Path) -> None:
    whole = make_result("student01", Verdict.JUDGE_ERROR, Verdict.JUDGE_ERROR)
    whole.parts = []
    part = make_result("student02", Verdict.JUDGE_ERROR, Verdict.ACCEPTED)
    for suite in _root([whole, part], tmp_path):
        assert (suite.get("errors"), suite.get("failures")) == ("1", "0")
        properties = {node.get("name"): node.get("value") for node in suite.iter("property")}
        assert properties["points"] == ""


def test_stays_valid_whatever_a_submission_prints(tmp_path: Path) -> None:
    result = make_result('"><x>\x00&', Verdict.COMPILE_ERROR, Verdict.ACCEPTED)
    result.diagnostics = [Diagnostic(phase="compile", text="]]>\x00\x1b[31m\x0b</failure>\uffff")]
    result.source = "\x01"
    (suite,) = _root([result], tmp_path)
    assert suite.get("name") == '"><x>\ufffd&'
    assert "]]>\ufffd\ufffd</failure>\ufffd" in (suite.findtext(".//failure") or "")


def test_writes_the_time_of_grading_in_utc(tmp_path: Path) -> None:
    result = make_result("student01", Verdict.ACCEPTED, Verdict.ACCEPTED)
    result.graded_at = "2026-03-02T12:15:00+02:00"
    assert _root([result], tmp_path)[0].get("timestamp") == "2026-03-02T10:15:00"
    result.graded_at = "no time"
    assert _root([result], tmp_path)[0].get("timestamp") is None
