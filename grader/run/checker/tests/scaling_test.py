"""The checker measures how code scales where it has the cores for that, and says so elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from grader.run.checker.tests.conftest import Checker, Test

SCALING = ("--mode=timing", "--scaling=TeamTiming:1.25:1.6:10")
_TRIES = 3


def measured(checker: Checker, behaviour: str) -> Test:
    """The test of a run that was decided; skips where cores are not free or too noisy for that."""
    for _ in range(_TRIES):
        (test,) = checker.tests(behaviour, *SCALING)
        assert "failures" not in test, test
        if "scaling_ratio" not in test:
            assert_not_measured(test)
        elif test["scaling_decision"] != "undecided":
            return test
    pytest.skip(f"{test['scaling_free']} of the {test['scaling_needed']} cores needed were free")


def curve(test: Test, who: str) -> dict[int, float]:
    """Speedups by team size."""
    sizes = (int(size) for size in test["scaling_threads"].split(","))
    speedups = (float(times) for times in test[f"scaling_{who}_speedups"].split(","))
    return dict(zip(sizes, speedups, strict=True))


def test_equal_code_earns_all_points(checker: Checker) -> None:
    test = measured(checker, "right")
    assert test["scaling_decision"] == "full", test
    low, ratio, high = (float(test[f"scaling_ratio{end}"]) for end in ("_low", "", "_high"))
    assert low <= ratio <= high <= 1.25
    assert int(test["scaling_pairs"]) >= 6


def test_code_that_holds_a_lock_all_the_time_earns_none(checker: Checker) -> None:
    test = measured(checker, "holds_a_lock")
    assert test["scaling_decision"] == "zero", test
    assert float(test["scaling_ratio_low"]) >= 1.6


def test_the_curves_start_at_one_thread_and_tell_the_serial_fractions(checker: Checker) -> None:
    test = measured(checker, "holds_a_lock")
    student, reference = curve(test, "student"), curve(test, "reference")
    assert list(student) == list(reference) == sorted(student)
    assert student[1] == reference[1] == 1
    assert max(student) == int(test["scaling_needed"])
    assert float(test["scaling_student_serial"]) > 0.7
    assert float(test["scaling_reference_serial"]) < float(test["scaling_student_serial"]) - 0.2


def test_one_suite_may_be_timed_and_scaled(checker: Checker) -> None:
    (test,) = checker.tests("right", *SCALING, "--timing=TeamTiming:2:4:5")
    assert test["decision"] == "full"
    assert "scaling_free" in test


def assert_not_measured(test: Test) -> None:
    assert "failures" not in test
    assert "verdict" not in test
    assert int(test["scaling_free"]) < int(test["scaling_needed"])
    assert "scaling_ratio" not in test
    assert "scaling_decision" not in test


@pytest.mark.parametrize("behaviour", ["right", "holds_a_lock"])
def test_one_core_gives_no_figure_and_says_how_many_are_needed(
    checker: Checker, behaviour: str
) -> None:
    core = min(os.sched_getaffinity(0))
    checker.wrapper = ("taskset", "--cpu-list", str(core))
    (test,) = checker.tests(behaviour, *SCALING)
    assert_not_measured(test)
    assert (int(test["scaling_free"]) <= 1, test["scaling_needed"]) == (True, "2")


def test_busy_neighbours_on_every_core_give_no_figure(checker: Checker) -> None:
    cores = min(8, len(os.sched_getaffinity(0)))
    spin = [sys.executable, "-c", "while True: pass"]
    neighbours = [subprocess.Popen(spin) for _ in range(2 * cores)]
    try:
        (test,) = checker.tests("right", *SCALING)
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()
    if cores <= 2:
        assert_not_measured(test)
    else:  # fewer cores, or none
        assert int(test["scaling_needed"]) < cores


def test_a_reference_that_does_not_scale_tells_nothing_about_others(checker: Checker) -> None:
    files = checker.files
    swapped = (f"--student={files.reference}", f"--reference={files.behaviours}")
    (test,) = checker.tests("holds_a_lock", *SCALING, *swapped)
    assert_not_measured(test)


def test_wrong_answers_under_the_clock_are_failures(checker: Checker) -> None:
    (test,) = checker.tests("wrong_in_a_team", *SCALING)
    if "failures" not in test:
        assert_not_measured(test)
        pytest.skip("there were no free cores")
    assert "expected" in test["failures"][0]["failure"]
    assert "scaling_ratio" not in test
