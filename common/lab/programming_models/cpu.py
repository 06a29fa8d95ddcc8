"""Threads on a CPU: pthreads, C++ threads and OpenMP."""

from common.lab.programming_models.model import THREAD_SANITIZER, ModelPolicy, ProgrammingModel
from common.lab.programming_models.phases import MEMORY, RACES, SHARES, TESTS, TIMING

_RACES = "--config=tsan"
_MEMORY = "--config=asan"

CPU = ProgrammingModel(
    name="cpu",
    language="cc",
    policy=ModelPolicy(
        usual_headers=(
            *("algorithm", "array", "assert.h", "bit", "cassert", "concepts", "cstddef", "cstdint"),
            *("cstdio", "cstdlib", "cstring", "functional", "iterator", "limits", "limits.h"),
            *("memory", "numeric", "optional", "ranges", "span", "stddef.h", "stdint.h"),
            *("stdio.h", "stdlib.h", "string.h", "tuple", "type_traits", "utility", "vector"),
        ),
        instrumentation={
            "races": THREAD_SANITIZER,
            "memory": ("__asan_*", "__ubsan_*", "__sanitizer_annotate_contiguous_container"),
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
