"""Whether this process or a child of it was stopped from outside for a while: by SIGSTOP, by a
debugger, or as a container or a virtual machine is paused. What a checker measures then, time
limits above all, says nothing about a program."""

import signal
import time
from pathlib import Path

from grader.sandbox.process_status import has_signal, status_of

LOOK_S = 0.5
_LATE_S = 1.0
"""A thread that sleeps this much too long, run-queue wait excluded, was stopped."""


class Suspension:
    """Counts the seconds for which this thread or a child that it starts was stopped.

    Create it before the child starts. Not thread-safe.
    """

    def __init__(self) -> None:
        self._now = time.monotonic()
        self._waited = _waited_for_a_core()
        self.seconds = 0.0

    def look(self, child: int) -> None:
        """Call this after each sleep of at most LOOK_S."""
        now, waited = time.monotonic(), _waited_for_a_core()
        slept = now - self._now
        if slept - LOOK_S - (waited - self._waited) > _LATE_S or _is_stopped(child):
            self.seconds += slept
        self._now, self._waited = now, waited


def _waited_for_a_core() -> float:
    """Seconds for which this thread was runnable, but did not run."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except (OSError, ValueError, IndexError):  # a kernel that does not count
        return 0.0


def _is_stopped(pid: int) -> bool:
    """Also while it waits for a child that was stopped before it became a program (vfork): until
    then the signal is pending."""
    status = status_of(pid)
    return status.get("State", "").startswith(("T", "t")) or any(
        has_signal(status, pending, signal.SIGSTOP) for pending in ("SigPnd", "ShdPnd")
    )
