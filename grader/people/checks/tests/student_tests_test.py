"""Files of tests, graded as a student's are: each gets its verdict and its share of the points.

Run as a program: student_tests_test.py KIT FOLDER. FOLDER/tests.toml says what each file
FOLDER/tests/NAME.cc must get: its verdict, for each part the least and the most share of the
points, 0 where it says nothing, and words that its student must read. Which faults count may differ
from one build of a kit to another, where a program fails by luck.
"""

import os
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grader.judging.judge.context import open_context
from grader.judging.kinds.run import grade_with_retries
from grader.judging.sample.samples import Sample
from grader.model.manifest import load_kit
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.presentation.feedback import feedback_text
from grader.people.checks.pytest_program import chosen_cases, run_cases

_KIT = "STUDENT_TESTS_KIT"
_FOLDER = "STUDENT_TESTS_FOLDER"
_SEED = 7


@cache
def _expected() -> dict[str, dict[str, Any]]:
    if _FOLDER not in os.environ:
        return {}
    return tomllib.loads(Path(os.environ[_FOLDER], "tests.toml").read_text(encoding="utf-8"))


def _grade(name: str) -> tuple[Result, str]:
    """The result of a file, and what its student reads."""
    kit = load_kit(Path(os.environ[_KIT]))
    file = Sample(Path(os.environ[_FOLDER], "tests", f"{name}.cc"), Verdict.ACCEPTED)
    with open_context(kit, _SEED, 1) as context:
        result = grade_with_retries(context, file.submission())
    return result, feedback_text(result, kit.lab)


@pytest.mark.parametrize("name", _expected())
def test_a_file_of_tests_gets_its_verdict_and_its_share(name: str) -> None:
    expected = _expected()[name]
    result, said = _grade(name)
    assert result.verdict == expected["verdict"], said
    for part in result.parts:
        least, most = expected.get("share", {}).get(part.function, (0, 0))
        assert least <= part.points / part.max_points <= most, said
    for words in expected.get("says", []):
        assert words in said


def test_every_file_has_an_expectation() -> None:
    files = {path.stem for path in Path(os.environ[_FOLDER], "tests").glob("*.cc")}
    assert files == set(_expected())


if __name__ == "__main__":
    os.environ[_KIT], os.environ[_FOLDER] = sys.argv[1:3]
    sys.exit(run_cases(__file__, [*chosen_cases(), *sys.argv[3:]]))
