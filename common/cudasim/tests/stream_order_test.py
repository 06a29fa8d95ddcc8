"""Pairs of programs with streams, graphs or dynamic parallelism: check mode reports the one that
lacks a synchronisation, in either order of execution, and says nothing about the other.
"""

import re
import subprocess

import pytest

from common.cudasim.tests.simulated import assert_reported, expected_reports, start

FINDING = 67
ORDERS = ("lazy", "eager")
# Where a host function has returned, it may have told the host so by a flag.
TOLD_BY_A_FUNCTION = {"CopyWaitsForTheHostFunction", "KernelDependsOnTheFunction"}


def run(*arguments: str, order: str = "lazy") -> subprocess.CompletedProcess[str]:
    return start("stream_order_check", *arguments, CUDASIM_STREAMS=order)


PAIRS = run("list").stdout.split()
REPORTS = expected_reports("stream_order")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", PAIRS)
def test_says_nothing_about_a_program_that_synchronises(name: str, order: str) -> None:
    done = run(name, order=order)
    assert (done.stderr, done.stdout, done.returncode) == ("", "", 0)


@pytest.mark.parametrize("name", PAIRS)
def test_reports_the_program_that_does_not_with_both_lines(name: str) -> None:
    done = run(name, "without")
    assert_reported(done, "stream_order", REPORTS[name])
    assert done.returncode == FINDING
    assert len(set(re.findall(r"\w+\.cu:(\d+)", done.stderr))) >= 2


@pytest.mark.parametrize("name", [name for name in PAIRS if name not in TOLD_BY_A_FUNCTION])
def test_finds_it_too_where_work_runs_at_once(name: str) -> None:
    done = run(name, "without", order="eager")
    assert done.stderr.startswith("cudasim: missing_synchronisation: ")
    assert done.returncode == FINDING


def test_every_pair_has_its_report() -> None:
    assert set(REPORTS) == set(PAIRS)
