"""The race checker sees what the allowed functions of the C library access for their caller."""

from __future__ import annotations

import ctypes
import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from grader.compile.allowed_symbols import is_allowed

_WORKER = Path(__file__).with_name("worker_races")
# What they use belongs to the system, to the program as a whole, or to the calling thread.
_ACCESS_NOTHING = (
    *("is[a-z]*", "to*er", "*abs", "*div", "__ctype_*", "copysign*", "scalbn*", "ldexp*"),
    *("finite*", "exit", "_Exit", "quick_exit", "__cxa_*"),
    *("getenv", "clock", "difftime", "sysconf"),
    *("rand", "random", "srand", "srandom", "get_nprocs*", "sched_*", "__sched_cpu*"),
    *("fputc", "putc", "putchar", "perror", "syscall", "__errno_location", "__*_fail"),
    *("pthread_self", "pthread_equal", "pthread_*cancel", "pthread_yield", "pthread_*specific"),
    *("pthread_*attr_destroy", "pthread_setaffinity_np", "pthread_setname_np", "sem_clo*"),
    "pthread_key_*",  # the number of a key, which a program cannot choose
    "clock_nanosleep",  # the rest of the time after a signal, which a program cannot send
    "__*_chk",  # refused where the checker runs: symbol_policy.py
)


def _names(path: Path) -> set[str]:
    """The functions that a program or library offers to others."""
    done = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = re.findall(r" [TWi] (\w+)(?:@.*)?$", done.stdout, re.MULTILINE)
    assert found, f"{path} offers no function"
    return set(found)


def _library(name: str) -> Path:
    ctypes.CDLL(name)
    maps = Path("/proc/self/maps").read_text(encoding="utf-8")
    return next(Path(line.split()[-1]) for line in maps.splitlines() if line.endswith(f"/{name}"))


@pytest.fixture(scope="module")
def seen() -> set[str]:
    if _WORKER.read_bytes().startswith(b"#!"):
        pytest.skip("no clang with ThreadSanitizer and OpenMP")
    return _names(_WORKER)


def test_sees_what_allowed_functions_access(seen: set[str]) -> None:
    allowed = {name for name in _names(_library("libc.so.6")) if is_allowed(name, frozenset())}
    assert {"memcpy", "strtol", "pthread_join"} <= allowed
    unseen = {
        name
        for name in allowed - seen
        if not any(fnmatchcase(name, pattern) for pattern in _ACCESS_NOTHING)
    }
    assert unseen == set()


def test_sees_second_results_of_mathematical_functions(seen: set[str]) -> None:
    for kind in ("", "f", "l"):
        names = {f"{name}{kind}" for name in ("frexp", "modf", "remquo", "sincos")}
        assert names | {f"lgamma{kind}_r"} <= seen


def test_knows_the_functions_that_lock_with_a_time_limit(seen: set[str]) -> None:
    for kind in ("mutex_clock", "mutex_timed", "rwlock_clockrd", "rwlock_clockwr"):
        assert f"pthread_{kind}lock" in seen
