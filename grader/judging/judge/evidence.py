"""What of a program's error output a student may see.

A submission runs on hidden inputs and could print them, so its own output is never passed on: only
the simulator's findings, said anew by retold.py, and known messages of the run-time library.
ThreadSanitizer's reports are rebuilt from their numbers: see race_report.py.
"""

import re

# Whole messages of the C and C++ libraries: a pattern would pass on text that a program chose.
_EXCEPTIONS = (
    *("bad_alloc", "bad_array_new_length", "bad_cast", "bad_exception", "bad_function_call"),
    *("bad_optional_access", "bad_typeid", "bad_variant_access", "bad_weak_ptr", "domain_error"),
    *("future_error", "invalid_argument", "length_error", "logic_error", "out_of_range"),
    *("overflow_error", "range_error", "regex_error", "runtime_error", "system_error"),
    "underflow_error",
)
_LAST_WORDS = (
    *(f"terminate called after throwing an instance of 'std::{name}'" for name in _EXCEPTIONS),
    "terminate called without an active exception",
    "terminate called recursively",
    "libgomp: Thread creation failed",
    "libgomp: Out of memory",
    *(f"double free or corruption ({where})" for where in ("!prev", "fasttop", "out", "top")),
    "free(): corrupted unsorted chunks",
    "free(): double free detected in tcache 2",
    "free(): invalid next size (fast)",
    "free(): invalid next size (normal)",
    "free(): invalid pointer",
    "free(): invalid size",
    "free(): unaligned chunk detected in tcache 2",
    "malloc(): corrupted top size",
    "malloc(): invalid next size (unsorted)",
    "malloc(): invalid size (unsorted)",
    "malloc(): memory corruption",
    "malloc(): memory corruption (fast)",
    "malloc(): mismatching next->prev_size (unsorted)",
    "malloc(): unaligned tcache chunk detected",
    "malloc(): unsorted double linked list corrupted",
    "realloc(): invalid next size",
    "realloc(): invalid old size",
    "realloc(): invalid pointer",
    "munmap_chunk(): invalid pointer",
    "corrupted size vs. prev_size",
    "corrupted double-linked list",
    "*** stack smashing detected ***: terminated",
    "*** buffer overflow detected ***: terminated",
)
_LIBRARY = re.compile(rf"^({'|'.join(map(re.escape, _LAST_WORDS))})(?=[\n:]|\Z)", re.MULTILINE)
# How tools print std::dynamic_extent in a span's type.
_ANY_EXTENT = ", 18446744073709551615ul>"
# Of the warnings only those about another schedule's results explain a failure.
_CAUSE = re.compile(
    r"^cudasim: (?:warning: (?=lost_update|stale_look|missing_acquire)|(?!warning: ))(.+)",
    re.MULTILINE,
)
# Lines that GoogleTest adds when a test's helper fails; they name the grader's own code.
_HELPER_FAILED = re.compile(
    r"^(Failed\n(?=element |expected )|Value of: lab::.*\n  Actual: false\nExpected: true(\n|\Z)"
    r"|Expected: .* doesn't generate new fatal failures in the current thread\.\n"
    r"  Actual: it does\.(\n|\Z))",
    re.MULTILINE,
)


def own_paths(text: str) -> str:
    """The text without the jail's paths and the dynamic extent of spans."""
    for path in ("/submission/", "/kit/include/", "/kit/simulator/"):
        text = text.replace(path, "")
    return text.replace(_ANY_EXTENT, ">")


def own_failure(message: str) -> str:
    """A failing case's message without GoogleTest's lines about the test's helpers."""
    return own_paths(_HELPER_FAILED.sub("", message)).rstrip("\n")


def cause(findings: str) -> str:
    """The head of the first of the simulator's findings that explains a failure, or nothing."""
    match = _CAUSE.search(findings)
    return match[1] if match else ""


def evidence(findings: str, stderr: str) -> str:
    """The simulator's findings, else the run-time library's last message.

    Only one message: a sequence of them could encode the hidden inputs.
    """
    if findings:
        return findings.strip()
    said: list[str] = _LIBRARY.findall(stderr)
    return said[-1] if said else ""
