"""The checker measures how parallel code is on the cores that there are, many or one."""

import os

import pytest

from grader.sandbox.checker.tests.conftest import Checker, Test

_PARALLELISM = ("--mode=timing", "--parallelism=TeamTiming:2:1.4:20:0.95:4")


def measured(checker: Checker, behaviour: str, *options: str) -> Test:
    """The one test; skips where the kernel does not count waits."""
    (test,) = checker.tests(behaviour, *_PARALLELISM, *options)
    assert test["verdict"] == "accepted", test
    if not test["team_run"]["waits_counted"]:
        pytest.skip("this kernel does not count how long threads wait for a core")
    return test


@pytest.fixture(params=["all cores", "one core"])
def on_cores(request: pytest.FixtureRequest, checker: Checker) -> Checker:
    if request.param == "one core":
        core = min(os.sched_getaffinity(0))
        checker.wrapper = ("taskset", "--cpu-list", str(core))
    return checker


def test_a_team_that_shares_its_work_earns_all_points(on_cores: Checker) -> None:
    got = measured(on_cores, "right")["team_run"]["measured"]
    assert got["decision"] in ("full", "undecided"), got
    assert got["low"] <= got["value"] <= got["high"] <= 4
    assert got["high"] >= 2
    assert got["rounds"] >= 6
    assert got["control"] is None


def test_threads_that_take_turns_with_the_lock_earn_none(on_cores: Checker) -> None:
    got = measured(on_cores, "holds_a_lock")["team_run"]["measured"]
    assert got["decision"] == "zero", got
    assert got["runnable"] < 1.4
    assert 2 <= got["control"]["high"] <= 4, got


def test_a_team_of_two_gains_two_at_most(checker: Checker) -> None:
    run = measured(checker, "right", "--team=2")["team_run"]
    assert run["team"] == 2
    assert run["measured"]["high"] <= 2


def test_one_suite_may_be_timed_as_well(checker: Checker) -> None:
    test = measured(checker, "right", "--timing=TeamTiming:2:4:5:0.95")
    assert test["timed"]["decision"] == "full"


def test_wrong_answers_of_a_team_are_failures(checker: Checker) -> None:
    (test,) = checker.tests("wrong_in_a_team", *_PARALLELISM)
    assert "expected" in test["message"]
    assert test["team_run"]["measured"] is None
