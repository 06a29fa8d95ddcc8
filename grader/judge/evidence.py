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


def evidence(stderr: str) -> str:
    """A checker's report from its first line on, else the library's last words; else nothing."""
    report = _REPORT.search(stderr)
    if report:
        return stderr[report.start() :].strip()
    return "\n".join(match.group() for match in _LIBRARY.finditer(stderr))
