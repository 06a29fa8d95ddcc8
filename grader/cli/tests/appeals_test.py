"""`explain` and `replay` need the store alone, and never change it."""

import hashlib
import json
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from grader.cli.options import BAD_INPUT
from grader.judging.store import FILE_NAME
from grader.proof.fakes.desk import Desk
from grader.proof.fakes.fake_kit import GOOD, make_kit
from grader.proof.faults.damage import to_schema_1

BETWEEN = f"{GOOD}// fake: timing SumATiming 1.9 2.0 2.1 between\n"
WRONG = f"{GOOD}// fake: tests SumATest wrong_answer element 3: expected 3, got 4\n"


class Appeals(Desk):
    """A graded class whose folder and kit are deleted."""

    def grade_texts(self, texts: dict[str, str]) -> None:
        for student, text in texts.items():
            self.hand_in(student, text)
        assert self.grade() == 0
        shutil.rmtree(self.kit)
        shutil.rmtree(self.submissions)

    def ask(self, command: str, *arguments: str) -> int:
        return self.run(command, "--out", str(self.out), *arguments)

    def document(self, command: str, *arguments: str) -> dict[str, Any]:
        self.ask(command, "--json", *arguments)
        found: dict[str, Any] = json.loads(self.printed)
        return found

    def edit(self, change: Callable[[dict[str, Any]], object]) -> None:
        """Changes the only stored result."""
        with closing(sqlite3.connect(self.out / FILE_NAME)) as database, database:
            ((body,),) = database.execute("SELECT body FROM results").fetchall()
            result = json.loads(body)
            change(result)
            database.execute("UPDATE results SET body = ?", (json.dumps(result),))

    def differing(self) -> list[str]:
        """Names of the fields that differ when anna's grading is repeated."""
        found = self.document("replay", "--student", "anna")
        return [field["name"] for field in found["fields"] if not field["agrees"]]


@pytest.fixture
def desk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Appeals:
    monkeypatch.setenv("COLUMNS", "200")
    return Appeals(tmp_path, capsys)


def test_explains_each_point_without_the_class_and_the_kit(desk: Appeals, tmp_path: Path) -> None:
    desk.kit = make_kit(tmp_path, parallelism=True)
    desk.grade_texts({"anna": BETWEEN})
    assert desk.ask("explain", "--student", "anna") == 0
    assert "(3.5 - 1.9) / (3.5 - 1.5) = 0.8000 of 12 points" in desk.said
    assert "40 + 9.6 + 8 = 57.6" in desk.said
    assert "57.6 + 40 = 97.6 of 100 points" in desk.said
    assert "  accepted in tests and races:\n    SumATest.Works\n" in desk.said
    assert "handed in as" in desk.said


def test_leaves_out_of_a_students_explanation_what_feedback_withholds(
    desk: Appeals, tmp_path: Path
) -> None:
    with (desk.kit / "lab.toml").open("a", encoding="utf-8") as lab:
        lab.write('[feedback]\nhidden = "verdict"\n')
    desk.grade_texts({"anna": WRONG})
    assert desk.ask("explain", "--student", "anna") == 0
    assert "element 3" in desk.said
    assert desk.ask("explain", "--student", "anna", "--for-student") == 0
    assert "wrong answer, 0 of 1 cases passed" in desk.said
    for hidden in ("element 3", "SumATest", "handed in as", str(tmp_path)):
        assert hidden not in desk.said


def test_the_json_of_explain_has_the_rows_the_facts_and_no_raw_control_characters(
    desk: Appeals,
) -> None:
    desk.grade_texts({"anna": GOOD})
    found = desk.document("explain", "--student", "anna")
    assert found["schema"] == 1
    rows = found["derivation"]["parts"][0]["rows"]
    assert [(row["source"], row["points"]) for row in rows] == [("tests", 40), ("time", 20)]
    assert found["provenance"]["kit"] == "0" * 64
    assert found["provenance"]["text_is_kept"]


def test_explains_a_result_of_schema_1_by_the_lab_of_the_last_grading(desk: Appeals) -> None:
    desk.grade_texts({"anna": GOOD})
    to_schema_1(desk.out / FILE_NAME)
    assert desk.ask("explain", "--student", "anna") == 0
    assert "40 + 20 = 60" in desk.said
    assert "not kept: graded by an older grader" in desk.said
    assert desk.ask("replay", "--student", "anna") == BAD_INPUT
    assert "does not keep the text of anna" in desk.said


@pytest.mark.parametrize("command", ["explain", "replay"])
def test_names_students_who_are_like_one_that_has_no_result(desk: Appeals, command: str) -> None:
    desk.grade_texts({"anna": GOOD})
    assert desk.ask(command, "--student", "ana") == BAD_INPUT
    assert "no result of 'ana'" in desk.said
    assert "there is anna" in desk.said


def test_repeats_a_grading_from_the_store_and_leaves_it_as_it_is(desk: Appeals) -> None:
    desk.grade_texts({"anna": BETWEEN})
    before = (desk.out / FILE_NAME).read_bytes()
    assert desk.ask("replay", "--student", "anna") == 0
    assert "nothing differs" in desk.said
    assert (desk.out / FILE_NAME).read_bytes() == before


def test_a_verdict_of_a_case_and_of_its_part_differ(desk: Appeals) -> None:
    desk.grade_texts({"anna": GOOD})

    def change(result: dict[str, Any]) -> None:
        result["parts"][1]["verdict"] = "wrong_answer"
        result["parts"][1]["cases"][0]["verdict"] = "wrong_answer"

    desk.edit(change)
    assert desk.ask("replay", "--student", "anna") == 1
    assert desk.differing() == ["SumB: verdict", "SumB: SumBTest.Works in tests", "points"]


def test_a_counter_that_is_not_exactly_equal_differs(desk: Appeals, tmp_path: Path) -> None:
    desk.kit = make_kit(tmp_path, counters=True)
    desk.grade_texts({"anna": GOOD})
    assert desk.differing() == []
    desk.edit(lambda result: result["parts"][1]["counters"][0].update(value=0.999999))
    assert desk.differing() == ["SumB: global_efficiency", "points"]


@pytest.mark.parametrize(
    ("measured", "differs"),
    [
        ({"ratio": 2.2, "low": 2.05, "high": 2.3, "points": 14.5}, []),
        ({"ratio": 2.2, "low": 2.15, "high": 2.3, "points": 13.5}, ["SumA: time ratio", "points"]),
        ({"ratio": 2.2, "low": 2.15, "high": 2.3}, []),
    ],
    ids=["overlap", "apart with other points", "apart with the same points"],
)
def test_measured_times_agree_where_intervals_overlap_or_points_are_the_same(
    desk: Appeals, measured: dict[str, float], differs: list[str]
) -> None:
    desk.grade_texts({"anna": BETWEEN})
    desk.edit(lambda result: result["parts"][0]["timing"].update(measured))
    assert desk.differing() == differs


def test_tells_that_another_machine_repeats_it(desk: Appeals) -> None:
    desk.grade_texts({"anna": GOOD})
    desk.edit(lambda result: result["key"].update(machine="Abacus x1"))
    assert desk.ask("replay", "--student", "anna") == 0
    assert "graded on Abacus x1, repeated on " in desk.said


def test_says_why_a_grading_without_a_file_cannot_be_repeated(
    desk: Appeals, tmp_path: Path
) -> None:
    (tmp_path / "class" / "bert").mkdir(parents=True)
    (tmp_path / "class" / "bert" / "notes.txt").write_text("int x;\n", encoding="utf-8")
    desk.grade_texts({"anna": GOOD})
    assert desk.ask("replay", "--student", "bert") == BAD_INPUT
    assert "bert handed in no file that could be graded: sum.cc is missing" in desk.said


def test_refuses_a_kit_that_is_damaged_in_the_store(desk: Appeals) -> None:
    desk.grade_texts({"anna": GOOD})
    with closing(sqlite3.connect(desk.out / FILE_NAME)) as database, database:
        (digest,) = database.execute(
            "SELECT digest FROM kit_files WHERE place = 'checker'"
        ).fetchone()
        database.execute("UPDATE contents SET packed = x'00' WHERE digest = ?", (digest,))
    assert desk.ask("replay", "--student", "anna") == BAD_INPUT
    assert "is damaged" in desk.said


def test_compares_nothing_with_a_submission_that_was_not_judged(desk: Appeals) -> None:
    desk.grade_texts({"anna": GOOD})
    desk.edit(lambda result: result.update(verdict="judge_error"))
    assert desk.ask("replay", "--student", "anna") == BAD_INPUT
    assert "anna was not judged" in desk.said


def test_says_why_the_grader_cannot_repeat_a_grading_here(
    desk: Appeals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.sandbox.processes.Processes.pause", lambda *_: None)
    desk.grade_texts({"anna": GOOD})
    broken = b"#!/bin/sh\necho no such library >&2\nexit 127\n"
    digest = hashlib.sha256(broken).hexdigest()
    with closing(sqlite3.connect(desk.out / FILE_NAME)) as database, database:
        database.execute("INSERT INTO contents VALUES (?, ?)", (digest, zlib.compress(broken)))
        database.execute("UPDATE kit_files SET digest = ? WHERE place = 'checker'", (digest,))
    assert desk.ask("replay", "--student", "anna") == BAD_INPUT
    assert "cannot be repeated here: the checker ended with code 127" in desk.said
    assert "no such library" in desk.said
