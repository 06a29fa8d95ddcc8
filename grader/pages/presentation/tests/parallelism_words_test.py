"""Parallelism as sentences, and its effect on the part's points."""

import pytest

from grader.model.lab import Parallelism
from grader.model.result import ParallelismResult, ThreadsMeasurement
from grader.pages.presentation.facts import split_points
from grader.pages.presentation.parallelism_words import parallelism_words
from grader.pages.presentation.tests.made_up_class import counted_lab, counted_result


def result(share: float, **others: object) -> ParallelismResult:
    known = {"value": 1.04, "full": 2.2, "zero": 1.2, "decision": "between", "share": share}
    return ParallelismResult.model_validate(known | {"points": 4 * share, "max_points": 4} | others)


def test_serial_code_is_told_the_figure_and_that_points_for_performance_do_not_count() -> None:
    assert parallelism_words(result(0)) == (
        "parallelism (work / span) 1.04. All 4 points from 2.2, none up to 1.2; you have 0. Points "
        "for time and counters are multiplied by 0 %, because they reward parallel code."
    )


def test_a_team_is_told_how_many_threads_ran_and_at_what_cost() -> None:
    threads = ThreadsMeasurement(team=4, runnable=3.9, balance=1.1, inflation=1.3, rounds=7)
    words = parallelism_words(result(1, value=3, low=2.9, high=3.05, threads=threads))
    assert words == (
        "expected speedup with 4 threads 3.00, interval 2.90 to 3.05: on average 3.90 threads ran "
        "or waited for a core, the busiest ran for 1.10 times the mean time, and together they "
        "used 1.30 times the CPU time of a run with one thread. All 4 points from 2.2, none up to "
        "1.2; you have 4."
    )


def test_a_team_whose_cpu_time_grows_with_its_size_is_told_how_often_it_did_the_work() -> None:
    known = {"team": 4, "runnable": 4, "balance": 1, "inflation": 1, "rounds": 6}
    copied = ThreadsMeasurement.model_validate(known | {"copies": 3.9})
    assert "as if a team of 4 did the work 3.9 times" in parallelism_words(
        result(0, threads=copied)
    )
    shared = ThreadsMeasurement.model_validate(known)
    assert "as if a team" not in parallelism_words(result(1, threads=shared))


def test_a_team_is_told_how_many_threads_shared_the_data() -> None:
    known = {"team": 4, "runnable": 4, "balance": 1, "inflation": 1, "rounds": 6}
    alone = ThreadsMeasurement.model_validate(known | {"shared_by": 1.25})
    words = parallelism_words(result(0, threads=alone))
    assert "; the inputs and outputs were shared by 1.25 threads at most." in words


def test_the_measured_speedup_is_given_only_on_two_or_more_cores() -> None:
    known = {"team": 4, "runnable": 4, "balance": 1, "inflation": 1, "rounds": 6, "speedup": 1.92}
    two, one = (ThreadsMeasurement.model_validate(known | {"cores": n}) for n in (2, 1))
    told = "(measured on the 2 free cores of this machine: 1.92)"
    assert told in parallelism_words(result(1, threads=two))
    assert "free cores" not in parallelism_words(result(1, threads=one))


def test_says_that_nothing_was_measured_and_gives_the_flag() -> None:
    words = parallelism_words(result(0, value=None, flagged="no accounting by the kernel"))
    assert words.startswith("nothing was measured. ")
    assert words.endswith(" no accounting by the kernel.")


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_splits_points_after_multiplying_by_the_share(share: float) -> None:
    lab = counted_lab()
    asked = Parallelism(suite="S", points=4, full=2.2, zero=1.2)
    parts = [lab.parts[0].model_copy(update={"parallelism": asked}), *lab.parts[1:]]
    lab = lab.model_copy(update={"parts": parts})
    part = counted_result(1, "Add", "").parts[0]
    before = split_points(part, counted_lab())
    points = before.tests + before.timing + share * before.counters + 4 * share
    update = {"parallelism": result(share), "points": points, "max_points": part.max_points + 4}
    after = split_points(part.model_copy(update=update), lab)
    assert before.counters > 0
    assert after.counters == pytest.approx(share * before.counters)
    assert (after.parallelism, after.parallelism_max) == (4 * share, 4)
    assert after.tests_max == before.tests_max
