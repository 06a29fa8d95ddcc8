"""Differences of handed-in files."""

import pytest

from grader.service.web.difference import Line, difference


def _text(*lines: object) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_numbers_the_lines_of_both_files() -> None:
    lines = difference(_text("a", "b", "c"), _text("a", "x", "y", "c"))
    assert lines == [
        Line("same", "a", 1, 1),
        Line("removed", "b", old=2),
        Line("added", "x", new=2),
        Line("added", "y", new=3),
        Line("same", "c", 3, 4),
    ]


def test_leaves_out_what_is_far_from_a_change() -> None:
    before, after = [*range(30)], [*range(30)]
    after[15] = -1
    lines = difference(_text(*before), _text(*after))
    assert lines is not None
    kinds = [line.kind for line in lines]
    assert kinds == ["gap", *["same"] * 3, "removed", "added", *["same"] * 3, "gap"]
    assert lines[0].text == "12 lines are the same"
    assert (lines[1].old, lines[-2].new, lines[-1].text) == (13, 19, "11 lines are the same")


@pytest.mark.parametrize("text", ["", "a", "a\n", "\n\n"])
def test_the_same_file_has_no_difference(text: str) -> None:
    assert difference(text, text) == []


def test_shows_a_first_and_a_last_line() -> None:
    lines = difference("", _text("a"))
    assert lines == [Line("added", "a", new=1)]


def test_does_not_compare_what_would_take_seconds() -> None:
    def repeated(other: str) -> str:
        return "".join(f"{n // 29}\n{other}{n}\n" for n in range(1_500))

    assert difference(repeated("x"), repeated("y")) is None
    assert difference("a" * 600_000, "b") is None
