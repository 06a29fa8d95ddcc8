"""Correct programs: check mode reports nothing, and the results are right in every mode."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

FOLDER = Path("common/cudasim/tests")
MODES = ("plain", "check")
CASES = [
    (source.stem, case)
    for source in sorted(FOLDER.glob("correct/*.cu"))
    for case in re.findall(r"\bCASE\((\w+)\)", source.read_text())
]


def run(program: str, mode: str, case: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [FOLDER / f"correct_{program}_{mode}", case], capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("program", "case"), CASES)
def test_reports_nothing_for_a_correct_program(program: str, case: str, mode: str) -> None:
    done = run(program, mode, case)
    assert (done.stderr, done.stdout, done.returncode) == ("", "", 0)


def test_has_sixty_correct_programs() -> None:
    assert len(set(CASES)) >= 60


def test_an_unknown_case_fails() -> None:
    assert run("barriers", "plain", "NoSuchCase").returncode == 2
