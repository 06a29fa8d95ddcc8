"""Text from submissions is made safe to show."""

import pytest

from grader.pages.presentation.text import cap, clean, one_line


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31merror\x1b[0m: x", "error: x"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link", "link"),
        ("a\x00b\x08c", "a\ufffdb\ufffdc"),
        ("left\u202etfel", "left\ufffdtfel"),
        ("line\r\nnext\rlast", "line\nnext\nlast"),
        ("tab\tstays", "tab\tstays"),
        ("broken \udcff byte", "broken \ufffd byte"),
        ("\ufffe", "\ufffd"),
    ],
)
def test_removes_escapes_and_marks_unsafe_characters(raw: str, shown: str) -> None:
    assert clean(raw) == shown


def test_puts_a_name_with_line_breaks_on_one_line() -> None:
    assert one_line(" Ann\n\tLee\r\n ") == "Ann Lee"


def test_leaves_text_within_the_limits_as_it_is() -> None:
    assert cap("one\ntwo", 7, 2) == "one\ntwo"


def test_says_how_much_of_a_long_text_is_left_out() -> None:
    assert cap("x" * 5000, 4000, 60) == "x" * 4000 + "\n[… 1,000 more characters are not shown]"
    assert cap("a\nb\nc", 100, 2) == "a\nb\n[… 2 more characters are not shown]"
