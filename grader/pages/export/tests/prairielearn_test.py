"""PrairieLearn's external grader reads a share of 1 and a list of tests."""

import json
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.model.verdict import Verdict
from grader.pages.export import write
from grader.pages.export.prairielearn import document
from grader.pages.presentation.tests.made_up_class import LAB, make_result


@pytest.mark.parametrize("verdict", [v for v in Verdict if v.is_final])
def test_gives_the_share_of_the_points_that_its_tests_sum_to(verdict: Verdict) -> None:
    result = make_result("student01", verdict, Verdict.ACCEPTED)
    value = document(result, LAB)
    assert value["gradable"] is True
    assert value["score"] == pytest.approx(result.points / 100, abs=1e-6)
    assert sum(test["points"] for test in value["tests"]) == pytest.approx(result.points, abs=1e-3)
    assert sum(test["max_points"] for test in value["tests"]) == LAB.max_points
    assert all(test["name"] and test["output"] for test in value["tests"])


def test_gives_no_score_to_who_was_not_judged(tmp_path: Path) -> None:
    judged = make_result("student01", Verdict.ACCEPTED, Verdict.ACCEPTED)
    failed = make_result("student02", Verdict.ACCEPTED, Verdict.JUDGE_ERROR)
    with pytest.raises(GraderError, match="student02: not judged"):
        document(failed, LAB)
    written, listed = write("prairielearn", [judged, failed], LAB, tmp_path)
    assert written == tmp_path / "prairielearn" / "student01" / "results.json"
    assert json.loads(written.read_text(encoding="utf-8"))["score"] > 0.5
    assert listed.name == "prairielearn_not_graded.txt"
