"""--json: one document on standard output, whatever else is printed on standard error."""

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import click
import pytest

from grader.cli import app
from grader.cli.document import SCHEMA, document
from grader.cli.options import BAD_INPUT, GRADED, UNSETTLED
from grader.cli.tests.command_line_test import ALL
from grader.proof.fakes.desk import Desk
from grader.proof.fakes.fake_kit import GOOD

WITHOUT = {
    "completion": "prints a script",
    "grade-chunk": "a job of a cluster runs it, and its results are files",
    "grading-process": "the child of serve",
    "samples edit": "opens an editor",
    "serve": "runs until it is ended; its facts are at /health and in its log",
}


def test_every_command_that_prints_facts_has_json() -> None:
    lacking = [
        f"{' '.join(path)} has no --json: add @json_option() and document(), or a reason to WITHOUT"
        for path, command in ALL.items()
        if not isinstance(command, click.Group)
        and " ".join(path) not in WITHOUT
        and "--json" not in [name for option in command.params for name in option.opts]
    ]
    assert lacking == []


class Run(Desk):
    """Reads the documents of commands."""

    def graded(self, *more: str, code: int = GRADED) -> dict[str, Any]:
        return self.of(*self.command(), *more, code=code)

    def of(self, *arguments: str, code: int = GRADED) -> dict[str, Any]:
        out = [] if "--out" in arguments else ["--out", str(self.out)]
        assert self.run(*arguments, *out, "--json") == code
        found: dict[str, Any] = json.loads(self.printed)
        assert found["schema"] == SCHEMA
        assert next(iter(found)) == "schema"
        return found


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    return Run(tmp_path, capfd)


def test_grade_prints_the_class_and_what_it_did(run: Run) -> None:
    run.hand_in("student01", GOOD)
    run.hand_in("student02", f"{GOOD}// fake: tests SumATest wrong_answer expected 3, got 4\n")
    found = run.graded()
    assert found["run"] == {"chosen": 2, "graded": 2, "judge_errors": 0}
    assert (found["lab"], found["students"], found["not_graded"]) == ("fake_sum", 2, 0)
    assert found["verdicts"] == {"accepted": 1, "wrong_answer": 1}
    assert [row["student"] for row in found["results"]] == ["student01", "student02"]
    assert found["results"][0]["points"] == 100
    assert Path(found["report"]).is_file()
    assert "2 submissions, found as" in run.said
    again = run.graded("--student", "student02")
    assert again["run"]["graded"] == 0
    assert [row["verdict"] for row in again["results"]] == ["wrong_answer"]


def test_points_that_are_not_final_are_null(run: Run) -> None:
    run.hand_in("student01", f"{GOOD}// fake: broken 9\n")
    found = run.graded(code=UNSETTLED)
    assert found["results"][0]["points"] is None
    assert found["mean"] is None
    assert found["not_graded"] == 1


def test_report_prints_the_class_or_the_record_that_export_writes(run: Run) -> None:
    run.hand_in("student01", GOOD)
    graded = run.graded()
    assert run.of("report") == {name: graded[name] for name in graded if name != "run"}
    one = run.of("report", "--student", "student01")["result"]
    written, _ = run.of("export", "--format", "json")["written"]
    assert json.loads(Path(written).read_text(encoding="utf-8"))["results"] == [one]


def test_an_error_leaves_standard_output_empty(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    assert app.main(["report", "--out", str(run.out), "--json"]) == BAD_INPUT
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.startswith("error: no results in ")


def test_what_other_programs_print_goes_to_standard_error(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with document(as_json=True) as facts:
        subprocess.run(["echo", "built"], check=True)
        print("printed")
        facts["n"] = 1
    print("later")
    said = capfd.readouterr()
    assert said.out == '{\n  "schema": 1,\n  "n": 1\n}\nlater\n'
    assert sorted(said.err.splitlines()) == ["built", "printed"]


def test_what_json_cannot_say_is_null_and_any_terminal_can_show_it(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with document(as_json=True) as facts:
        facts.update(ratios=[math.inf, math.nan], name="ü\x1b[31m\u202e")
    said = capfd.readouterr().out
    assert said.isascii()
    assert "\x1b" not in said
    assert json.loads(said)["ratios"] == [None, None]
    assert json.loads(said)["name"] == "ü\x1b[31m\u202e"


def test_without_json_standard_output_is_left_alone(capfd: pytest.CaptureFixture[str]) -> None:
    with document(as_json=False) as facts:
        print("printed")
        facts["n"] = 1
    assert capfd.readouterr().out == "printed\n"
