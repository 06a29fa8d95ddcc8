"""tsan_summary.py FILE: a report of ThreadSanitizer in ten lines, as the grader prints it.

Keeps what each stack has of the student's file, the locks that were held, and where the memory is
from. Ends with 1, and prints nothing, if no access or lock has a line in that file. Needs no
packages.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_BEGIN = re.compile(r"WARNING: ThreadSanitizer: (.*) \(pid=\d+\)")
_THREAD = r"(main thread|thread T\d+)"
_ACCESS = re.compile(
    r"(?:Previous )?((?:atomic )?(?:read|write)) of size \d+ at \w+ by "
    rf"{_THREAD}(?: \(mutexes: (.*)\))?:",
    re.IGNORECASE,
)
_SENTENCES = (
    (
        rf"Mutex (M\d+) acquired here while holding mutex M\d+ in {_THREAD}:",
        "{0} was locked by {1}",
    ),
    (
        r"Mutex (M\d+) previously acquired by the same thread here:",
        "{0} had been locked by the same thread",
    ),
    (r"Mutex (M\d+) \(\w+\) created at:", "{0} was made"),
    (rf"Location is heap block of .* allocated by {_THREAD}:", "The memory was allocated by {0}"),
    (rf"Thread (T\d+) .*created by {_THREAD} at:", "Thread {0} was started by {1}"),
)
# Useful without a stack. The stack of the main thread is shown as a global variable, too.
_ALONE = (
    (rf"Location is stack of {_THREAD}\.", "The memory is on the stack of {0}"),
    (r"Location is global '(?!\?\?)(.*)' of .*", "The memory is the variable {0}"),
)
# A frame: its function, its file in the workspace and its line.
_FRAME = re.compile(r" +#\d+ (.*) ([^\s:]+):(\d+)(?::\d+)? \(.*")
_OTHERS = re.compile(r"/|common/|external/|.*(_test\.cc|\.h)$")
_ANY_EXTENT = ", 18446744073709551615ul>"


@dataclass
class _Section:
    sentence: str
    deed: str = ""
    """`write`, `atomic read`; empty unless it is an access."""
    stands_alone: bool = False
    frames: list[str] = field(default_factory=list)
    """The student's, innermost first."""

    @property
    def place(self) -> str:
        """`sum.cc:18`; empty if no line is known."""
        return self.frames[0].rpartition(" at ")[2] if self.frames else ""


def summary(text: str) -> str:
    """The first report of a text; empty if it has no line of the student's file."""
    lines = iter(text.splitlines())
    kind = next((begin[1] for line in lines if (begin := _BEGIN.match(line))), "")
    sections = list(_sections(lines))
    accesses = [section for section in sections if section.deed]
    if not any(section.frames for section in accesses or sections):
        return ""
    rows = [*_race(kind, accesses), f"ThreadSanitizer: {kind}"]
    for section in sections:
        if section.frames or section.stands_alone:
            rows.append(f"  {section.sentence}")
            rows += [f"    {frame}" for frame in section.frames]
    return "\n".join(rows)


def _race(kind: str, accesses: list[_Section]) -> Iterator[str]:
    if not kind.startswith("data race") or len(accesses) < 2:
        return
    one, other = sorted(accesses[:2], key=lambda access: not access.place)
    where = f" at {other.place}" if other.place else ""
    yield (
        f"data race: the {one.deed} at {one.place} races with the {other.deed} of another "
        f"thread{where}"
    )


def _sections(lines: Iterator[str]) -> Iterator[_Section]:
    section: _Section | None = None
    for line in lines:
        if line.startswith("SUMMARY: "):
            break
        if section and (frame := _FRAME.fullmatch(line)):
            if not _OTHERS.match(frame[2]):
                function = frame[1].replace(_ANY_EXTENT, ">")
                section.frames.append(f"{function} at {Path(frame[2]).name}:{frame[3]}")
        elif line.startswith("  ") and not line.startswith("   "):
            if section:
                yield section
            section = _section(line.strip())
    if section:
        yield section


def _section(line: str) -> _Section | None:
    if access := _ACCESS.fullmatch(line):
        locks = re.findall(r"M\d+", access[3] or "")
        held = f"holding {' and '.join(locks) or 'no lock'}"
        previous = "Previous " if line.startswith("Previous") else ""
        deed = access[1].lower()
        said = f"{previous}{deed} by {access[2]}, {held}"
        return _Section(said[0].upper() + said[1:], deed, stands_alone=True)
    for sentences in (_SENTENCES, _ALONE):
        for pattern, sentence in sentences:
            if found := re.fullmatch(pattern, line):
                said = sentence.format(*(group for group in found.groups()))
                return _Section(said, stands_alone=sentences is _ALONE)
    return None


if __name__ == "__main__":
    shown = summary(Path(sys.argv[1]).read_text(encoding="utf-8", errors="replace"))
    if not shown:
        sys.exit(1)
    print(shown)
