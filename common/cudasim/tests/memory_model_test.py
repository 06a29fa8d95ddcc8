"""Pairs of small programs that differ in one word: check mode reports the one and not the other.

The program lists its pairs, each with the section of the PTX ISA's "Memory Consistency Model" that
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
    section: str
    clean: str
    racy: str


@cache
def run(name: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return start("memory_model_check", name, **environment)


PAIRS = [Pair(*line.split("\t")) for line in run("list").stdout.splitlines()]


@cache
def expected() -> dict[str, tuple[int, str]]:
    text = "".join(path.read_text() for path in FOLDER.glob("memory_model/*.txt"))
    parts = re.split(r"^== (\w+): exit (\d+)\n", text, flags=re.MULTILINE)[1:]
    return {
        name: (int(code), report)
        for name, code, report in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    }


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p.clean)
def test_says_nothing_about_the_clean_program(pair: Pair) -> None:
    done = run(pair.clean)
    assert (done.stderr, done.stdout, done.returncode) == ("", "", 0)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p.racy)
def test_reports_the_other_one_with_its_lines_and_what_is_missing(pair: Pair) -> None:
    done = run(pair.racy)
    assert (done.returncode, done.stderr) == expected()[pair.racy]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p.racy)
def test_goes_on_behind_the_first_finding_where_asked_to(pair: Pair) -> None:
    done = run(pair.racy, CUDASIM_CONTINUE="1")
    code, report = expected()[pair.racy]
    assert done.returncode == code
    assert done.stderr.startswith(report)


def test_every_report_belongs_to_a_pair() -> None:
    assert set(expected()) == {pair.racy for pair in PAIRS}


def test_the_pairs_cover_the_sections_of_the_model() -> None:
    assert {pair.section for pair in PAIRS} == SECTIONS


def test_only_the_guides_idiom_is_a_warning() -> None:
    warned = {name for name, (code, _) in expected().items() if code == 0}
    assert warned == {"LastBlockWithoutReaderFence"}


def test_an_unknown_program_fails() -> None:
    assert run("NoSuchProgram").returncode == 2
