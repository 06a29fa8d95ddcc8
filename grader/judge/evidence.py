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
_LIBRARY_FRAME = re.compile(r"^ +#\d+ .* (/usr/|/kit/|/proc/self/cwd/|<null> ).*\n?", re.MULTILINE)
_MODULE = re.compile(r" \([^()]*(\.so|worker)\+0x[0-9a-f]+\)( \(BuildId: [0-9a-f]+\))?")


def own_paths(text: str) -> str:
    """The jail's paths mean nothing to a student."""
    return (
        text.replace("/submission/", "").replace("/kit/include/", "").replace("/kit/simulator/", "")
    )


def evidence(stderr: str) -> str:
    """A checker's report from its first line on, else the library's last words; else nothing.

    Of a report's frames those in libraries are left out: the student's own lines are what counts.
    """
    report = _REPORT.search(stderr)
    if report:
        frames = _LIBRARY_FRAME.sub("", stderr[report.start() :])
        return _MODULE.sub("", frames).strip()
    return "\n".join(match.group() for match in _LIBRARY.finditer(stderr))
