"""Points of honest, lazy, hostile and unlucky students, with a made-up lab."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.judging.hunts.book import Fault, Hunt
from grader.judging.hunts.grading import HandedIn, Shown, grade_hunt
from grader.judging.hunts.program import edits
from grader.judging.hunts.rules import rules_for
from grader.model.result import Key, Result
from grader.model.verdict import Verdict

RULES = rules_for(Path("none"))
RIGHT = "\n".join(f"line {number};" for number in range(1, 41)) + "\n"


def _fault(line: int, kind: Verdict, *, testable: bool = True) -> Fault:
    lines = RIGHT.split("\n")
    wrong = [*lines[: line - 1], "wrong;", *lines[line:]]
    return Fault(
        name=f"{kind}/{line}",
        base="right.cc",
        kind=kind,
        edits=edits(lines, wrong),
        testable=testable,
    )


RACE, BOUNDS = _fault(5, Verdict.DATA_RACE), _fault(30, Verdict.OUT_OF_BOUNDS)
HUNT = Hunt(right=RIGHT, faults=[RACE, BOUNDS])
SHOWS = [Shown(right=True, faults=[True, False]), Shown(right=True, faults=[False, True])]


def _entry(kind: str, lines: str) -> str:
    return f'[[fault]]\nkind = "{kind}"\nlines = "{lines}"\ninput = "i"\nremedy = "r"\n'


HONEST = _entry("data_race", "5") + _entry("out_of_bounds", "30")


def _judge(program: str) -> Result:
    """A lab that accepts the right program and those that differ from it in one line."""
    verdict = Verdict.WRONG_ANSWER if "wrong" in program else Verdict.ACCEPTED
    key = Key(kit="k", submission="s", seed=1, machine="m")
    return Result(
        lab="l", student="s", source="s", key=key, verdict=verdict, points=0, max_points=100
    )


def _points(
    program: str = RIGHT,
    diagnosis: str = HONEST,
    shows: Sequence[Shown] | str = SHOWS,
    hunt: Hunt = HUNT,
    tests: bytes = b"tests",
) -> list[float]:
    handed_in = HandedIn(program, diagnosis.encode(), tests)
    parts, _ = grade_hunt(RULES, hunt, handed_in, _judge, lambda _test, _suites: shows)
    return [part.points for part in parts]


def test_an_honest_solution_earns_all_points() -> None:
    assert _points() == [40, 30, 30]


def test_entries_may_be_in_any_order_and_are_matched_once() -> None:
    other = _entry("out_of_bounds", "29-31") + _entry("data_race", "4-6")
    assert _points(diagnosis=other, shows=SHOWS[::-1]) == [40, 30, 30]
    twice = _entry("data_race", "5") * 2
    assert _points(diagnosis=twice, shows=[SHOWS[0]] * 2) == [20, 30, 0]


def test_the_template_earns_nothing() -> None:
    template = '[[fault]]\nkind = ""\nlines = ""\ninput = ""\nremedy = ""\n' * 2
    refused = [Shown(right=False, faults=[True, True])] * 2
    assert _points(HUNT.program, template, refused) == [0, 0, 0]


def test_whitespace_and_comments_are_no_change() -> None:
    touched = "// I mended it.\n" + HUNT.program.replace("wrong;", "wrong;   // mended")
    assert _points(touched) == [0, 30, 30]


def test_a_friends_right_program_is_no_small_change() -> None:
    other = "\n".join(f"other {number};" for number in range(40)) + "\n"
    parts, _ = grade_hunt(
        RULES, HUNT, HandedIn(other, b"", b""), _judge, lambda _test, _suites: SHOWS
    )
    assert [part.points for part in parts] == [0, 0, 0]
    assert parts[0].failure
    assert "40 lines differ" in parts[0].failure.message


def test_a_right_program_without_a_diagnosis_earns_nothing() -> None:
    assert _points(diagnosis="", shows=[Shown(right=False, faults=[False] * 2)] * 2) == [0, 0, 0]


def test_half_mended_is_not_mended() -> None:
    assert _points(HUNT.alone(RACE))[0] == 0


@pytest.mark.parametrize("lines", ["1-500", "1-40", "25-35", "31", "99999"])
def test_wide_and_wrong_lines_earn_nothing(lines: str) -> None:
    wide = _entry("data_race", lines) + _entry("out_of_bounds", lines)
    assert _points(diagnosis=wide, shows=[Shown(right=False, faults=[False] * 2)] * 2)[1:] == [0, 0]


def test_a_kind_counts_only_where_the_lines_are_right() -> None:
    guessed = _entry("data_race", "1") + _entry("data_race", "30")
    assert _points(diagnosis=guessed) == [20, 10, 20]


def test_a_kind_counts_only_with_a_remedy() -> None:
    assert _points(diagnosis=HONEST.replace('"r"', '" "')) == [40, 20, 20]


def test_a_case_that_always_fails_or_never_does_shows_nothing() -> None:
    always = [Shown(right=False, faults=[True, True])] * 2
    never = [Shown(right=True, faults=[False, False])] * 2
    assert _points(shows=always) == _points(shows=never) == [40, 20, 20]


def test_tests_that_do_not_compile_cost_their_own_points_alone() -> None:
    assert _points(shows="shows_test.cc:1: error") == [40, 20, 20]
    assert _points(tests=b" ") == [40, 20, 20]


def test_a_fault_that_no_test_can_show_needs_none() -> None:
    hunt = Hunt(right=RIGHT, faults=[_fault(5, Verdict.DATA_RACE, testable=False), BOUNDS])
    shows = [Shown(right=False, faults=[False, False]), SHOWS[1]]
    assert _points(hunt=hunt, shows=shows) == [40, 30, 30]
