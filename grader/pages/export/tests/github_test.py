"""GitHub gets each score as a check run, from a workflow whose last step is run here."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

import grader.pages.export
from grader.model.result import Diagnostic
from grader.model.verdict import Verdict
from grader.pages.export import write
from grader.pages.export.github import check_run
from grader.pages.presentation.tests.made_up_class import LAB, make_result

_WORKFLOW = Path(grader.pages.export.__file__).parent / "github_workflow.yml"
_GH = """#!/bin/sh
{ echo "$@"; cat; } >> "$GH_LOG"
"""


def steps() -> dict[str, str]:
    workflow: Any = yaml.safe_load(_WORKFLOW.read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    return {step["name"]: step["run"] for step in job["steps"] if "run" in step}


def test_says_the_score_and_whether_all_was_right() -> None:
    right = check_run(make_result("student01", Verdict.ACCEPTED, Verdict.ACCEPTED), LAB)
    wrong = check_run(make_result("student01", Verdict.TOO_SLOW, Verdict.DATA_RACE), LAB)
    assert (right["conclusion"], wrong["conclusion"]) == ("success", "failure")
    assert right["name"] == "Sum with threads"
    assert wrong["output"]["title"] == "30 of 100 points: too slow"
    assert wrong["output"]["summary"].startswith("# Sum with threads: student01")
    assert "sum.cc:31" in wrong["output"]["summary"]


def test_never_fails_who_was_not_judged() -> None:
    value = check_run(make_result("student01", Verdict.JUDGE_ERROR, Verdict.ACCEPTED), LAB)
    assert value["conclusion"] == "neutral"
    assert value["output"]["title"] == "not judged: your instructor will grade it"
    assert " of 100 points" not in json.dumps(value)


def test_fits_into_what_github_takes() -> None:
    result = make_result("student01", Verdict.COMPILE_ERROR, Verdict.ACCEPTED)
    line = "ä" * 60 + "\n"
    result.diagnostics = [Diagnostic(phase="compile", text=line * 300) for _ in range(20)]
    text = check_run(result, LAB)["output"]["summary"]
    assert len(text) < 65_535
    assert text.endswith("… the rest is not shown\n")


def test_writes_a_summary_and_a_check_run_for_each_student(tmp_path: Path) -> None:
    result = make_result("a/b", Verdict.ACCEPTED, Verdict.ACCEPTED)
    summary, check = write("github", [result], LAB, tmp_path)
    assert summary.parent.parent == tmp_path / "github"
    value = json.loads(check.read_text(encoding="utf-8"))
    assert value["output"]["summary"] == summary.read_text(encoding="utf-8")


def test_the_workflow_grades_and_exports_with_commands_that_there_are() -> None:
    text = steps()["Grade"]
    assert '--lab "$LAB" --submissions clones --out "$RESULTS"' in text
    assert [line.split()[-1] for line in text.splitlines()[1:]] == [
        "json",
        "csv",
        "github",
        "classroom50",
    ]


@pytest.mark.skipif(shutil.which("jq") is None, reason="needs jq")
def test_the_workflow_publishes_every_score_and_names_who_has_none(tmp_path: Path) -> None:
    programs, clones, results = (tmp_path / name for name in ("bin", "clones", "results"))
    for name in ("lab1-ada", "lab1-none"):
        clone = clones / name
        clone.mkdir(parents=True)
        git = ["git", "-C", str(clone), "-c", "user.name=x", "-c", "user.email=x@example.edu"]
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    programs.mkdir()
    (programs / "gh").write_text(_GH)
    (programs / "gh").chmod(0o755)
    results.mkdir()
    write("github", [make_result("lab1-ada", Verdict.ACCEPTED, Verdict.ACCEPTED)], LAB, results)
    environment = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "GH_LOG": str(tmp_path / "log"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "ORGANIZATION": "course",
        "RESULTS": str(results),
    }
    command = ["bash", "-e", "-o", "pipefail", "-c", steps()["Publish"]]
    ended = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert "lab1-none has no result" in ended.stdout
    asked, _, body = (tmp_path / "log").read_text(encoding="utf-8").partition("\n")
    assert asked == "api repos/course/lab1-ada/check-runs --input - --silent"
    value = json.loads(body)
    assert len(value["head_sha"]) == 40
    assert value["output"]["title"] in (tmp_path / "summary").read_text(encoding="utf-8")
