"""The grader detects every mutant of a lab's reference.

Run as a program: no_mutant_survives_test.py KIT SAMPLES. LAB_SEED sets the seed,
EXHAUSTIVE_SHARE=2/3 runs the second third of all mutants.
"""

import os
import secrets
import sys
from pathlib import Path

import pytest

from grader.judging.sample.mutants import Mutant
from grader.model.manifest import Kit, load_kit
from grader.model.verdict import Verdict
from grader.people.checks.pytest_program import run_cases
from grader.people.checks.share import share_of
from grader.people.checks.survivors import candidates, stale, survivors

_KIT = "MUTANTS_TEST_KIT"
_SAMPLES = "MUTANTS_TEST_SAMPLES"


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit(Path(os.environ[_KIT]))


@pytest.fixture(scope="module")
def folder() -> Path:
    return Path(os.environ[_SAMPLES])


def test_every_declared_equivalent_is_a_mutant_of_the_reference(kit: Kit, folder: Path) -> None:
    assert list(stale(kit, folder)) == []


def test_the_tests_notice_every_mutant_of_the_reference(kit: Kit, folder: Path) -> None:
    every = candidates(kit, folder)
    assert every, f"{folder}: the reference has no mutants"
    chosen = share_of(every, _name)
    if not chosen:
        pytest.skip(f"none of the {len(every)} mutants is in this share")
    seed = int(os.environ.get("LAB_SEED", secrets.randbits(31)))
    print(f"{len(chosen)} of {len(every)} mutants, LAB_SEED={seed}")
    left = survivors(kit, folder, chosen, seed, _ignore)
    assert not left, "\n".join([f"LAB_SEED={seed}", *left])


def _name(mutant: Mutant) -> str:
    return f"{mutant.before}\0{mutant.after}\0{mutant.line}"


def _ignore(_verdict: Verdict, _name: str) -> None:
    pass


def _main(arguments: list[str]) -> int:
    os.environ[_KIT], os.environ[_SAMPLES] = arguments[:2]
    return run_cases(__file__, arguments[2:])


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
