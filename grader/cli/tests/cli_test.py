"""The command line: exit codes, errors for bad input, and what a second run repeats."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.cli import places
from grader.cli.options import BAD_INPUT, GRADED, UNSETTLED
from grader.model.errors import GraderError
from grader.pages import export
from grader.proof.fakes.desk import Desk
from grader.proof.fakes.fake_kit import GOOD, log, make_kit

WRONG = f"{GOOD}// fake: tests SumATest wrong_answer expected 3, got 4\n"


def student(desk: Desk, name: str) -> str:
    assert desk.run("report", "--out", str(desk.out), "--student", name) == GRADED
    return desk.said


@pytest.fixture
def cli(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    monkeypatch.setenv("COLUMNS", "200")
    return Desk(tmp_path, capsys)


@pytest.mark.parametrize("command", ["grade", "report", "export", "check", "demo"])
def test_help_names_the_options_and_the_exit_codes(cli: Desk, command: str) -> None:
    assert cli.run(command, "--help") == GRADED
    assert "--out" in cli.said or command == "check"
    if command in ("grade", "check"):
        assert "Exit codes" in cli.said


@pytest.mark.parametrize(
    "arguments", [["nothing"], ["grade"], ["grade", "--jobs", "0"], ["export", "--format", "pdf"]]
)
def test_wrong_usage_is_an_error_and_exits_with_2(cli: Desk, arguments: list[str]) -> None:
    assert cli.run(*arguments) == BAD_INPUT
    assert "error: " in cli.said
    assert "--help" in cli.said


def test_a_graded_class_ends_with_0_and_names_its_report(cli: Desk) -> None:
    cli.hand_in("student01", GOOD)
    cli.hand_in("student02", WRONG)
    assert cli.grade() == GRADED
    page = cli.out / "report" / "index.html"
    assert f"report: {page.as_uri()}" in cli.said
    assert "student02" in page.read_text(encoding="utf-8")
    assert "expected 3, got 4" in student(cli, "student02")


def test_a_judge_error_ends_with_1_and_is_tried_again_by_the_next_run(cli: Desk) -> None:
    cli.hand_in("student01", f"{GOOD}// fake: broken 3\n")
    assert cli.grade() == UNSETTLED
    assert "no fault of the students" in cli.said
    assert cli.grade() == GRADED


def test_grading_again_runs_only_what_is_new(cli: Desk) -> None:
    cli.hand_in("student01", GOOD)
    cli.grade()
    before = log(cli.kit)
    cli.hand_in("student02", WRONG)
    cli.hand_in("student03", GOOD)
    assert cli.grade() == GRADED
    after = log(cli.kit)[len(before) :]
    assert len({line.split()[1] for line in after}) == 1
    assert cli.grade() == GRADED
    assert log(cli.kit) == before + after
    assert "3 of 3 were graded already" in cli.said


def test_a_page_that_could_not_be_written_is_written_by_the_next_run(
    cli: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Path:
        raise GraderError("cannot write the page: No space left on device", "free some space")

    cli.hand_in("student01", GOOD)
    assert cli.grade() == GRADED
    cli.hand_in("student02", WRONG)
    with monkeypatch.context() as full:
        full.setattr("grader.pages.report.html.write_report", fail)
        assert cli.grade() == BAD_INPUT
    assert cli.grade() == GRADED
    page = cli.out / "report" / "index.html"
    assert "student02" in page.read_text(encoding="utf-8")


def test_the_page_shows_a_file_that_a_student_handed_in_once_more(cli: Desk) -> None:
    cli.hand_in("student01", GOOD)
    assert cli.grade() == GRADED
    cli.hand_in("student01", WRONG)
    assert cli.grade() == GRADED
    page = cli.out / "report" / "index.html"
    assert "expected 3, got 4" in page.read_text(encoding="utf-8")
    cli.hand_in("student01", GOOD)
    assert cli.grade() == GRADED
    assert "expected 3, got 4" not in page.read_text(encoding="utf-8")


def test_one_student_is_graded_alone_and_again_only_by_force(cli: Desk) -> None:
    cli.hand_in("student01", GOOD)
    cli.hand_in("student02", WRONG)
    assert cli.grade("--student", "student02") == GRADED
    assert "expected 3, got 4" in cli.said
    once = log(cli.kit)
    cli.grade("--student", "student02")
    assert log(cli.kit) == once
    cli.grade("--student", "student02", "--force")
    assert sorted(log(cli.kit)) == sorted(once * 2)


def test_another_seed_grades_again_and_is_kept_for_the_next_run(cli: Desk) -> None:
    cli.hand_in("student01", GOOD)
    cli.grade("--seed", "7")
    assert "seed 7" in student(cli, "student01")
    once = len(log(cli.kit))
    cli.grade()
    assert len(log(cli.kit)) == once
    cli.grade("--seed", "8")
    assert len(log(cli.kit)) == 2 * once


def test_an_unknown_student_is_an_error_that_names_similar_ones(cli: Desk) -> None:
    cli.hand_in("student01", GOOD)
    assert cli.grade("--student", "student10") == BAD_INPUT
    assert "no submission of 'student10'" in cli.said
    assert "student01" in cli.said


def test_an_unknown_lab_is_an_error_that_names_the_labs(
    cli: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_kit(tmp_path / "root" / "solutions", lab="first_lab")
    make_kit(tmp_path / "root" / "solutions", lab="second_lab")
    monkeypatch.setattr(places, "ROOT", tmp_path / "root")
    places_ = ["--submissions", str(cli.submissions), "--out", str(cli.out)]
    assert cli.run("grade", "--lab", "nothing", *places_) == BAD_INPUT
    assert "labs: first_lab, second_lab" in cli.said
    assert cli.run("grade", "--lab", "frist_lab", *places_) == BAD_INPUT
    assert "did you mean first_lab?" in cli.said


def test_every_format_in_the_table_of_formats_can_be_asked_for(
    cli: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli.hand_in("student01", GOOD)
    cli.grade()
    monkeypatch.setitem(export.FORMATS, "brand_new", export.FORMATS["csv"])
    assert cli.run("export", "--help") == GRADED
    assert "brand_new" in cli.said
    assert cli.run("export", "--out", str(cli.out), "--format", "brand_new") == GRADED, cli.said


def test_an_empty_class_is_an_error_and_makes_no_results(cli: Desk) -> None:
    assert cli.grade() == BAD_INPUT
    assert "error: " in cli.said
    assert not cli.out.exists()


def _two_files(cli: Desk) -> None:
    cli.hand_in("student01", GOOD, "a/sum.cc")
    cli.hand_in("student01", GOOD, "b/sum.cc")


def _huge(cli: Desk) -> None:
    os.truncate(cli.hand_in("student01", ""), 1 << 30)


def _dangling(cli: Desk) -> None:
    (cli.submissions / "student01").mkdir()
    (cli.submissions / "student01" / "sum.cc").symlink_to("/nowhere/sum.cc")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_two_files, "a/sum.cc"),
        (_huge, "16 KB"),
        (_dangling, "link"),
        (lambda cli: cli.hand_in("student01", b"\x7fELF\0\0"), "is a binary file"),
        (lambda cli: cli.hand_in("student01", b"int x;\nint \xe9;\n"), "sum.cc:2: byte 0xe9"),
        (lambda cli: cli.hand_in("student01", ""), "is empty"),
        (lambda cli: cli.hand_in("student01", GOOD, "sumup.cc"), "sumup.cc"),
    ],
    ids=["two files", "1 GiB", "dangling link", "binary", "not UTF-8", "empty", "other name"],
)
def test_a_bad_hand_in_is_one_students_result_and_stops_nobody(
    cli: Desk, make: Callable[[Desk], object], words: str
) -> None:
    make(cli)
    cli.hand_in("student02", GOOD)
    assert cli.grade() == GRADED
    assert words in student(cli, "student01")
    assert "100 of 100" in student(cli, "student02")


@pytest.mark.parametrize("name", ["Ann Lee", 'O\'Neil "x"', "two\nlines", "-dash", "ünï", "$(id)"])
def test_any_folder_name_is_graded_and_reported(cli: Desk, name: str) -> None:
    cli.hand_in(name, WRONG)
    assert cli.grade() == GRADED
    page = (cli.out / "report" / "index.html").read_text(encoding="utf-8")
    assert "wrong answer" in page
    for kind in ("csv", "json", "junit", "gradescope", "canvas", "feedback"):
        assert cli.run("export", "--out", str(cli.out), "--format", kind) == GRADED, cli.said


def _corrupt(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 8192)


def _foreign(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE precious (x)")


def _newer(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")


@pytest.mark.parametrize("spoil", [_corrupt, _foreign, _newer])
def test_a_database_that_is_not_ours_is_left_as_it_is(
    cli: Desk, spoil: Callable[[Path], None]
) -> None:
    cli.hand_in("student01", GOOD)
    path = cli.out / "results.sqlite"
    if spoil is _newer:
        cli.grade()
    else:
        cli.out.mkdir()
    spoil(path)
    before = path.read_bytes()
    assert cli.grade() == BAD_INPUT
    assert "error: " in cli.said
    assert "next: " in cli.said
    assert path.read_bytes() == before


def test_an_emptied_database_beside_a_class_page_is_damaged_and_not_new(cli: Desk) -> None:
    cli.hand_in("student01", GOOD)
    assert cli.grade() == GRADED
    path = cli.out / "results.sqlite"
    path.write_bytes(b"")
    assert cli.grade() == BAD_INPUT
    assert f"{path} is damaged: it has 0 bytes" in cli.said
    assert path.read_bytes() == b""


@pytest.mark.parametrize("command", [["report"], ["export", "--format", "csv"]])
def test_reporting_before_grading_says_to_grade_first(cli: Desk, command: list[str]) -> None:
    assert cli.run(*command, "--out", str(cli.out)) == BAD_INPUT
    assert "grade into it first" in cli.said


def test_prints_the_error_of_a_jail_that_cannot_work(cli: Desk) -> None:
    words = "error: bubblewrap is not installed\\n  next: apt-get install bubblewrap"
    (cli.kit / "jail").write_text(f"#!/bin/sh\nprintf '{words}\\n' >&2\nexit 3\n", encoding="utf-8")
    cli.hand_in("student01", GOOD)
    assert cli.grade() == BAD_INPUT
    assert "error: bubblewrap is not installed\n  next: apt-get install bubblewrap" in cli.said
    assert "Command" not in cli.said
    assert "Path(" not in cli.said


def _mount(target: Path, *options: str) -> None:
    target.mkdir()
    if os.geteuid() != 0:
        pytest.skip("mounting needs root")
    command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"cannot mount a tmpfs here: {done.stderr.strip()}")


@pytest.fixture
def mounted(cli: Desk) -> Iterator[Callable[..., None]]:
    """Mounts a tmpfs on --out."""
    yield lambda *options: _mount(cli.out, *options)
    subprocess.run(["umount", "-l", str(cli.out)], capture_output=True, check=False)


def test_a_read_only_out_is_an_error_before_anything_is_graded(
    cli: Desk, mounted: Callable[..., None]
) -> None:
    mounted("ro")
    cli.hand_in("student01", GOOD)
    assert cli.grade() == BAD_INPUT
    assert f"cannot write to {cli.out}: Read-only file system" in cli.said
    assert log(cli.kit) == []


def test_a_full_disk_stops_with_what_was_stored_kept(
    cli: Desk, mounted: Callable[..., None]
) -> None:
    mounted("size=256k")
    cli.hand_in("student01", GOOD)
    for number in range(2, 40):
        big = "x" * 9000
        cli.hand_in(f"student{number:02}", f"{GOOD}// fake: races SumATest data_race {big}{number}")
    assert cli.grade("--jobs", "1") == BAD_INPUT
    assert "next: " in cli.said
    assert "Traceback" not in cli.said
    stored = len({line.split()[1] for line in log(cli.kit)})
    assert 1 < stored < 39
    bigger = cli.out.with_name("bigger")
    shutil.copytree(cli.out, bigger)
    assert cli.run("report", "--out", str(bigger), "--student", "student01") == GRADED
