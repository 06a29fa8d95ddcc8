"""Descendants of a process, from /proc."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from grader.sandbox.process_status import has_signal, status_of


def descendants(pid: int) -> Iterator[int]:
    """A parent before its children. Those that end meanwhile may be left out."""
    for child in _children(pid):
        yield child
        yield from descendants(child)


def command(pid: int) -> str:
    """The command line, joined by blanks; empty when it is gone or a zombie."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def started_at(pid: int) -> str:
    """Start time, which tells apart reuses of a pid; empty when it is gone or a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def catches(pid: int, number: int) -> bool:
    """Whether it has a handler for the signal."""
    return has_signal(status_of(pid), "SigCgt", number)


def processes_that_name(text: str) -> list[int]:
    """Living processes of this machine whose command line contains `text`."""
    pids = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    return [pid for pid in pids if pid != os.getpid() and text in command(pid) and started_at(pid)]


def _children(pid: int) -> list[int]:
    """Ignores errors: a process may end at any moment."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found += map(int, task.read_text(encoding="utf-8").split())
    return found
