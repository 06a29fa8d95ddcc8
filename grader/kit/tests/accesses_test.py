"""Under the race checker: what library functions access is seen, and containers work."""

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


def _functions() -> list[str]:
    if (_HERE / "accesses").read_bytes().startswith(b"#!"):
        pytest.skip(_NO_CLANG, allow_module_level=True)
    return _output("accesses").splitlines()


@pytest.mark.parametrize("function", _functions())
def test_a_race_with_the_function_is_reported(function: str) -> None:
    assert "ThreadSanitizer: data race" in _output("accesses", function)


def test_programs_without_races_work_under_the_race_checker() -> None:
    assert _output("containers").strip(string.digits) == ""
