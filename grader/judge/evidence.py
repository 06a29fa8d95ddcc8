"""What of a program's error output a student may see.

A submission runs on hidden inputs and can print them. So what it printed is never passed on: only
what the simulator wrote to a file of its own, and known sentences of the run-time library.
ThreadSanitizer's reports are told anew: see race_report.py.
"""

from __future__ import annotations

import re

_LIBRARY = re.compile(
    r"^(terminate called after throwing an instance of 'std::[a-z_:]+'"
    r"|terminate called (?:without an active exception|recursively)"
    r"|libgomp: (?:Thread creation failed|Out of memory)"
    r"|double free or corruption \([a-z!]+\)|(?:free|malloc|realloc)\(\): [a-z ,()]+"
    r"|munmap_chunk\(\): [a-z ]+|corrupted (?:size vs\. prev_size|double-linked list)"
    r"|\*\*\* (?:stack smashing|buffer overflow) detected \*\*\*: terminated)",
    re.MULTILINE,
)
# How tools spell the number of elements of a span that may have any.
_ANY_EXTENT = ", 18446744073709551615ul>"
# What GoogleTest adds to a failed helper of a test: names of the grader's own code.
_HELPER_FAILED = re.compile(
    r"^(Failed\n(?=element |expected )|Value of: lab::.*\n  Actual: false\nExpected: true(\n|\Z)"
    r"|Expected: .* doesn't generate new fatal failures in the current thread\.\n"
    r"  Actual: it does\.(\n|\Z))",
    re.MULTILINE,
)


def own_paths(text: str) -> str:
    """The jail's paths mean nothing to a student, nor how tools spell a span."""
    for path in ("/submission/", "/kit/include/", "/kit/simulator/"):
        text = text.replace(path, "")
    return text.replace(_ANY_EXTENT, ">")


def own_failure(message: str) -> str:
    """A failing case's message without GoogleTest's words about the test's own helpers."""
    return own_paths(_HELPER_FAILED.sub("", message)).rstrip("\n")


def evidence(findings: str, stderr: str) -> str:
    """What the simulator says, else the run-time library's last words."""
    if findings:
        return findings.strip()
    return "\n".join(match.group() for match in _LIBRARY.finditer(stderr))
