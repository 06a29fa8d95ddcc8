"""Several files of a student become one text, which is another student's in no part."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.judging.collect import Submission, collect
from grader.judging.collect.several import parted

FILES = {"sum.cc": b"int sum;\n", "diagnosis.toml": b"a = 1\n", "shows_test.cc": b"// none\n"}
BESIDE = ("diagnosis.toml", "shows_test.cc")


def _collected(root: Path) -> list[Submission]:
    return collect(root, "sum.cc", "sum", 1000, BESIDE).submissions


def _in_a_folder(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).write_bytes(text)


def _in_an_archive(folder: Path) -> None:
    with zipfile.ZipFile(folder / "hunt.zip", "w") as archive:
        for name, text in FILES.items():
            archive.writestr(f"hunt/{name}", text)


@pytest.mark.parametrize("write", [_in_a_folder, _in_an_archive])
def test_all_files_are_read_wherever_they_lie(
    tmp_path: Path, write: Callable[[Path], None]
) -> None:
    for student in ("ada", "alan"):
        (tmp_path / student).mkdir()
        write(tmp_path / student)
    ada, alan = _collected(tmp_path)
    assert parted(ada.read()) == ("ada", FILES)
    assert parted(alan.read()) == ("alan", FILES)
    assert ada.digest != alan.digest, "equal files of two students are not one submission"


def test_a_missing_or_broken_file_is_no_problem_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "sum.cc").write_bytes(b"\xff")
    (tmp_path / "ada" / "diagnosis.toml").write_bytes(b"x" * 2000)
    (submission,) = _collected(tmp_path)
    _, files = parted(submission.read())
    assert files["sum.cc"].decode() == "\N{REPLACEMENT CHARACTER}"
    assert files["shows_test.cc"] == b""
    assert files["diagnosis.toml"] == b"x" * 1000


def test_without_the_program_nothing_is_graded(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "diagnosis.toml").write_bytes(b"a = 1\n")
    (submission,) = _collected(tmp_path)
    assert submission.problem
    assert "sum.cc is missing" in submission.problem.text


@pytest.mark.parametrize("text", [b"int main;", b"[]", b"{}", b'{"student": "a", "files": 1}'])
def test_another_text_is_not_several_files(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parted(text)
