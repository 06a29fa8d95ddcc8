"""Pairs of programs with streams: check mode reports the one that lacks a synchronisation, in
either order of execution, and says nothing about the other.

stream_order/pairs.txt holds sections `== NAME`, each followed by the exact report.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

FOLDER = Path("common/cudasim/tests")
ORDERS = ("lazy", "eager")


def run(*arguments: str, order: str = "lazy") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [FOLDER / "stream_order_check", *arguments],
        capture_output=True,
        env=os.environ | {"CUDASIM_STREAMS": order},
        text=True,
        timeout=60,
    )


NAMES = run("list").stdout.split()
PARTS = re.split(r"^== (\w+)\n", (FOLDER / "stream_order/pairs.txt").read_text(), flags=re.M)
REPORTS = dict(zip(PARTS[1::2], PARTS[2::2], strict=True))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", NAMES)
def test_says_nothing_about_a_program_that_synchronises(name: str, order: str) -> None:
    done = run(name, order=order)
    assert (done.stderr, done.stdout, done.returncode) == ("", "", 0)


@pytest.mark.parametrize("name", NAMES)
def test_reports_the_program_that_does_not_with_both_lines(name: str) -> None:
    done = run(name, "without")
    assert (done.returncode, done.stderr) == (67, REPORTS[name])
    assert done.stderr.startswith("cudasim: missing_synchronisation: ")
    lines = re.findall(r"pairs\.cu:(\d+)", done.stderr)
    assert len(set(lines)) >= 2


# Where a host function has returned, it may have told the host so by a flag.
@pytest.mark.parametrize("name", sorted(set(NAMES) - {"CopyWaitsForTheHostFunction"}))
def test_finds_it_too_where_work_runs_at_once(name: str) -> None:
    done = run(name, "without", order="eager")
    assert done.stderr.startswith("cudasim: missing_synchronisation: ")
    assert done.returncode == 67


def test_every_pair_has_its_report() -> None:
    assert set(REPORTS) == set(NAMES)
    assert len(NAMES) >= 12


def test_an_unknown_program_fails() -> None:
    assert run("NoSuchProgram").returncode == 2
