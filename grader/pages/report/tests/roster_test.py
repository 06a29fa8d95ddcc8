"""Reading a list of names, and comparing it with those who handed in."""

from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.pages.report.roster import attendance, read_roster


def _read(folder: Path, text: str, *handed_in: str, column: str | None = None) -> list[str]:
    path = folder / "roster.csv"
    path.write_bytes(text.encode())
    return read_roster(path, handed_in, column)


def test_reads_one_name_a_line_without_blank_lines_and_repeats(tmp_path: Path) -> None:
    assert _read(tmp_path, "\ufeffada\r\n\r\n grace \nada\n") == ["ada", "grace"]


def test_takes_the_column_whose_names_handed_in(tmp_path: Path) -> None:
    text = "Name;Login;Section\nLovelace, Ada;ada;1\nHopper, Grace;grace;1\n"
    assert _read(tmp_path, text, "grace") == ["ada", "grace"]


def test_takes_a_column_by_its_head_when_asked(tmp_path: Path) -> None:
    text = 'Name,Code\n"Lovelace, Ada",x1\nHopper,x2\n'
    assert _read(tmp_path, text, "x1", column="name") == ["Lovelace, Ada", "Hopper"]


def test_does_not_take_the_head_for_a_student(tmp_path: Path) -> None:
    assert _read(tmp_path, "section,student\n1,ada\n") == ["ada"]
    assert _read(tmp_path, "ada\ngrace\n", "grace") == ["ada", "grace"]


@pytest.mark.parametrize("text", ["", "\n \n", "student\n"])
def test_refuses_a_file_without_names(tmp_path: Path, text: str) -> None:
    with pytest.raises(GraderError, match="has no names"):
        _read(tmp_path, text)


def test_refuses_a_column_that_is_not_there_and_names_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(GraderError) as caught:
        _read(tmp_path, "student,section\nada,1\n", column="login")
    assert "no column 'login'" in str(caught.value)
    assert "it has student, section" in str(caught.value)


def test_refuses_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="cannot read"):
        read_roster(tmp_path, [])
    with pytest.raises(GraderError, match="is not CSV"):
        _read(tmp_path, "x" * 200_000)


def test_reads_bytes_that_are_not_text(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_bytes(b"ad\xffa\x00\n")
    assert read_roster(tmp_path / "roster.csv", []) == ["ad\ufffda\x00"]


def test_compares_names_without_case_and_unicode_form() -> None:
    found = attendance(["Jose\u0301", "ada", "grace"], ["jos\u00e9", "ada", "guest"])
    assert found.expected == 3
    assert found.missing == ["grace"]
    assert found.unknown == ["guest"]
