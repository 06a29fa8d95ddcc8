"""The student's lines around those that a message names."""

from grader.pages.report.excerpts import Excerpt, Source

_TEXT = "".join(f"line {number}\n" for number in range(1, 101))


def _numbers(excerpts: list[Excerpt]) -> list[list[int]]:
    return [[line.number for line in run] for run in excerpts]


def test_shows_two_lines_on_each_side_and_marks_the_named_one() -> None:
    (run,) = Source("sum.cc", _TEXT).excerpts(["Worker at sum.cc:31"])
    assert [line.number for line in run] == [29, 30, 31, 32, 33]
    assert [line.number for line in run if line.named] == [31]
    assert run[2].text == "line 31"


def test_joins_lines_that_are_near_and_parts_those_that_are_not() -> None:
    found = Source("sum.cc", _TEXT).excerpts(["sum.cc:10:5: error", "sum.cc:14 and sum.cc:50"])
    assert _numbers(found) == [list(range(8, 17)), list(range(48, 53))]


def test_stops_at_the_ends_of_the_file() -> None:
    found = Source("sum.cc", "a\nb\nc").excerpts(["sum.cc:1", "sum.cc:0", "sum.cc:4"])
    assert _numbers(found) == [[1, 2, 3]]
    assert Source("sum.cc", _TEXT).excerpts(["sum.cc:99999999999999999999"]) == []


def test_knows_the_students_file_alone() -> None:
    said = ["mysum.cc:3", "lib/sum.ccx:3", "sumXcc:3", "sum.cc.orig:3", "sum.cc 3"]
    assert Source("sum.cc", _TEXT).excerpts(said) == []
    assert Source("sum.cc", _TEXT).excerpts(["/submission/sum.cc:3:1: error"]) != []


def test_has_nothing_to_show_without_the_text() -> None:
    assert Source("sum.cc", None).excerpts(["sum.cc:1"]) == []


def test_shows_at_most_forty_lines_and_cuts_long_ones() -> None:
    text = "x" * 1_000_000 + "\n" * 500
    found = Source("sum.cc", text).excerpts([f"sum.cc:{n}" for n in range(1, 500, 3)])
    assert sum(map(len, found)) == 40
    assert max(len(line.text) for run in found for line in run) < 200


def test_counts_lines_as_compilers_do() -> None:
    text = "a\x0bb\u2028c\r\nsecond\x1b[31m\tend\n"
    (run,) = Source("sum.cc", text).excerpts(["sum.cc:2"])
    assert [line.number for line in run] == [1, 2, 3]
    assert run[1].text.startswith("second")
    assert "\x1b" not in run[1].text
    assert "\t" not in run[1].text
