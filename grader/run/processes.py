"""Child processes that never outlive the grader, and one switch that stops them all."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from grader.model.errors import JudgeError

GRACE_S = 3.0
STDERR_BYTES = 64 << 10


class StoppedError(Exception):
    """The instructor asked the grader to stop; nothing is to be stored for this submission."""


@dataclass(frozen=True)
class Finished:
    """How a child ended. `stderr` holds at most its last STDERR_BYTES."""

    code: int
    stderr: str


class Processes:
    """Starts children in sessions of their own and can end all of them. Thread-safe.

    A terminal's Ctrl-C reaches the grader alone, which then ends its children in order; should
    the grader be killed outright, the kernel ends them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stop = threading.Event()
        setpriv = shutil.which("setpriv")
        self._prefix = [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []

    @property
    def stopping(self) -> bool:
        return self._stop.is_set()

    def pause(self, seconds: float) -> None:
        """Sleeps, but wakes with StoppedError when the grader is to stop."""
        if self._stop.wait(seconds):
            raise StoppedError

    def run(self, argv: Sequence[str | Path], *, deadline_s: float) -> Finished:
        """Runs a program to its end; JudgeError if it cannot start or outlives the deadline.

        What it says goes to a nameless file, not a pipe: a child of its own that is left behind
        would keep a pipe open.
        """
        name = Path(argv[0]).name
        with (
            tempfile.TemporaryFile() as said,
            self._started([*self._prefix, *map(str, argv)], name, said) as child,
        ):
            if not _ends_within(child, deadline_s):
                raise JudgeError(f"{name} did not end within {deadline_s:g} s")
            said.seek(max(0, said.seek(0, os.SEEK_END) - STDERR_BYTES))
            stderr = said.read(STDERR_BYTES).decode("utf-8", "replace")
        if self.stopping:
            raise StoppedError
        return Finished(child.returncode, stderr)

    def _started(self, argv: list[str], name: str, said: IO[bytes]) -> _Running:
        with self._lock:
            if self.stopping:
                raise StoppedError
            try:
                child = subprocess.Popen(
                    argv,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=said,
                    start_new_session=True,
                    env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
                )
            except OSError as error:
                raise JudgeError(f"cannot start {name}: {error.strerror}") from error
            self._running.add(child)
        return _Running(self, child)

    def ended(self, child: subprocess.Popen[bytes]) -> None:
        """Ends what is left of a child's process group and forgets it."""
        _end([child])
        with self._lock:
            self._running.discard(child)

    def stop(self) -> None:
        """Ends every child and refuses new ones."""
        with self._lock:
            self._stop.set()
            children = list(self._running)
        _end(children)


class _Running:
    """Ends the child however the block is left."""

    def __init__(self, owner: Processes, child: subprocess.Popen[bytes]) -> None:
        self._owner = owner
        self._child = child

    def __enter__(self) -> subprocess.Popen[bytes]:
        return self._child

    def __exit__(self, *_: object) -> None:
        self._owner.ended(self._child)


def _ends_within(child: subprocess.Popen[bytes], seconds: float) -> bool:
    """Like wait(), but wakes at once instead of polling."""
    descriptor = os.pidfd_open(child.pid)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        ready = poll.poll(max(0.0, seconds) * 1000)
    finally:
        os.close(descriptor)
    if ready:
        child.wait()
    return bool(ready)


def _end(children: list[subprocess.Popen[bytes]]) -> None:
    """Asks first, so that jails remove their cgroups; then insists, and on what they left too."""
    for child in children:
        if child.poll() is None:
            _signal(child, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_S
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(max(0.0, deadline - time.monotonic()))
        _signal(child, signal.SIGKILL)
        child.wait()


def _signal(child: subprocess.Popen[bytes], number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, number)
