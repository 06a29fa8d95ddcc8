"""What a diagnosis says; a broken one says nothing, and why."""

import pytest

from grader.judging.hunts.diagnosis import parse

ENTRY = '[[fault]]\nkind = "data_race"\nlines = "4-6"\ninput = "two"\nremedy = "lock"\n'


def test_entries_are_read() -> None:
    told = parse(ENTRY.encode(), 2)
    assert told.problems == ()
    assert told.entries[0] is not None
    assert (told.entries[0].kind, told.entries[0].named) == ("data_race", range(4, 7))
    assert told.entries[1] is None


def test_an_editor_may_mark_the_file_as_utf_8() -> None:
    assert parse(ENTRY.encode("utf-8-sig"), 1).problems == ()


def test_an_empty_template_names_no_lines() -> None:
    told = parse(b'[[fault]]\nkind = ""\nlines = ""\ninput = ""\nremedy = ""\n', 1)
    assert told.problems == ()
    assert told.entries[0] is not None
    assert not told.entries[0].named


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[fault]]\nkind = data_race\n", "not TOML"),
        ("x = 1\n" + ENTRY, "[[fault]]"),
        ("fault = 1\n", "[[fault]]"),
        (ENTRY * 3, "3 entries, but there are 2 faults"),
        ("a = " + "[" * 4000, "not TOML"),
        (".".join("a" * 4090) + " = 1", "[[fault]]"),
        ("#" * 9000, "9000 bytes, limit 8192"),
        ("x = " + "9" * 5000, "not TOML"),
        ("\udc80", "not TOML"),
    ],
)
def test_a_broken_file_says_nothing_and_why(text: str, said: str) -> None:
    told = parse(text.encode(errors="surrogateescape"), 2)
    assert told.entries == (None, None)
    assert said in told.problems[0]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('"data_race"', '"race"', "'race' is no kind"),
        ('"data_race"', '"data_race, deadlock"', "is no kind"),
        ('"data_race"', '["data_race", "deadlock"]', "kind: "),
        ('"4-6"', "4", "lines: "),
        ('"4-6"', '"6-4"', "ends before it begins"),
        ('"4-6"', '"4-6, 9"', "is no range of lines"),
        ('remedy = "lock"', "", "remedy: "),
    ],
)
def test_a_broken_entry_costs_the_others_nothing(before: str, after: str, said: str) -> None:
    told = parse((ENTRY.replace(before, after) + ENTRY).encode(), 2)
    assert told.entries[0] is None
    assert told.entries[1] is not None
    assert said in told.problems[0]
    assert "fault 1" in told.problems[0]
