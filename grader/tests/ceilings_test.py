"""Right programs without the parallel work stay below the ceilings that a lab states.

Run as a program: ceilings_test.py KIT SAMPLES. One pytest case per lazy program; LAB_SEED sets the
seed, EXHAUSTIVE_SHARE=2/3 runs the second third of them.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from grader.checks.ceilings import above, unstated
from grader.checks.pytest_program import chosen_cases, run_cases
from grader.checks.share import share_of
from grader.checks.verdicts import grade_samples, told, too_busy
from grader.model.manifest import load_kit
from grader.sample.samples import Sample, lazy_samples

_KIT = "CEILINGS_TEST_KIT"
_SAMPLES = "CEILINGS_TEST_SAMPLES"


def _lazy() -> list[Sample]:
    return lazy_samples(Path(os.environ[_SAMPLES])) if _SAMPLES in os.environ else []


def _name(sample: Sample) -> str:
    return sample.name


FOUND = share_of(_lazy(), _name)


@pytest.mark.parametrize("sample", FOUND, ids=_name)
def test_earns_no_more_than_its_ceiling(sample: Sample) -> None:
    kit = load_kit(Path(os.environ[_KIT]))
    seed = int(os.environ.get("LAB_SEED", "1"))
    graded = list(grade_samples(kit, [sample], seed, verdict_only=False))
    if reason := next(filter(None, (too_busy(result) for _, result in graded)), None):
        pytest.skip(f"{sample.path}: {reason}")
    problems = [*above(kit.lab, graded)]
    assert not problems, "\n".join([*problems, *(told(*entry) for entry in graded)])


def test_every_class_of_lazy_programs_has_a_ceiling_and_a_sample() -> None:
    kit = load_kit(Path(os.environ[_KIT]))
    assert list(unstated(kit.lab, _lazy())) == []


def _main(arguments: list[str]) -> int:
    os.environ[_KIT], os.environ[_SAMPLES] = arguments[:2]
    return run_cases(__file__, [*chosen_cases(), *arguments[2:]])


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
