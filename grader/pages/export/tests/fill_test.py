"""A gradebook comes back with the points filled in, and otherwise byte for byte as it was."""

from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.export import FILLED, fill
from grader.pages.export.filling import Filled
from grader.pages.export.scores import scores_of
from grader.pages.presentation.tests.made_up_class import LAB, make_result

_HEADER = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Sum with threads (7),Essay (8),Final Score\r\n"
)
_ABOVE = ",,,,,,Manual Posting,\r\n    Points Possible,,,,,100.0,20.0,(read only)\r\n"
_ROWS = (
    '"Doe, Jane",101,S1,jdoe,"CS ""A"", Mon",,12.5,61\r\n'
    '"Roe, Zoë",102,S2,zroe@example.edu,B,70.00,,\r\n'
    '"Poe, Max",103,S3,mpoe,B,EX,,\r\n'
    '"Left, Over",104,S4,lover,B,55,1,2\r\n'
    '"Student, Test",199,,f00,B,,,\r\n'
)
_CANVAS = "\ufeff" + _HEADER + _ABOVE + _ROWS
_MOODLE = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Feedback comments\n"
    'Participant 17,"Jane ""JD"" Doe",jane@example.edu,Submitted,,"100,00",Yes,"Monday, 2 March",\n'
    'Participant 18,Max Poe,max@example.edu,Submitted,"12,00","100,00",No,-,"well, done"\n'
)


def _result(student: str, points: float = 85.5, source: str = "") -> Result:
    result = make_result(student, Verdict.ACCEPTED, Verdict.ACCEPTED)
    result.points, result.source = points, source or f"class/{student}/sum.cc"
    return result


def _fill(
    folder: Path,
    text: str,
    *results: Result,
    format_name: str = "canvas",
    column: str | None = None,
) -> tuple[str, Filled]:
    gradebook = folder / "exported.csv"
    gradebook.write_bytes(text.encode())
    filled = fill(format_name, scores_of(iter(results), LAB), gradebook, column, folder / "out.csv")
    assert gradebook.read_bytes() == text.encode()
    return filled.path.read_bytes().decode(), filled


def test_changes_the_one_cell_and_no_other_byte(tmp_path: Path) -> None:
    text, _ = _fill(tmp_path, _CANVAS, _result("jdoe"))
    assert text == _CANVAS.replace('Mon",,12.5', 'Mon",85.50,12.5')


def test_gives_back_the_same_bytes_where_nothing_matches(tmp_path: Path) -> None:
    text, filled = _fill(tmp_path, _CANVAS, _result("nobody"))
    assert text == _CANVAS
    assert "a result but no row, to be entered by hand (1): nobody" in filled.notes


@pytest.mark.parametrize(
    ("student", "source"),
    [
        ("jdoe", ""),
        ("S1", ""),
        ("JDOE", ""),
        ("Jane Doe", ""),
        ("doejane", ""),
        ("jdoe@example.edu", ""),
        ("someone", "lab1.zip/doejane_LATE_101_5550_sum-2.cc"),
    ],
)
def test_finds_a_student_by_whatever_names_one(tmp_path: Path, student: str, source: str) -> None:
    text, _ = _fill(tmp_path, _CANVAS, _result(student, source=source))
    assert 'Mon",85.50,12.5' in text


@pytest.mark.parametrize("student", ["zroe", "zroe@example.edu", "Zoe Roe", "roezoe"])
def test_finds_a_student_with_accents_and_an_address(tmp_path: Path, student: str) -> None:
    text, filled = _fill(tmp_path, _CANVAS, _result(student))
    assert ",B,85.50,,\r\n" in text
    assert f"another score was replaced (1): {student} (70.00 → 85.50)" in filled.notes


def test_names_everybody_who_is_left_over(tmp_path: Path) -> None:
    broken = make_result("zroe", Verdict.JUDGE_ERROR, Verdict.ACCEPTED)
    text, filled = _fill(tmp_path, _CANVAS, _result("jdoe"), _result("mpoe"), broken, _result("x"))
    assert filled.notes == [
        "filled in 1 of 4 students' points",
        "not judged, left as they were; grade the lab again (1): zroe",
        "a result but no row, to be entered by hand (1): x",
        "a row but no result, left as they were (1): Left, Over",
        "excused or locked, left as they were (1): mpoe",
    ]
    assert text.count("\r\n") == _CANVAS.count("\r\n")
    assert ",70.00," in text
    assert ",EX," in text


def test_never_guesses_between_two_rows_or_two_results(tmp_path: Path) -> None:
    twin = _CANVAS + '"Doe, Jane",105,S5,jdoe2,B,,,\r\n'
    text, filled = _fill(tmp_path, twin, _result("Jane Doe"), _result("S2"), _result("zroe"))
    assert text == twin
    words = "several rows match, or one matches several; to be entered by hand"
    assert f"{words} (3): Jane Doe, S2, zroe" in filled.notes


def test_never_gives_the_test_student_points(tmp_path: Path) -> None:
    text, _ = _fill(tmp_path, _CANVAS, _result("Test Student"), _result("f00"))
    assert text == _CANVAS


def test_scales_to_the_points_possible_and_says_so(tmp_path: Path) -> None:
    text, filled = _fill(tmp_path, _CANVAS, _result("jdoe"), column="Essay")
    assert 'Mon",,17.10,61' in text
    assert "scaled from 100 points to the table's 20.0" in filled.notes


def test_keeps_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    table = (
        "Student;ID;SIS Login ID;Section;Sum with threads (7)\n"
        "    Points Possible;;;;100,00\n"
        "Doe, Jane;101;jdoe;A;\n"
    )
    text, _ = _fill(tmp_path, table, _result("jdoe"))
    assert text == table.replace("jdoe;A;", "jdoe;A;85,50")


def test_keeps_a_last_line_without_an_end_and_short_rows(tmp_path: Path) -> None:
    table = _HEADER + '"Doe, Jane",101,S1,jdoe'
    text, _ = _fill(tmp_path, table, _result("jdoe"))
    assert text == table + ",,85.50"


@pytest.mark.parametrize(
    ("header", "column", "problem"),
    [
        (_HEADER.replace("Sum with threads", "Other"), None, "has no column 'Sum with threads'"),
        (_HEADER, "Final Score", "has no column 'Final Score'"),
        (_HEADER.replace("Essay", "Sum with threads"), None, "has several columns"),
        (_HEADER.replace(",ID,", ",Id number,"), None, "has no column 'ID'"),
        (_HEADER.replace("Student,", "Name,"), None, "has no column 'Student'"),
    ],
)
def test_names_a_column_that_is_not_there(
    tmp_path: Path, header: str, column: str | None, problem: str
) -> None:
    with pytest.raises(GraderError, match=problem):
        _fill(tmp_path, header + _ABOVE + _ROWS, _result("jdoe"), column=column)
    assert not (tmp_path / "out.csv").exists()


def test_refuses_a_column_that_canvas_computes(tmp_path: Path) -> None:
    table = _CANVAS.replace("100.0,20.0", "(read only),20.0")
    with pytest.raises(GraderError, match=r"it has 'Essay \(8\)'|has no column"):
        _fill(tmp_path, table, _result("jdoe"))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is empty"),
        (b"a,b\xff\n", "is not UTF-8: byte 3"),
        (b'a,"b\nc', "is not CSV: line 1"),
        (b'a,b\nc,"d"e\n', "is not CSV: line 2"),
        (b"a,\0b\n", "byte 0"),
    ],
)
@pytest.mark.parametrize("format_name", sorted(FILLED))
def test_names_what_makes_a_file_unreadable(
    tmp_path: Path, data: bytes, problem: str, format_name: str
) -> None:
    path = tmp_path / "exported.csv"
    path.write_bytes(data)
    with pytest.raises(GraderError, match=problem):
        fill(format_name, scores_of([], LAB), path, None, tmp_path / "out.csv")


def test_names_a_file_that_is_not_there_and_a_format_that_fills_none(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match=r"cannot read .*No such file"):
        fill("canvas", scores_of([], LAB), tmp_path / "none.csv", None, tmp_path)
    with pytest.raises(GraderError, match="fills in a gradebook: 'junit'") as refused:
        fill("junit", scores_of([], LAB), tmp_path / "none.csv", None, tmp_path)
    assert refused.value.next_step == "use one of: canvas, moodle"


def test_fills_in_moodles_worksheet_by_number_address_or_name(tmp_path: Path) -> None:
    expected = _MOODLE.replace('Submitted,,"100', 'Submitted,"85,50","100')
    by_file = _result("Somebody", source="lab/Jane Doe_17_assignsubmission_file_/sum.cc")
    for result in (by_file, _result("jane@example.edu"), _result("jane"), _result('Doe Jane "JD"')):
        text, _ = _fill(tmp_path, _MOODLE, result, format_name="moodle")
        assert text == expected


def test_leaves_a_grade_that_moodle_would_not_change(tmp_path: Path) -> None:
    text, filled = _fill(tmp_path, _MOODLE, _result("Max Poe"), format_name="moodle")
    assert text == _MOODLE
    assert "excused or locked, left as they were (1): Max Poe" in filled.notes


def test_reads_a_worksheet_in_another_language_with_its_column_named(tmp_path: Path) -> None:
    table = "ID,Vollständiger Name,Status,Bewertung\nTeilnehmer/in17,Jane Doe,Abgegeben,\n"
    text, _ = _fill(tmp_path, table, _result("Jane Doe"), format_name="moodle", column="Bewertung")
    assert text == table.replace("Abgegeben,", "Abgegeben,85.50")
    with pytest.raises(GraderError, match="has no column 'Grade'") as refused:
        _fill(tmp_path, table, _result("Jane Doe"), format_name="moodle")
    assert "name the column with --column; it has" in refused.value.next_step


def test_refuses_a_table_that_is_no_worksheet(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="is no grading worksheet"):
        _fill(tmp_path, "Name,Grade\nJane,\n", _result("Jane"), format_name="moodle")


def test_may_replace_the_file_that_was_exported(tmp_path: Path) -> None:
    path = tmp_path / "exported.csv"
    path.write_bytes(_CANVAS.encode())
    fill("canvas", scores_of([_result("jdoe")], LAB), path, None, path)
    assert path.read_bytes().decode() == _CANVAS.replace('Mon",,12.5', 'Mon",85.50,12.5')
    assert list(tmp_path.iterdir()) == [path]
