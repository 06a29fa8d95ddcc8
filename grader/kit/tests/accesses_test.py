"""Under the race checker: what library functions access is seen; right programs work."""

from __future__ import annotations

import string
import subprocess
from pathlib import Path

import pytest

_HERE = Path(__file__).parent
_NO_CLANG = "no clang with ThreadSanitizer and OpenMP"


def _output(program: str, *arguments: str) -> str:
    done = subprocess.run([_HERE / program, *arguments], capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


def _lines(program: str) -> list[str]:
    if (_HERE / program).read_bytes().startswith(b"#!"):
        pytest.skip(_NO_CLANG, allow_module_level=True)
    return _output(program).splitlines()


@pytest.mark.parametrize("function", _lines("accesses"))
def test_a_race_with_the_function_is_reported(function: str) -> None:
    assert "ThreadSanitizer: data race" in _output("accesses", function)


@pytest.mark.parametrize("program", _lines("openmp"))
def test_a_race_is_reported_in_wrong_openmp_programs_only(program: str) -> None:
    output = _output("openmp", program)
    if program.startswith("!"):
        assert "ThreadSanitizer: data race" in output
    else:
        assert output == ""


def test_programs_without_races_work_under_the_race_checker() -> None:
    assert _output("containers").strip(string.digits) == ""
