"""Correct programs: check mode reports nothing, and the results are right in every mode."""

from __future__ import annotations

import re
import subprocess

import pytest

from common.cudasim.tests.simulated import FOLDER, start

MODES = ("plain", "check")
CASES = [
    (source.stem, case)
    for source in sorted(FOLDER.glob("correct/*.cu"))
    for case in re.findall(r"\bCASE\((\w+)\)", source.read_text())
]


def run(program: str, mode: str, case: str) -> subprocess.CompletedProcess[str]:
    return start(f"correct_{program}_{mode}", case)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("program", "case"), CASES)
def test_reports_nothing_for_a_correct_program(program: str, case: str, mode: str) -> None:
    done = run(program, mode, case)
    assert (done.stderr, done.stdout, done.returncode) == ("", "", 0)


def test_has_sixty_correct_programs() -> None:
    assert len(set(CASES)) >= 60


def test_an_unknown_case_fails() -> None:
    assert run("barriers", "plain", "NoSuchCase").returncode == 2
