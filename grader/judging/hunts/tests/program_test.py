"""Comments go, edits make one program of another, and places are where they are."""

import time

import pytest

from grader.judging.hunts.marks import changed_lines
from grader.judging.hunts.program import apply, edits, places, plain, with_includes

RIGHT = ["a", "b", "c", "d", "e", "f"]


def test_comments_go_and_leave_no_empty_line() -> None:
    text = "// Wrong: this tells all.\nint a;  // and this\n/* this,\ntoo */\nchar c = '\"';\n"
    assert plain(text) == ["int a;", "char c = '\"';", ""]


def test_what_looks_like_a_comment_in_a_string_stays() -> None:
    assert plain('f("// no /* comment");\ng(R"(/* none)");') == [
        'f("// no /* comment");',
        'g(R"(/* none)");',
    ]


def test_a_digit_separator_begins_no_character() -> None:
    assert plain("int n = 1'000;  // a comment\nint m = 2'000;") == [
        "int n = 1'000;",
        "int m = 2'000;",
    ]


@pytest.mark.parametrize("text", ['L\'"\', "/*", b, "*/"', 'xR"(", f()"/*", b, "*/"'])
def test_code_between_strings_is_no_comment(text: str) -> None:
    assert plain(text) == [text]


def test_a_line_that_holds_a_program_counts_as_many() -> None:
    assert changed_lines("a\nb\n", "a\n" + "f();" * 250 + "\n") == 10


@pytest.mark.parametrize("piece", ["/*", '"\\"', 'R"a(', "'\\'", "//\\\n", "a\n"])
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    begin = time.process_time()
    plain(piece * 100_000)
    assert changed_lines("a\n" * 300, piece * 100_000) > 200
    assert time.process_time() - begin < 5


def test_includes_of_all_programs_stand_at_the_top() -> None:
    lines = with_includes(["#include <b>", "", "code"], {"#include <a>", '#include "own.h"'})
    assert lines == ['#include "own.h"', "#include <a>", "", "code"]


def test_edits_make_one_program_of_another() -> None:
    wrong = ["a", "X", "Y", "c", "e", "f"]
    assert apply(RIGHT, edits(RIGHT, wrong)) == wrong


def test_edits_of_two_faults_are_in_their_places_after_each_other() -> None:
    first, second = (
        edits(RIGHT, ["a", "X", "Y", "c", "d", "e", "f"]),
        edits(RIGHT, [*RIGHT[:4], "f"]),
    )
    both = [*first, *second]
    made = apply(RIGHT, both)
    assert made == ["a", "X", "Y", "c", "d", "f"]
    assert places(first, both) == {2, 3}
    assert places(second, both) == {5, 6}, "what is gone leaves the lines beside the gap"


def test_neighbouring_edits_touch() -> None:
    (first,) = edits(RIGHT, ["a", "X", "c", "d", "e", "f"])
    (beside,) = edits(RIGHT, ["a", "b", "X", "d", "e", "f"])
    (apart,) = edits(RIGHT, ["a", "b", "c", "X", "e", "f"])
    assert first.touches(beside)
    assert not first.touches(apart)
