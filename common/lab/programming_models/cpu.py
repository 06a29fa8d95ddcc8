"""Threads on a CPU: pthreads, C++ threads and OpenMP."""

from common.lab.programming_models.model import (
    ADDRESS_SANITIZER,
    THREAD_SANITIZER,
    ModelPolicy,
    ProgrammingModel,
)
from common.lab.programming_models.phases import MEMORY, RACES, SHARES, TESTS, TIMING

# Keywords and functions of GNU's compilers, and what macros of headers expand to.
_KNOWN = (
    *("__attribute", "__attribute__", "__extension__", "__func__", "__FUNCTION__", "__inline*"),
    *("__PRETTY_FUNCTION__", "__restrict", "__restrict__", "__thread", "__typeof*", "__alignof*"),
    *("__int128", "__int128_t", "__uint128_t", "__float128", "__real__", "__imag__", "__null"),
    *("__const", "__const__", "__volatile", "__volatile__", "__signed*", "__gcd", "__lg"),
    *("__gnu_cxx", "__gnu_pbds", "__assert_fail", "__errno_location", "__bits", "__fds_bits"),
    *("__cpu", "__cpu_mask", "__sched_cpu*", "__clframe", "__pthread_cleanup_class", "__setdoit"),
    *("__sync_synchronize", "__sync_lock_test_and_set", "__sync_lock_release"),
    *("__sync_bool_compare_and_swap", "__sync_val_compare_and_swap", "__atomic_load"),
    *("__atomic_load_n", "__atomic_store", "__atomic_store_n", "__atomic_exchange"),
    *("__atomic_exchange_n", "__atomic_compare_exchange", "__atomic_compare_exchange_n"),
    *("__atomic_test_and_set", "__atomic_clear", "__atomic_thread_fence"),
    *(
        pattern.format(name)
        for name in ("add", "sub", "and", "or", "xor", "nand")
        for pattern in (
            *("__sync_fetch_and_{}", "__sync_{}_and_fetch"),
            *("__atomic_fetch_{}", "__atomic_{}_fetch"),
        )
    ),
)
_RACES = "--config=tsan"
_MEMORY = "--config=asan"

CPU = ProgrammingModel(
    name="cpu",
    language="cc",
    policy=ModelPolicy(
        known=_KNOWN,
        usual_headers=(
            *("algorithm", "array", "assert.h", "bit", "cassert", "concepts", "cstddef", "cstdint"),
            *("cstdio", "cstdlib", "cstring", "functional", "iterator", "limits", "limits.h"),
            *("memory", "numeric", "optional", "ranges", "span", "stddef.h", "stdint.h"),
            *("stdio.h", "stdlib.h", "string.h", "tuple", "type_traits", "utility", "vector"),
        ),
        instrumentation={
            "races": THREAD_SANITIZER,
            "memory": ADDRESS_SANITIZER,
        },
        # Checked variants of functions, which _FORTIFY_SOURCE uses, and what g++ calls for the /
        # and % of large integers: what they write is not seen.
        unseen={"races": ("__*_chk", "__*divmodti4")},
    ),
    phases=(TESTS, MEMORY, RACES, SHARES, TIMING),
    ceilings={"serial": 35, "one_worker": 35, "one_lock": 50, "first_algorithm": 75},
    clocked=frozenset({"one_lock", "first_algorithm"}),
    diagnosis={
        "data_race": _RACES,
        "deadlock": _RACES,
        "out_of_bounds": _MEMORY,
        "runtime_error": _MEMORY,
        "uninitialised_read": _MEMORY,
    },
)
