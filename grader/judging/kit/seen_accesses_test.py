"""The race checker sees what the allowed functions of the C library access for their caller."""

import ctypes
import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from common.lab.object_policy.allowed_symbols import is_allowed
from common.lab.text_policy.policy import FORBIDDEN_WORDS

_WORKER = Path(__file__).with_name("worker_races")
# What they use belongs to the system, to the program as a whole, or to the calling thread.
_ACCESS_NOTHING = (
    *("is[a-z]*", "to*er", "*abs", "*div", "__ctype_*", "copysign*", "scalbn*", "ldexp*"),
    *("finite*", "exit", "_Exit", "quick_exit", "__cxa_*"),
    *("clock", "difftime", "sysconf"),
    *("rand", "random", "srand", "srandom", "drand48", "srand48", "get_nprocs*"),
    *("sched_yield", "sched_getcpu", "__sched_cpualloc", "__sched_cpufree"),
    *("fputc", "putc", "putchar", "perror", "syscall", "__errno_location", "__*_fail"),
    *("pthread_self", "pthread_equal", "pthread_*cancel", "pthread_yield", "pthread_*specific"),
    *("pthread_*attr_destroy", "pthread_key_delete", "sem_close"),
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
    return next(Path(line.split()[-1]) for line in maps.splitlines() if f"/{name}" in line)


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


def test_lets_only_headers_call_what_has_a_reserved_name() -> None:
    names = sorted(name for name in _names(_library("libstdc++.so.6")) if name.startswith("_Z"))
    allowed = [name for name in names if is_allowed(name, frozenset())]
    run = subprocess.run(["c++filt", "-p", *allowed], capture_output=True, text=True)
    functions = re.sub("<.*>|__cxx11::", "", run.stdout).splitlines()
    harmless = ("_V2", "_State", "__throw_*", "__glibcxx_assert_fail")
    free = {
        function
        for function in functions
        if (words := re.findall(r"\b_[A-Z_]\w*", function))
        and not any(fnmatchcase(w, each) for w in words for each in (*FORBIDDEN_WORDS, *harmless))
    }
    assert len(functions) > 300
    assert free == set()


@pytest.mark.parametrize(
    "name",
    [
        *("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9push_backEc", "_ZNSs9push_backEc"),
        "_ZN11__gnu_debug19_Safe_iterator_base9_M_attachEPNS_19_Safe_sequence_baseEb",
        *("_ZN9__gnu_cxx18__exchange_and_addEPVii", "_ZSt8to_charsPcS_d"),
        "_ZNSolsEPSt15basic_streambufIcSt11char_traitsIcEE",
        "_ZNSt13basic_ostreamIwSt11char_traitsIwEElsEi",
        "_ZNKSt19basic_ostringstreamIcSt11char_traitsIcESaIcEE3strEv",
        "_ZSt9use_facetISt7codecvtIDic11__mbstate_tEERKT_RKSt6locale",
        *("_ZNSt5__padIcSt11char_traitsIcEE6_S_padERSt8ios_basecPcPKcll", "_ZNSt6localeaSERKS_"),
        *("_ZNSt13runtime_erroraSERKS_", "_ZSt13set_terminatePFvvE"),
        *("_ZNSt15__exception_ptr13exception_ptraSERKS0_", "__cxa_demangle"),
        *("omp_capture_affinity", "omp_get_place_proc_ids", "omp_get_affinity_format"),
    ],
)
def test_refuses_functions_of_the_runtimes_that_access_memory_unseen(name: str) -> None:
    assert not is_allowed(name, frozenset())
