"""Hand-in times from Gradescope's metadata."""

import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.cli.app import main
from grader.cli.options import GRADED
from grader.judging.store import Store
from grader.model.errors import GraderError
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import LAB, make_result
from grader.people.course.course import Course, load_course
from grader.people.course.reading import read_hand_ins

COURSE = """
name = "Course"
time_zone = "Europe/Berlin"
[[labs]]
name = "sum"
results = ["sum"]
submissions = ["download"]
"""


def metadata(at: str) -> str:
    people = "  :submitters:\n  - :sid: ann\n  - :email: ben@example.org\n"
    return f"submission_1:\n{people}  :created_at: {at}\n  :score: 1.0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "course.toml").write_text(COURSE)
    (tmp_path / "download").mkdir()
    with Store(tmp_path / "sum", create=True) as store:
        store.bind("sum", LAB)
        for student in ("ann", "ben@example.org", "cat"):
            result = make_result(student, Verdict.ACCEPTED, Verdict.ACCEPTED)
            key = result.key.model_copy(update={"submission": student})
            store.put(result.model_copy(update={"key": key}), [(student, "x")])
    return tmp_path


def times(folder: Path) -> dict[str, datetime | None]:
    course: Course = load_course(folder / "course.toml")
    return {name: found[0].at for name, found in read_hand_ins(course, folder)["sum"].items()}


@pytest.mark.parametrize(
    "text",
    [
        "2026-10-23 12:04:11.913270999 -07:00",
        "2026-10-23 19:04:11.913270 Z",
        "2026-10-23T19:04:11.913270+0000",
        "2026-10-23 19:04:11.913270 UTC",
    ],
)
def test_each_member_of_a_group_has_the_time_of_the_hand_in(folder: Path, text: str) -> None:
    (folder / "download" / "submission_metadata.yml").write_text(metadata(text))
    at = datetime(2026, 10, 23, 19, 4, 11, 913270, UTC)
    assert times(folder) == {"ann": at, "ben@example.org": at, "cat": None}


def test_reads_the_archive_as_it_was_downloaded(folder: Path) -> None:
    path = folder / "download.zip"
    with zipfile.ZipFile(path, "w") as archive:
        inside = "assignment_1_export/submission_metadata.yml"
        archive.writestr(inside, metadata("2026-10-23 19:04:11 Z"))
        archive.writestr("assignment_1_export/submission_1/sum.cc", "")
    course = folder / "course.toml"
    course.write_text(COURSE.replace("download", path.name))
    assert times(folder)["ann"] == datetime(2026, 10, 23, 19, 4, 11, 0, UTC)


def test_a_time_of_the_csv_file_goes_before(folder: Path) -> None:
    yml = folder / "download" / "submission_metadata.yml"
    yml.write_text(metadata("2026-10-23 19:04:11 Z"))
    (folder / "course.toml").write_text('handed_in = "times.csv"\n' + COURSE)
    (folder / "times.csv").write_text("student,lab,time\nann,sum,2026-10-20T12:00Z\n")
    assert times(folder)["ann"] == datetime(2026, 10, 20, 12, 0, 0, 0, UTC)


@pytest.mark.parametrize("text", ["2026-10-23 19:04:11", "yesterday", "2026-13-23 19:04:11 Z"])
def test_a_time_that_nobody_can_read_is_named(folder: Path, text: str) -> None:
    (folder / "download" / "submission_metadata.yml").write_text(metadata(text))
    with pytest.raises(GraderError, match=f"'ann': created_at '{text}' is no time"):
        times(folder)


def test_a_download_without_metadata_is_refused(folder: Path) -> None:
    with pytest.raises(GraderError, match=r"has no submission_metadata\.yml"):
        times(folder)


def test_each_folder_of_results_needs_its_download(folder: Path) -> None:
    text = COURSE.replace('["download"]', '["a", "b"]')
    (folder / "course.toml").write_text(text)
    with pytest.raises(GraderError, match="2 submissions, but 1 results"):
        times(folder)


WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Last modified (submission)\n"
    'Participant 7,Ann Lee,ann@example.org,Submitted,,"{}"\n'
    "Participant 8,Bo Ray,bo@example.org,No submission,,-\n"
)


def _moodle(folder: Path, at: str) -> None:
    text = COURSE.replace('"download"', '"sheet.csv"')
    (folder / "course.toml").write_text(text + "deadline = 2026-10-23T20:00:00\n")
    (folder / "sheet.csv").write_text(WORKSHEET.format(at))
    (folder / "sum" / "results.sqlite").unlink()
    with Store(folder / "sum", create=True) as store:
        store.bind("sum", LAB)
        result = make_result("Ann Lee", Verdict.ACCEPTED, Verdict.ACCEPTED)
        store.put(result, [("Ann Lee", "class.zip/Ann Lee_7_assignsubmission_file_/sum.cc")])


@pytest.mark.parametrize(
    "text", ["Friday, 23 October 2026, 9:04 PM", "Friday, 23 October 2026, 21:04"]
)
def test_reads_when_a_file_was_last_modified_in_moodle(folder: Path, text: str) -> None:
    _moodle(folder, text)
    assert times(folder) == {"Ann Lee": datetime(2026, 10, 23, 19, 4, tzinfo=UTC)}


def test_a_time_of_moodle_in_another_language_is_named(folder: Path) -> None:
    _moodle(folder, "Freitag, 23. Oktober 2026, 21:04")
    with pytest.raises(GraderError, match=r"sheet\.csv:2: Last modified"):
        times(folder)


def test_a_mark_of_canvas_is_late_by_an_unknown_time(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = COURSE.replace('submissions = ["download"]', "deadline = 2026-10-23T20:00:00")
    (folder / "course.toml").write_text(text)
    with Store(folder / "sum", create=True) as store:
        for student, name in (("ann", "ann_LATE_7_1_sum.cc"), ("cat", "cat_8_2_sum.cc")):
            result = make_result(student, Verdict.ACCEPTED, Verdict.ACCEPTED)
            store.put(result, [(student, f"class/{name}")])
    path = str(folder / "course.toml")
    assert main(["term", "--course", path]) == GRADED
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    rows = {cells[0]: cells[1] for cells in lines if cells and cells[0] in ("ann", "cat")}
    assert rows["ann"].endswith("L?")
    assert rows["cat"].endswith("?")
    assert "L" not in rows["cat"]
    assert main(["term", "--course", path, "--student", "ann"]) == GRADED
    said = " ".join(capsys.readouterr().out.split())
    assert "Marked LATE in the download, but not how late" in said
    assert "handed_in.csv" in said
