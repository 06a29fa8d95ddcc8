"""The checker beside busy programs, and its clock on a quiet machine."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from grader.sandbox.checker.tests.conftest import Checker


@contextmanager
def core_with_others(count: int) -> Iterator[None]:
    """Pins this process and its children to one core, and `count` busy processes with them."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    # Each in a session of its own: schedulers may divide a core between sessions.
    spin = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(spin, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()
        os.sched_setaffinity(0, allowed)


@pytest.fixture
def crowded_core() -> Iterator[None]:
    with core_with_others(3):
        yield


@pytest.mark.usefixtures("crowded_core")
@pytest.mark.parametrize(
    "behaviour", ["takes_most_of_a_second", "takes_most_of_a_second_in_short_threads"]
)
def test_the_limit_of_a_call_excludes_run_queue_wait(checker: Checker, behaviour: str) -> None:
    tests = checker.tests(behaviour, "--call-seconds=1", "--suites=RootsTest")
    assert {test["verdict"] for test in tests} == {"accepted"}


@pytest.mark.usefixtures("crowded_core")
@pytest.mark.parametrize("behaviour", ["endless_loop", "deadlock"])
def test_stops_what_does_not_return_on_a_crowded_core(checker: Checker, behaviour: str) -> None:
    test = checker.failing(behaviour, "--call-seconds=0.4", "--suites=RootsTest")
    assert test["verdict"] == "time_limit"
    assert "within 0.4 s" in test["message"]


@pytest.mark.parametrize(
    ("behaviour", "verdict"), [("endless_loop", "judge_error"), ("deadlock", "time_limit")]
)
def test_a_machine_too_busy_to_judge_is_no_fault_of_the_program(
    checker: Checker, behaviour: str, verdict: str
) -> None:
    with core_with_others(12):
        test = checker.failing(behaviour, "--call-seconds=0.6", "--suites=RootsTest")
    assert test["verdict"] == verdict
    assert ("too busy" in test["message"]) == (verdict == "judge_error")


def test_equal_code_earns_all_timing_points(checker: Checker) -> None:
    test = checker.timed("right")
    timed = test["timed"]
    assert timed["decision"] == "full", test
    assert timed["low"] <= timed["ratio"] <= timed["high"] <= 2
    assert timed["pairs"] >= 6
    assert timed["control"] is None
    assert timed["student_ms"] > 0
    assert timed["reference_ms"] > 0


def test_slow_code_earns_no_timing_points(checker: Checker) -> None:
    test = checker.timed("slow")
    assert test["timed"]["decision"] == "zero", test
    assert test["timed"]["low"] >= 4
    assert test["timed"]["control"]["low"] <= 1 <= test["timed"]["control"]["high"], test


def test_code_that_begins_slowly_is_timed_beside_the_reference_and_loses_nothing(
    checker: Checker,
) -> None:
    timed = checker.timed("slow_at_first")["timed"]
    assert timed["decision"] == "full", timed
    assert timed["control"]["decision"] == "full", timed
