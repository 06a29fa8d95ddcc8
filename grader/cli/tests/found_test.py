"""Who was found by `grade` and is not graded, and corrections by hand that later runs keep."""

import csv
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import grader
from grader.cli.options import GRADED, UNSETTLED
from grader.judging.store import Store
from grader.proof.fakes.desk import Desk
from grader.proof.fakes.fake_kit import GOOD, make_kit

MAIN = Path(grader.__file__).parent / "main.py"
WRONG = f"{GOOD}// fake: tests SumATest wrong_answer expected 3, got 4\n"
COURSE = """
name = "Course"
time_zone = "Europe/Berlin"
[[labs]]
name = "fake_sum"
results = ["out"]
deadline = 2026-10-23T23:59:59
"""


@pytest.fixture
def desk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("GRADER_LOCKS", str(tmp_path))  # nothing here is timed in earnest
    (tmp_path / "course.toml").write_text(COURSE)
    return Desk(tmp_path, capsys, make_kit(tmp_path, races=False))


def _until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.02)


def test_a_killed_run_leaves_students_not_graded_and_nobody_at_zero(desk: Desk) -> None:
    desk.hand_in("ann", GOOD)
    for student in ("ben", "cat"):
        desk.hand_in(student, f"{GOOD}// fake: sleep 60\n// {student}\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.Popen(
        [sys.executable, MAIN, *desk.command(), "--jobs", "1"],
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    try:
        _until(lambda: (desk.out / "results.sqlite").exists() and bool(_graded(desk)))
    finally:
        run.send_signal(signal.SIGKILL)
        run.wait()

    course = str(desk.folder / "course.toml")
    assert desk.run("term", "--course", course, "--out", str(desk.folder)) == UNSETTLED
    assert "not graded yet, so not counted: 2 of fake_sum: ben, cat" in desk.said
    rows = csv.DictReader(io.StringIO((desk.folder / "term.csv").read_text()))
    seen = {row["student"]: (row["fake_sum_status"], row["total"]) for row in rows}
    assert seen["ann"][0] == "on_time"
    assert seen["ben"] == seen["cat"] == ("not_graded", "")

    assert desk.run("export", "--out", str(desk.out), "--format", "canvas") == UNSETTLED
    assert "not graded yet (2): ben, cat" in desk.said
    cells = (desk.out / "canvas.csv").read_text().splitlines()[2:]
    assert [line.rpartition(",")[2] for line in cells] == ["100.00", "", ""]

    assert desk.run("report", "--out", str(desk.out)) == GRADED
    assert "2 not graded" in desk.said


def _graded(desk: Desk) -> list[str]:
    try:
        with Store(desk.out, create=False) as store:
            return [r.student for r in store.results(texts=False) if r.verdict.is_final]
    except Exception:  # the database is being made
        return []


def test_students_who_were_not_asked_for_are_not_graded_yet(desk: Desk) -> None:
    desk.hand_in("ann", GOOD)
    desk.hand_in("ben", WRONG)
    assert desk.grade("--student", "ann") == GRADED
    assert desk.run("term", "--course", str(desk.folder / "course.toml")) == UNSETTLED
    assert desk.grade() == GRADED
    assert desk.run("term", "--course", str(desk.folder / "course.toml")) == GRADED


@pytest.mark.parametrize("named", [(), ("--student", "ann")])
def test_a_correction_by_hand_lasts_when_the_class_is_graded_again(
    desk: Desk, named: tuple[str, ...]
) -> None:
    desk.hand_in("ann", WRONG)
    desk.hand_in("ben", GOOD)
    assert desk.grade() == GRADED
    before = desk.points()["ann"]
    desk.hand_in("ann", GOOD + "// corrected\n", where="fix")
    assert desk.grade(*named, where="fix") == GRADED
    assert desk.points()["ann"] == 100
    for _ in range(2):
        assert desk.grade() == GRADED
        assert desk.points()["ann"] == 100
        assert f"ann: kept the result of {desk.folder}/fix/ann/sum.cc" in desk.said
        assert "--student ann grades it instead" in desk.said
    assert desk.grade("--student", "ann") == GRADED
    assert desk.points()["ann"] == before


def test_a_correction_by_hand_outlasts_a_new_file_in_the_class(desk: Desk) -> None:
    desk.hand_in("ann", WRONG)
    desk.hand_in("ben", GOOD)
    desk.grade()
    desk.hand_in("ann", GOOD + "// corrected\n", where="fix")
    desk.grade("--student", "ann", where="fix")
    desk.hand_in("ann", WRONG + "// once more\n")
    assert desk.grade() == GRADED
    assert desk.points()["ann"] == 100
    assert "ann: kept the result of" in desk.said


def test_another_files_name_is_noted_for_that_student_alone(desk: Desk) -> None:
    desk.hand_in("ann", GOOD)
    desk.hand_in("ben", GOOD)  # the same text shares one result
    (desk.folder / "class" / "ben" / "sum.cc").rename(desk.folder / "class" / "ben" / "Sum.cpp")
    (desk.folder / "class" / "cat").mkdir()
    (desk.folder / "class" / "cat" / "report.pdf").write_bytes(b"%PDF")
    assert desk.grade() == GRADED
    note = "graded was ben/Sum.cpp, the only file that can be meant; next time, name it sum.cc"
    assert f"ben: {note}" in desk.said
    assert "nothing gradable" in desk.said
    desk.run("feedback", "--out", str(desk.out))
    desk.run("export", "--out", str(desk.out), "--format", "feedback")
    for suffix in ("md", "html"):
        pages = {
            n: (desk.out / "feedback" / f"{n}.{suffix}").read_text() for n in ("ann", "ben", "cat")
        }
        assert [note in page for page in pages.values()] == [False, True, False]
        assert "report.pdf (a PDF document)" in pages["cat"]
        assert "What you handed in" in pages["cat"]
        assert "bazel test" not in pages["cat"]
    desk.hand_in("ben", GOOD)
    (desk.folder / "class" / "ben" / "Sum.cpp").unlink()
    desk.grade()
    desk.run("report", "--out", str(desk.out), "--student", "ben")
    assert "graded was" not in desk.said


def test_gradescopes_names_stand_beside_its_numbers(desk: Desk) -> None:
    desk.hand_in("submission_1", GOOD)
    people = "  :submitters:\n  - :name: Ann Lee\n    :sid: '3035'\n"
    metadata = desk.folder / "class" / "submission_metadata.yml"
    metadata.write_text(f"submission_1:\n{people}")
    assert desk.grade() == GRADED
    assert "Ann Lee (3035)" in desk.said
    assert "Ann Lee (3035)" in (desk.out / "report" / "index.html").read_text()
    desk.run("term", "--course", str(desk.folder / "course.toml"), "--out", str(desk.folder))
    assert "Ann Lee" in desk.said
    assert "3035,Ann Lee," in (desk.folder / "term.csv").read_text()
    desk.run("report", "--out", str(desk.out), "--student", "3035")
    assert "Ann Lee (3035)" in desk.said


def test_a_roster_that_matches_nobody_warns(desk: Desk) -> None:
    desk.hand_in("ann", GOOD)
    desk.grade()
    roster = desk.folder / "roster.csv"
    roster.write_text("s1\ns2\n")
    assert desk.run("report", "--out", str(desk.out), "--roster", str(roster)) == GRADED
    assert f"warning: none of the 2 names in {roster} handed in" in desk.said
    assert "it has 's1', the class has 'ann'" in desk.said
    roster.write_text("s1\nAnn\n")
    desk.run("report", "--out", str(desk.out), "--roster", str(roster))
    assert "warning" not in desk.said


def test_a_student_may_go_back_to_an_earlier_file_in_the_class(desk: Desk) -> None:
    desk.hand_in("ann", WRONG)
    desk.grade()
    first = desk.points()["ann"]
    desk.hand_in("ann", GOOD)
    desk.grade()
    desk.hand_in("ann", WRONG)
    desk.grade()
    assert desk.points()["ann"] == first


def test_a_later_download_says_whose_file_it_replaces(desk: Desk) -> None:
    desk.hand_in("ann", WRONG)
    desk.grade()
    desk.hand_in("ann", GOOD, where="later")
    desk.grade(where="later")
    assert desk.points()["ann"] == 100
    assert f"ann: {desk.folder}/later/ann/sum.cc takes the place of" in desk.said
