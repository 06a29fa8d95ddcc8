"""Finding submissions in every layout, and reporting what is wrong with them."""

import gzip
import io
import os
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from grader.judging.collect import Collection, Submission, collect
from grader.model.errors import GraderError, JudgeError
from grader.model.verdict import Verdict

LIMIT = 1024


def write(path: Path, text: str | bytes = "int x;\n") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def found(path: Path) -> Collection:
    return collect(path, "sum.cc", "fake_sum", LIMIT)


def students(path: Path) -> dict[str, Submission]:
    return {submission.student: submission for submission in found(path).submissions}


def _zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def zipped(folder: Path, files: dict[str, bytes]) -> Path:
    """A class's download with these files."""
    path = folder / "class.zip"
    path.write_bytes(_zipped(files))
    return path


def problem(path: Path, student: str = "student01") -> tuple[Verdict, str]:
    got = students(path)[student].problem
    assert got is not None
    return got.verdict, got.text


def test_finds_a_file_anywhere_below_a_students_folder(tmp_path: Path) -> None:
    write(tmp_path / "student01" / "sum.cc", "one")
    write(tmp_path / "student02" / "a" / "b" / "sum.cc", "two")
    assert found(tmp_path).shape == "a folder per student"
    got = students(tmp_path)
    assert [got[name].read() for name in sorted(got)] == [b"one", b"two"]


def test_takes_the_file_in_the_labs_own_folder_when_a_whole_course_is_handed_in(
    tmp_path: Path,
) -> None:
    write(tmp_path / "student01" / "labs" / "openmp_sum" / "sum.cc", "other")
    write(tmp_path / "student01" / "labs" / "fake_sum" / "sum.cc", "this")
    assert students(tmp_path)["student01"].read() == b"this"


def test_ignores_what_lies_in_a_clones_git_folder_and_says_the_shape(tmp_path: Path) -> None:
    for name in ("student01", "student02"):
        write(tmp_path / name / ".git" / "sum.cc", "not this")
        write(tmp_path / name / "sum.cc", name)
    assert found(tmp_path).shape == "git clones"
    assert students(tmp_path)["student02"].read() == b"student02"


def gradescope(folder: Path) -> None:
    write(folder / "submission_11" / "sum.cc", "a")
    write(folder / "submission_12" / "sum.cc", "b")
    write(
        folder / "submission_metadata.yml",
        "---\n"
        "submission_11:\n  :submitters:\n  - :name: Name One\n    :sid: 'student01'\n"
        "  :results:\n    output: |\n      :submitters: not names\n  :score: 1.0\n"
        "submission_12:\n  :submitters:\n  - :name: Two\n    :sid: student02\n"
        "  - :name: Three\n    :email: student03@example.org\n",
    )


def test_reads_gradescopes_names_and_gives_each_member_of_a_group_the_groups_file(
    tmp_path: Path,
) -> None:
    gradescope(tmp_path)
    assert found(tmp_path).shape == "Gradescope export"
    got = students(tmp_path)
    assert sorted(got) == ["student01", "student02", "student03@example.org"]
    assert got["student03@example.org"].read() == b"b"


def test_reads_a_gradescope_export_wrapped_in_one_more_folder(tmp_path: Path) -> None:
    gradescope(tmp_path / "assignment_5_export")
    assert "student01" in students(tmp_path)


def test_blames_the_export_when_a_listed_folder_is_missing(tmp_path: Path) -> None:
    gradescope(tmp_path)
    (tmp_path / "submission_11" / "sum.cc").unlink()
    (tmp_path / "submission_11").rmdir()
    assert problem(tmp_path)[0] is Verdict.JUDGE_ERROR


def test_reads_gradescopes_metadata_as_text_whatever_a_date_or_number_in_it_says(
    tmp_path: Path,
) -> None:
    write(tmp_path / "submission_1" / "sum.cc")
    people = "  :submitters:\n  - :sid: 0123\n  - :sid: ~\n    :email: !!int x\n"
    write(tmp_path / "submission_metadata.yml", f"submission_1:\n{people}  :at: 2026-13-45\n")
    assert sorted(students(tmp_path)) == ["0123", "x"]


def test_escapes_control_characters_in_a_folders_name_that_stands_for_a_student(
    tmp_path: Path,
) -> None:
    write(tmp_path / "submission_1" / "sum.cc")
    write(tmp_path / "submission\t2" / "sum.cc")
    people = "submission_1:\n  :submitters:\n  - :sid: ann\n"
    write(tmp_path / "submission_metadata.yml", f"{people}submission\t2: {{}}\n")
    assert sorted(students(tmp_path)) == ["ann", r"submission\t2"]


def test_takes_no_names_from_gradescope_metadata_that_are_no_text(tmp_path: Path) -> None:
    write(tmp_path / "submission_1" / "sum.cc")
    doubled = "".join(f"x{i}: &x{i} [*x{i - 1}, *x{i - 1}]\n" for i in range(1, 24))
    people = "submission_1:\n  :submitters:\n  - :sid: *x23\n    :name: Ann\n"
    write(tmp_path / "submission_metadata.yml", f"x0: &x0 [a]\n{doubled}{people}")
    got = students(tmp_path)
    assert "Ann" in got
    assert max(map(len, got)) < 5


@pytest.mark.parametrize("start", ["- ", "? ", "[", "{a: "])
def test_refuses_gradescope_metadata_that_is_nested_without_end(tmp_path: Path, start: str) -> None:
    gradescope(tmp_path)
    write(tmp_path / "submission_metadata.yml", f"a: x\n{start * 200_000}")
    with pytest.raises(GraderError, match=r"submission_metadata\.yml is not YAML"):
        found(tmp_path)
    write(tmp_path / "submission_metadata.yml", start * 200_000)
    with pytest.raises(GraderError, match="more than 100 nested collections"):
        found(tmp_path)


@pytest.mark.parametrize("text", [b"a: [", b"\xff\xfe", b"just text", b"submission_11: {}\n"])
def test_refuses_gradescope_metadata_that_names_nobody(tmp_path: Path, text: bytes) -> None:
    gradescope(tmp_path)
    (tmp_path / "submission_metadata.yml").write_bytes(text)
    with pytest.raises(GraderError, match=r"submission_metadata\.yml"):
        found(tmp_path)


def test_reads_canvas_names_late_markers_and_the_last_of_several_versions(tmp_path: Path) -> None:
    write(tmp_path / "student01_11_91_sum.cc", "old")
    write(tmp_path / "student01_11_92_sum-1.cc", "new")
    write(tmp_path / "student02_LATE_12_93_sum.cc", "late")
    assert found(tmp_path).shape == "Canvas files"
    got = students(tmp_path)
    assert sorted(got) == ["student01", "student02"]
    assert got["student01"].read() == b"new"


@pytest.mark.parametrize(
    ("shape", "files", "names"),
    [
        ("Canvas files", ["doe_11_91_sum.cc", "doe_12_92_sum.cc"], ["doe_11", "doe_12"]),
        (
            "Moodle folders",
            [f"Student {n}_7_assignsubmission_file{end}/sum.cc" for n, end in ((1, ""), (2, "_"))],
            ["Student 1", "Student 2"],
        ),
    ],
)
def test_tells_students_apart_by_the_names_that_a_platform_gives(
    tmp_path: Path, shape: str, files: list[str], names: list[str]
) -> None:
    for number, name in enumerate(files):
        write(tmp_path / name, f"{number}")
    assert found(tmp_path).shape == shape
    assert sorted(students(tmp_path)) == names


def test_reads_moodle_files_and_leaves_online_texts_out(tmp_path: Path) -> None:
    write(tmp_path / "Student One_77_assignsubmission_file_sum.cc")
    write(tmp_path / "Student One_77_assignsubmission_onlinetext.html")
    collection = found(tmp_path)
    assert (collection.shape, collection.notes) == ("Moodle files", [])
    assert [submission.student for submission in collection.submissions] == ["Student One"]


def test_takes_a_moodle_files_student_from_what_moodle_wrote(tmp_path: Path) -> None:
    own = "Student One_77_assignsubmission_file_"
    write(tmp_path / f"{own}Student Two_78_assignsubmission_file_sum.cc")
    assert sorted(students(tmp_path)) == ["Student One"]


def test_reads_a_zip_without_unpacking_it(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"student01_11_91_sum.cc": b"text"})
    assert students(path)["student01"].read() == b"text"
    assert list(tmp_path.iterdir()) == [path]


def test_ignores_zip_entries_that_would_leave_the_archive(tmp_path: Path) -> None:
    names = ("../student66/sum.cc", "student01/sum.cc", "student02/sum.cc")
    path = zipped(tmp_path, dict.fromkeys(names, b"x"))
    assert sorted(students(path)) == ["student01", "student02"]
    assert "unsafe path" in found(path).notes[0]


def test_ignores_zip_entries_below_the_depth_limit(tmp_path: Path) -> None:
    deep = "student01/" + "a/" * 30_000 + "sum.cc"
    got = found(zipped(tmp_path, {deep: b"deep", "student02/sum.cc": b"good"}))
    assert [submission.problem is None for submission in got.submissions] == [False, True]
    assert "a path deeper than 64 folders" in got.notes[0]
    assert len(got.notes[0]) < 400


def test_limits_the_folders_of_a_zip_as_it_does_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.judging.collect.tree.MAX_ENTRIES", 100)
    deep = {f"student{number}/" + "a/" * 50 + "sum.cc": b"deep" for number in range(3)}
    with pytest.raises(GraderError, match="more than 100 folders"):
        found(zipped(tmp_path, deep))


def test_never_unpacks_a_zip_bomb_beyond_the_size_limit(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"student01/sum.cc": bytes(50 << 20), "student02/sum.cc": b"x"})
    assert problem(path) == (Verdict.POLICY, "sum.cc has 51200 KB, limit 1 KB")


def test_refuses_a_link_inside_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    info = zipfile.ZipInfo("student01/sum.cc")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, "/etc/passwd")
        archive.writestr("student02/sum.cc", "x")
    assert problem(path)[0] is Verdict.NOTHING_GRADABLE


def test_counts_a_damaged_zip_member_as_our_failure(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("student01/sum.cc", "AAAAAAAA")
        archive.writestr("student02/sum.cc", "x")
    path.write_bytes(path.read_bytes().replace(b"AAAAAAAA", b"AAAABAAA"))
    assert problem(path)[0] is Verdict.JUDGE_ERROR


@pytest.mark.parametrize("content", [b"", b"not a zip"])
def test_refuses_a_file_that_is_no_archive(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "class.zip").write_bytes(content)
    with pytest.raises(GraderError, match="not a readable zip"):
        found(tmp_path / "class.zip")


@pytest.mark.parametrize(("name", "words"), [("nowhere", "No such file"), ("", "it is empty")])
def test_says_that_a_folder_does_not_exist_or_is_empty(
    tmp_path: Path, name: str, words: str
) -> None:
    with pytest.raises(GraderError, match=words):
        found(tmp_path / name)


def test_asks_for_the_folder_above_when_given_one_students_own(tmp_path: Path) -> None:
    write(tmp_path / "sum.cc")
    with pytest.raises(GraderError) as error:
        found(tmp_path)
    assert "folder above" in error.value.next_step


def test_reports_a_missing_file_and_says_what_was_handed_in(tmp_path: Path) -> None:
    write(tmp_path / "student01" / "report.pdf", b"%PDF-1.7")
    write(tmp_path / "student01" / "notes.txt")
    assert problem(tmp_path) == (
        Verdict.NOTHING_GRADABLE,
        "sum.cc is missing; handed in: student01/notes.txt, student01/report.pdf (a PDF document)",
    )


def test_reports_two_candidate_files_by_their_paths(tmp_path: Path) -> None:
    write(tmp_path / "student01" / "a" / "sum.cc")
    write(tmp_path / "student01" / "b" / "sum.cc")
    verdict, text = problem(tmp_path)
    assert verdict is Verdict.NOTHING_GRADABLE
    assert "student01/a/sum.cc and student01/b/sum.cc" in text


def test_never_reads_a_huge_file(tmp_path: Path) -> None:
    write(tmp_path / "student01" / "sum.cc")
    os.truncate(tmp_path / "student01" / "sum.cc", 1 << 30)
    assert problem(tmp_path) == (Verdict.POLICY, "sum.cc has 1048576 KB, limit 1 KB")


@pytest.mark.parametrize("target", ["nowhere", "/etc/passwd", "real.cc"])
def test_follows_no_link_wherever_it_leads(tmp_path: Path, target: str) -> None:
    write(tmp_path / "student01" / "real.cc")
    (tmp_path / "student01" / "sum.cc").symlink_to(target)
    assert problem(tmp_path) == (
        Verdict.NOTHING_GRADABLE,
        "sum.cc is a symbolic link: hand in the file itself",
    )


def test_does_not_walk_through_a_link_to_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere" / "sum.cc")
    write(tmp_path / "class" / "student01" / "notes.txt")
    write(tmp_path / "class" / "student02" / "sum.cc")
    (tmp_path / "class" / "student01" / "src").symlink_to(tmp_path / "elsewhere")
    assert problem(tmp_path / "class")[1].startswith("sum.cc is missing")


def test_refuses_a_pipe_without_waiting_for_it(tmp_path: Path) -> None:
    (tmp_path / "student01").mkdir()
    os.mkfifo(tmp_path / "student01" / "sum.cc")
    assert problem(tmp_path)[1] == "sum.cc is a special file: hand in the file itself"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"a b", "a b"),
        (b'it\'s "x"', 'it\'s "x"'),
        (b"two\nlines", "two\\nlines"),
        (b"caf\xe9", "caf\\udce9"),
        ("café".encode(), "café"),
    ],
)
def test_shows_any_folder_name_on_one_line(tmp_path: Path, name: bytes, shown: str) -> None:
    folder = os.fsencode(tmp_path) + b"/" + name
    Path(os.fsdecode(folder)).mkdir()
    write(Path(os.fsdecode(folder)) / "sum.cc", "x")
    got = students(tmp_path)
    assert list(got) == [shown]
    assert got[shown].read() == b"x"
    assert got[shown].source.encode().count(b"\n") == 0


def test_refuses_two_different_submissions_by_one_student(tmp_path: Path) -> None:
    gradescope(tmp_path)
    text = (tmp_path / "submission_metadata.yml").read_text(encoding="utf-8")
    text = text.replace("student02", "student01")
    (tmp_path / "submission_metadata.yml").write_text(text, encoding="utf-8")
    verdict, reason = problem(tmp_path)
    assert verdict is Verdict.NOTHING_GRADABLE
    assert reason.startswith("2 submissions by one student")


def test_notices_a_file_that_changed_after_it_was_found(tmp_path: Path) -> None:
    write(tmp_path / "student01" / "sum.cc", "before")
    submission = students(tmp_path)["student01"]
    write(tmp_path / "student01" / "sum.cc", "after!")
    with pytest.raises(JudgeError, match="changed"):
        submission.read()


def test_notes_stray_files_beside_the_students_folders(tmp_path: Path) -> None:
    write(tmp_path / "student01" / "sum.cc")
    write(tmp_path / "grades.xlsx")
    assert found(tmp_path).notes == ["ignored grades.xlsx: not in a student's folder"]


def _tarred(content: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        info = tarfile.TarInfo("src/sum.cc")
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "shown"),
    [
        ("Sum.cpp", b"int x;\n", "Sum.cpp"),
        ("SUM.CC", b"int x;\n", "SUM.CC"),
        ("sum.cc.txt", b"int x;\n", "sum.cc.txt"),
        ("sum (1).cc", b"int x;\n", "sum (1).cc"),
        ("my_solution.cxx", b"int x;\n", "my_solution.cxx"),
        ("lab.zip", _zipped({"sum.cc": b"int x;\n"}), "lab.zip!/sum.cc"),
        ("lab.zip", _zipped({"a\\b\\sum.cc": b"int x;\n"}), "lab.zip!/a/b/sum.cc"),
        (
            "lab.zip",
            _zipped({"inner.zip": _zipped({"Sum.cpp": b"int x;\n"})}),
            "lab.zip!/inner.zip!/Sum.cpp",
        ),
        ("lab.tar.gz", _tarred(b"int x;\n"), "lab.tar.gz!/src/sum.cc"),
        ("sum.cc", _zipped({"sum.cc": b"int x;\n"}), "sum.cc!/sum.cc"),
    ],
)
def test_takes_the_one_file_that_can_be_meant_and_says_so(
    tmp_path: Path, name: str, content: bytes, shown: str
) -> None:
    write(tmp_path / "student01" / name, content)
    write(tmp_path / "student01" / "sum_test.cc")
    write(tmp_path / "student01" / "report.pdf", b"%PDF")
    taken = students(tmp_path)["student01"]
    assert taken.problem is None
    assert taken.read() == b"int x;\n"
    assert taken.source == f"{tmp_path}/student01/{shown}"
    assert f"graded was student01/{shown}, the only file that can be meant" in taken.note


def test_reads_paths_that_windows_wrote(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"student01\\lab\\sum.cc": b"1", "student02\\sum.cc": b"2"})
    got = students(path)
    assert {name: each.read() for name, each in got.items()} == {
        "student01": b"1",
        "student02": b"2",
    }
    write(tmp_path / "class" / "student01" / "lab\\sum.cc", "3")
    on_disk = students(tmp_path / "class")["student01"]
    assert (on_disk.read(), on_disk.note) == (b"3", "")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("sum.cc", b"%PDF-1.7", "sum.cc is a PDF document, not source text"),
        ("lab.rar", b"Rar!", "lab.rar (an archive of a kind that is not opened here)"),
        ("lab.zip", b"PK\x03\x04 damaged", "lab.zip: cannot be read"),
        ("lab.zip", _zipped({"notes.txt": b""}), "lab.zip (an archive without it)"),
        (
            "lab.zip",
            _zipped({"a/sum.cc": b"1", "b/sum.cc": b"2"}),
            "2 files named sum.cc, expected one",
        ),
        (
            "lab.zip",
            _zipped({"a.cc": b"1", "b.cc": b"2"}),
            "sum.cc is missing, and 2 files can be meant",
        ),
    ],
)
def test_says_what_was_handed_in_where_nothing_can_be_graded(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    write(tmp_path / "student01" / name, content)
    verdict, text = problem(tmp_path)
    assert verdict is Verdict.NOTHING_GRADABLE
    assert words in text


def _deep(levels: int) -> bytes:
    packed = _zipped({"sum.cc": b"int x;\n"})
    for _ in range(levels):
        packed = _zipped({"inner.zip": packed})
    return packed


def _many() -> bytes:
    return _zipped({f"{number}.zip": _zipped({"x": b""}) for number in range(30)})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (_deep(3), "more than 3 deep"),
        (_many(), "more than 20 archives"),
        (_zipped({"a.zip": bytes(20 << 20)}), "archives of more than 16 MB"),
        (_zipped({str(number): b"" for number in range(5_001)}), "5001 entries, limit 5000"),
    ],
    ids=["deep", "many", "large", "entries"],
)
def test_looks_into_archives_only_within_bounds(tmp_path: Path, content: bytes, words: str) -> None:
    write(tmp_path / "student01" / "lab.zip", content)
    assert words in problem(tmp_path)[1]


def test_a_bomb_in_a_tar_file_is_not_unpacked(tmp_path: Path) -> None:
    write(tmp_path / "student01" / "lab.tar.gz", gzip.compress(bytes(64 << 20)))
    assert "it unpacks to more than 16 MB" in problem(tmp_path)[1]
