"""Shares of exhaustive tests: every item is in exactly one; malformed shares are errors."""

import pytest

from grader.model.errors import GraderError
from grader.people.checks.share import AT_MOST, VARIABLE, share_of, some_of_each

NAMES = [f"verdict/sample{number}" for number in range(100)]


def taken(monkeypatch: pytest.MonkeyPatch, share: str) -> list[str]:
    monkeypatch.setenv(VARIABLE, share)
    return share_of(NAMES, str)


def test_every_item_is_in_exactly_one_share(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = [taken(monkeypatch, f"{number}/4") for number in range(1, 5)]
    assert sorted(name for share in shares for name in share) == sorted(NAMES)
    assert all(shares)


def test_without_a_share_everything_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert share_of(NAMES, str) == NAMES


@pytest.mark.parametrize("share", ["", "2", "0/4", "5/4", "1/0", "a/b", "-1/4"])
def test_a_malformed_share_is_an_error(monkeypatch: pytest.MonkeyPatch, share: str) -> None:
    with pytest.raises(GraderError, match=f"{VARIABLE}={share} is not a share"):
        taken(monkeypatch, share)


def some(
    monkeypatch: pytest.MonkeyPatch, at_most: str, names: list[str], turn: str = ""
) -> list[str]:
    monkeypatch.setenv(AT_MOST, at_most)
    return some_of_each(names, lambda name: name[0], ["c"], turn)


def test_kinds_are_taken_in_turn_and_the_first_ones_always(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["a1", "a2", "a3", "b1", "c1", "c2"]
    assert some(monkeypatch, "4", names) == ["a1", "b1", "c1", "c2"]
    assert some(monkeypatch, "9", names) == names
    assert some(monkeypatch, "", names) == names
    two = {tuple(some(monkeypatch, "2", names, str(turn))) for turn in range(9)}
    assert two == {("a1", "c1"), ("b1", "c1")}


def test_a_malformed_number_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GraderError, match=f"{AT_MOST}=few is not a number"):
        some(monkeypatch, "few", ["a1"])
