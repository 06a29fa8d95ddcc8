"""Pairs of small programs that differ in one word: check mode reports the one and not the other.

A program lists its pairs, each with the section of the PTX ISA's "Memory Consistency Model" that
decides it.  memory_model/*.txt holds sections `== NAME: exit CODE`, each followed by the exact
standard error.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from functools import cache

import pytest

from common.cudasim.tests.simulated import FOLDER, start

SECTIONS = {
    "Asynchronous Operations",
    "Atomicity",
    "Causality Order",
    "Conflict and Data-races",
    "Memory Synchronization",
    "Morally Strong Operations",
    "Operation Types",
    "Program Order",
    "Release and Acquire Patterns",
    "Scope",
}


@dataclass(frozen=True)
class Pair:
    program: str
    section: str
    clean: str
    racy: str


@cache
def run(program: str, name: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return start(f"memory_model_{program}_check", name, **environment)


def read_pairs(program: str) -> list[Pair]:
    lines = run(program, "list").stdout.splitlines()
    return [Pair(program, *line.split("\t")) for line in lines]


PROGRAMS = sorted(path.stem for path in FOLDER.glob("memory_model/*.txt"))
PAIRS = [pair for program in PROGRAMS for pair in read_pairs(program)]


@cache
def expected(program: str) -> dict[str, tuple[int, str]]:
    text = (FOLDER / f"memory_model/{program}.txt").read_text()
    parts = re.split(r"^== (\w+): exit (\d+)\n", text, flags=re.MULTILINE)[1:]
    return {
        name: (int(code), report)
        for name, code, report in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    }


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: f"{p.program}-{p.clean}")
def test_says_nothing_about_the_clean_program(pair: Pair) -> None:
    done = run(pair.program, pair.clean)
    assert (done.stderr, done.stdout, done.returncode) == ("", "", 0)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: f"{p.program}-{p.racy}")
def test_reports_the_other_one_with_its_lines_and_what_is_missing(pair: Pair) -> None:
    done = run(pair.program, pair.racy)
    assert (done.returncode, done.stderr) == expected(pair.program)[pair.racy]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: f"{p.program}-{p.racy}")
def test_goes_on_behind_the_first_finding_where_asked_to(pair: Pair) -> None:
    done = run(pair.program, pair.racy, CUDASIM_CONTINUE="1")
    code, report = expected(pair.program)[pair.racy]
    assert done.returncode == code
    assert done.stderr.startswith(report)


def test_every_report_belongs_to_a_pair() -> None:
    for program in PROGRAMS:
        assert set(expected(program)) == {p.racy for p in PAIRS if p.program == program}


def test_has_sixty_pairs_each_with_a_section_of_the_model() -> None:
    assert len({(p.program, p.racy) for p in PAIRS}) >= 60
    assert {p.section for p in PAIRS} == SECTIONS


def test_only_the_guides_idiom_is_a_warning() -> None:
    warned = {name for p in PROGRAMS for name, (code, _) in expected(p).items() if code == 0}
    assert warned == {"LastBlockWithoutReaderFence"}


def test_an_unknown_program_fails() -> None:
    assert run("volatile", "NoSuchProgram").returncode == 2
