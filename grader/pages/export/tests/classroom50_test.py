"""Classroom 50 reads whole points of a result.json, which the workflow completes and publishes."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from grader.model.errors import GraderError
from grader.model.verdict import Verdict
from grader.pages.export import write
from grader.pages.export.classroom50 import document
from grader.pages.export.tests.github_test import steps
from grader.pages.presentation.tests.made_up_class import LAB, make_result

# As far as the workflow uses it: DIR/releases/TAG/result.json, / in TAG as _.
_GH = """#!/bin/bash
echo "$@" >>"$DIR/log"
case "$1 $2" in
  "api "*) ls "$DIR/releases" 2>/dev/null | sort -r | head -n 1 | tr _ / ;;
  "release download") cp "$DIR/releases/${3//\\//_}/result.json" "$9" ;;
  "release upload") cp "$4" "$DIR/releases/${3//\\//_}/result.json" ;;
esac
"""
_IDENTITY = {
    "classroom": "parallel",
    "assignment": "sum",
    "assignment_type": "individual",
    "owner": "ada",
    "submission": "submit/2026-11-30T10-00-00Z-abc",
    "release": "https://github.com/course/parallel-sum-ada/releases/tag/submit%2Fx",
    "review": "https://github.com/course/parallel-sum-ada/commit/abc",
    "datetime": "2026-11-30T10:00:00Z",
}
_VACUOUS = {"schema": "classroom50/result/v1", "score": 0, "max-score": 0, "tests": []}


@pytest.mark.parametrize("verdict", [v for v in Verdict if v.is_final])
def test_gives_whole_points_that_its_tests_sum_to(verdict: Verdict) -> None:
    result = make_result("student01", verdict, Verdict.ACCEPTED)
    value = document(result, LAB)
    assert value["schema"] == "classroom50/result/v1"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", value["graded_at"])
    assert abs(value["score"] - result.points) <= len(LAB.parts) / 2
    assert value["max-score"] == LAB.max_points
    for name in ("score", "max-score"):
        assert value[name] == sum(test[name] for test in value["tests"])
        assert all(type(test[name]) is int for test in (value, *value["tests"]))
    for test in value["tests"]:
        assert 0 <= test["score"] <= test["max-score"]
        assert test["test-name"]
        assert test["passed"] or test["score"] < test["max-score"]


def test_gives_no_score_to_who_was_not_judged(tmp_path: Path) -> None:
    failed = make_result("student02", Verdict.ACCEPTED, Verdict.JUDGE_ERROR)
    with pytest.raises(GraderError, match="student02: not judged"):
        document(failed, LAB)
    (listed,) = write("classroom50", [failed], LAB, tmp_path)
    assert "no result.json written" in listed.read_text()


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Graded clones of ada and of someone who has no submission; `gh` is a script."""
    for name in ("parallel-sum-ada", "parallel-sum-ben"):
        git = ["git", "-C", str(tmp_path / "clones" / name)]
        (tmp_path / "clones" / name).mkdir(parents=True)
        own = ["-c", "user.name=x", "-c", "user.email=x@example.edu"]
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, *own, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/gh").write_text(_GH)
    (tmp_path / "bin/gh").chmod(0o755)
    write("classroom50", [_result()], LAB, tmp_path)
    return tmp_path


def _result() -> Any:  # noqa: ANN401
    return make_result("parallel-sum-ada", Verdict.ACCEPTED, Verdict.DATA_RACE)


def _release(folder: Path, commit: str) -> Path:
    file = folder / "releases/submit_2026-11-30T10-00-00Z-abc/result.json"
    file.parent.mkdir(parents=True)
    url = f"https://github.com/course/parallel-sum-ada/commit/{commit}"
    file.write_text(json.dumps({**_VACUOUS, **_IDENTITY, "commit": url}))
    return file


def _publish(folder: Path) -> str:
    command = ["bash", "-e", "-o", "pipefail", "-c", steps()["Publish to Classroom 50"]]
    own = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "DIR": str(folder)}
    own |= {"ORGANIZATION": "course", "RESULTS": str(folder)}
    done = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("jq") is None, reason="needs jq")
def test_the_workflow_puts_the_points_into_the_submission_of_the_graded_commit(
    published: Path,
) -> None:
    clone = published / "clones/parallel-sum-ada"
    head = ["git", "-C", str(clone), "rev-parse", "HEAD"]
    commit = subprocess.run(head, capture_output=True, text=True, check=True).stdout.strip()
    file = _release(published, commit)
    said = _publish(published)
    value = json.loads(file.read_text())
    assert value.pop("commit").endswith(commit)
    assert value == _IDENTITY | document(_result(), LAB)
    assert "::warning" not in said


@pytest.mark.skipif(shutil.which("jq") is None, reason="needs jq")
def test_the_workflow_leaves_a_later_submission_alone(published: Path) -> None:
    file = _release(published, "0" * 40)
    before = file.read_text()
    assert "::warning::parallel-sum-ada: no submission of Classroom 50 for" in _publish(published)
    assert file.read_text() == before
