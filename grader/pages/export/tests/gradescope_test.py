"""Every student's results.json is valid for Gradescope; who was not judged gets no score."""

import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.model.errors import GraderError
from grader.model.result import Diagnostic
from grader.model.verdict import Verdict
from grader.pages.export import write
from grader.pages.export.gradescope import document
from grader.pages.presentation.facts import is_graded
from grader.pages.presentation.tests.made_up_class import LAB, made_up_class, make_result

_SCHEMA = json.loads(
    (Path(__file__).resolve().parent.parent / "gradescope.schema.json").read_text(encoding="utf-8")
)
_JUDGED = [verdict for verdict in Verdict if verdict.is_final]


def _valid(value: dict[str, Any]) -> dict[str, Any]:
    jsonschema.Draft202012Validator.check_schema(_SCHEMA)
    jsonschema.validate(value, _SCHEMA)
    return value


@pytest.mark.parametrize("verdict", _JUDGED)
def test_is_valid_for_every_verdict(verdict: Verdict) -> None:
    _valid(document(make_result("student01", verdict, Verdict.ACCEPTED), LAB))


@pytest.mark.parametrize("verdict", _JUDGED)
def test_scores_of_the_tests_sum_to_the_students_points(verdict: Verdict) -> None:
    result = make_result("student01", verdict, Verdict.ACCEPTED)
    value = document(result, LAB)
    assert value["score"] == pytest.approx(result.points, abs=1e-3)
    assert sum(test["score"] for test in value["tests"]) == pytest.approx(result.points, abs=1e-3)
    assert sum(test["max_score"] for test in value["tests"]) == LAB.max_points


def test_is_valid_for_a_submission_that_never_reached_its_parts() -> None:
    result = make_result("student01", Verdict.COMPILE_ERROR, Verdict.ACCEPTED)
    result.parts, result.seconds = [], {}
    value = _valid(document(result, LAB))
    assert [test["number"] for test in value["tests"]] == ["1", "2"]
    assert "did not compile" in value["tests"][0]["output"]
    assert "expected ';'" in value["output"]


def test_tells_right_answers_from_slow_ones() -> None:
    value = document(make_result("student01", Verdict.TOO_SLOW, Verdict.WRONG_ANSWER), LAB)
    assert [(test["number"], test["status"], test["score"]) for test in value["tests"]] == [
        ("1", "passed", 30),
        ("1.1", "failed", 0),
        ("2", "failed", 0),
        ("2.1", "failed", 0),
    ]
    assert "6.80 times the reference" in value["tests"][1]["output"]
    assert "expected 3.5, got nan" in value["tests"][2]["output"]
    assert value["tests"][3]["output"].startswith("Not timed")
    assert [place["value"] for place in value["leaderboard"]] == [6.8]


def test_shows_a_students_text_as_text() -> None:
    result = make_result("<b>x</b>", Verdict.COMPILE_ERROR, Verdict.ACCEPTED)
    result.diagnostics = [Diagnostic(phase="compile", text="<script>\x1b[31m\x00")]
    value = _valid(document(result, LAB))
    formats = {value["output_format"], *(test["output_format"] for test in value["tests"])}
    assert formats == {"text"}
    assert "<script>\ufffd" in value["output"]


def test_leaves_a_ratio_that_is_no_number_out() -> None:
    result = make_result("student01", Verdict.TOO_SLOW, Verdict.WRONG_ANSWER)
    assert result.parts[0].timing is not None
    result.parts[0].timing.ratio = math.inf
    assert _valid(document(result, LAB))["leaderboard"] == []


def test_has_no_score_for_who_was_not_judged() -> None:
    with pytest.raises(GraderError, match="student01: not judged"):
        document(make_result("student01", Verdict.WRONG_ANSWER, Verdict.JUDGE_ERROR), LAB)


def test_writes_a_file_per_student_and_lists_who_was_not_judged(tmp_path: Path) -> None:
    results = list(made_up_class(40))
    paths = write("gradescope", results, LAB, tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in paths[:2]] == [
        "gradescope/student01/results.json",
        "gradescope/student02/results.json",
    ]
    assert len(paths) == 38 + 1
    assert paths[-1].name == "gradescope_not_graded.txt"
    named = paths[-1].read_text(encoding="utf-8")
    assert all(result.student in named for result in results if not is_graded(result))
    for path in paths[:-1]:
        _valid(json.loads(path.read_text(encoding="utf-8")))


def test_removes_an_older_score_of_who_was_not_judged_until_judged_again(tmp_path: Path) -> None:
    judged = make_result("student01", Verdict.ACCEPTED, Verdict.ACCEPTED)
    (path,) = write("gradescope", [judged], LAB, tmp_path)
    failed = make_result("student01", Verdict.JUDGE_ERROR, Verdict.ACCEPTED)
    (listed,) = write("gradescope", [failed], LAB, tmp_path)
    assert listed.name == "gradescope_not_graded.txt"
    assert not path.exists()
    assert write("gradescope", [judged], LAB, tmp_path) == [path]
    assert not listed.exists()


def test_keeps_hostile_names_inside_the_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    names = ["../../evil", "/etc/x", "a\nb", "a/b", "a_b", "..", "gradescope_not_graded.txt"]
    results = [make_result(name, Verdict.ACCEPTED, Verdict.ACCEPTED) for name in names]
    paths = write("gradescope", results, LAB, out)
    assert len({path.resolve() for path in paths}) == len(names)
    assert all(path.resolve().parent.parent == (out / "gradescope").resolve() for path in paths)
    assert list(tmp_path.iterdir()) == [out]
