"""What of a program's error output a student may see.

A submission runs on hidden inputs and can print them. So only what a sanitizer, the simulator or
the run-time library says is passed on, never what the program printed by itself.
"""

from __future__ import annotations

import re

_REPORT = re.compile(r"^(=+\n)?(WARNING: ThreadSanitizer|==\d+==|cudasim: )", re.MULTILINE)
_LIBRARY = re.compile(
    r"^(terminate called .*|libgomp: .*|double free or corruption.*|free\(\): .*|malloc\(\): .*"
    r"|munmap_chunk\(\): .*|corrupted .*|\*\*\* .* \*\*\*: .*)$",
    re.MULTILINE,
)
_LIBRARY_FRAME = re.compile(
    r"^ +#\d+ .* (/usr/|/kit/|/proc/self/cwd/|csu/|<null> ).*\n?", re.MULTILINE
)
_MODULE = re.compile(r" \([^()]*(\.so|worker)\+0x[0-9a-f]+\)( \(BuildId: [0-9a-f]+\))?")
# Where the checker knows no variable: it only repeats the address.
_NO_VARIABLE = re.compile(r"^  Location is global '\?\?' .*\n\n?", re.MULTILINE)
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


def evidence(stderr: str) -> str:
    """A checker's report from its first line on, else the library's last words; else nothing.

    Of a report's frames those in libraries are left out: the student's own lines are what counts.
    """
    report = _REPORT.search(stderr)
    if report:
        frames = _LIBRARY_FRAME.sub("", stderr[report.start() :])
        frames = _NO_VARIABLE.sub("", frames)
        return _MODULE.sub("", frames).strip()
    return "\n".join(match.group() for match in _LIBRARY.finditer(stderr))
