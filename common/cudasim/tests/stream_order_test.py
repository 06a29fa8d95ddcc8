"""Pairs of programs with streams, graphs or dynamic parallelism: check mode reports the one that
lacks a synchronisation, in either order of execution, and says nothing about the other.

stream_order/PROGRAM.txt holds sections `== NAME`, each followed by the exact report.
"""

from __future__ import annotations

import re
import subprocess

import pytest

from common.cudasim.tests.simulated import FOLDER, start

ORDERS = ("lazy", "eager")
PROGRAMS = {"children": 10, "graphs": 12, "pairs": 12}
"""How many pairs each has at least."""

# Where a host function has returned, it may have told the host so by a flag.
TOLD_BY_A_FUNCTION = {"CopyWaitsForTheHostFunction", "KernelDependsOnTheFunction"}


def run(program: str, *arguments: str, order: str = "lazy") -> subprocess.CompletedProcess[str]:
    return start(f"stream_order_{program}_check", *arguments, CUDASIM_STREAMS=order)


def reports(program: str) -> dict[str, str]:
    text = (FOLDER / f"stream_order/{program}.txt").read_text()
    parts = re.split(r"^== (\w+)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


PAIRS = [(program, name) for program in PROGRAMS for name in run(program, "list").stdout.split()]
REPORTS = {program: reports(program) for program in PROGRAMS}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("program", "name"), PAIRS)
def test_says_nothing_about_a_program_that_synchronises(
    program: str, name: str, order: str
) -> None:
    done = run(program, name, order=order)
    assert (done.stderr, done.stdout, done.returncode) == ("", "", 0)


@pytest.mark.parametrize(("program", "name"), PAIRS)
def test_reports_the_program_that_does_not_with_both_lines(program: str, name: str) -> None:
    done = run(program, name, "without")
    assert (done.returncode, done.stderr) == (67, REPORTS[program][name])
    assert done.stderr.startswith("cudasim: missing_synchronisation: ")
    lines = re.findall(rf"{program}\.cu:(\d+)", done.stderr)
    assert len(set(lines)) >= 2


@pytest.mark.parametrize(
    ("program", "name"), [pair for pair in PAIRS if pair[1] not in TOLD_BY_A_FUNCTION]
)
def test_finds_it_too_where_work_runs_at_once(program: str, name: str) -> None:
    done = run(program, name, "without", order="eager")
    assert done.stderr.startswith("cudasim: missing_synchronisation: ")
    assert done.returncode == 67


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_pair_has_its_report(program: str) -> None:
    assert set(REPORTS[program]) == {name for of, name in PAIRS if of == program}
    assert len(REPORTS[program]) >= PROGRAMS[program]


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_unknown_program_fails(program: str) -> None:
    assert run(program, "NoSuchProgram").returncode == 2
