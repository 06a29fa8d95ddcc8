"""Under the race checker: what library functions access is seen; right programs work."""

import os
import string
import subprocess
from pathlib import Path

import pytest

_HERE = Path(__file__).parent
_NO_CLANG = "no clang with ThreadSanitizer and OpenMP"
_TRIES = 8
"""Only a few calls of a run pause, for a millisecond, in which another thread may have no core."""


def _output(program: str, *arguments: str, options: str = "", timeout: int = 60) -> str:
    """`options` come after those of the whole test."""
    done = subprocess.run(
        [_HERE / program, *arguments],
        capture_output=True,
        env=os.environ | {"TSAN_OPTIONS": f"{os.environ.get('TSAN_OPTIONS', '')} {options}"},
        text=True,
        timeout=timeout,
    )
    return done.stdout + done.stderr


def _lines(program: str) -> list[str]:
    if (_HERE / program).read_bytes().startswith(b"#!"):
        pytest.skip(_NO_CLANG, allow_module_level=True)
    return _output(program).splitlines()


def _is_of_a_pause(line: str) -> bool:
    return (
        line.startswith(("WARNING: locked by ", "WARNING: changed ", "    #0 ")) or line == "  and"
    )


@pytest.mark.parametrize("function", _lines("accesses"))
def test_a_race_with_the_function_is_reported(function: str) -> None:
    # Naming the lines of a report takes three quarters of a run.
    assert "ThreadSanitizer: data race" in _output("accesses", function, options="symbolize=0")


@pytest.mark.parametrize("program", _lines("openmp"))
def test_a_race_is_reported_in_wrong_openmp_programs_only(program: str) -> None:
    output = _output("openmp", program)
    if program.startswith("!"):
        assert "ThreadSanitizer: data race" in output
    else:
        assert [line for line in output.splitlines() if not _is_of_a_pause(line)] == []


def test_programs_without_races_work_under_the_race_checker() -> None:
    lines = [line.strip(string.digits) for line in _output("containers").splitlines()]
    assert [line for line in lines if line and not _is_of_a_pause(line)] == []


@pytest.mark.parametrize(
    ("update", "said"),
    [
        ("store", "changed before a store"),
        ("exchange", "changed before an exchange"),
        ("compare", ""),
        ("lock", "locked by another thread"),
        ("critical", "locked by another thread"),
        ("end", "ended with a lock"),
        ("join", "joined with a lock"),
    ],
)
def test_another_thread_comes_between_the_steps_of_an_update(update: str, said: str) -> None:
    warnings: set[str] = set()
    for _ in range(_TRIES):
        lines = _output("schedules", update).splitlines()
        assert {line for line in lines if not line.startswith((" ", "WARNING"))} == set()
        warnings |= {line for line in lines if line.startswith("WARNING")}
        if warnings or not said:
            break
    assert warnings == ({f"WARNING: {said}"} if said else set())


def test_the_report_on_a_thread_names_the_line_that_started_it() -> None:
    _, started = _output("schedules", "start").split(" created by main thread at:\n", 1)
    assert " (anonymous namespace)::Start() " in started.split("\n\n")[0]


@pytest.mark.parametrize(
    ("lock", "said"), [("twice", "locked twice"), ("keep", "lock not released")]
)
def test_who_has_a_lock_is_told_where_a_thread_waits_for_ever(lock: str, said: str) -> None:
    with pytest.raises(subprocess.TimeoutExpired) as stopped:
        _output("schedules", lock, timeout=6)
    assert (stopped.value.stderr or b"").decode().count(f"WARNING: {said}\n") == 1
