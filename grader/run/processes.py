"""Child processes that never outlive the grader, and one switch that stops them all."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import JudgeError

GRACE_S = 3.0


class StoppedError(Exception):
    """The instructor asked the grader to stop; nothing is to be stored for this submission."""


@dataclass(frozen=True)
class Finished:
    """How a child ended. `stderr` holds at most its last 64 KiB."""

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
        """Runs a program to its end; JudgeError if it cannot start or outlives the deadline."""
        name = Path(argv[0]).name
        with self._started([*self._prefix, *map(str, argv)], name) as child:
            try:
                _, stderr = child.communicate(timeout=deadline_s)
            except subprocess.TimeoutExpired as error:
                raise JudgeError(f"{name} did not end within {deadline_s:g} s") from error
        if self.stopping:
            raise StoppedError
        return Finished(child.returncode, stderr[-65536:].decode("utf-8", "replace"))

    def _started(self, argv: list[str], name: str) -> _Running:
        with self._lock:
            if self.stopping:
                raise StoppedError
            try:
                child = subprocess.Popen(
                    argv,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
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


def _end(children: list[subprocess.Popen[bytes]]) -> None:
    """Asks first, so that jails remove their cgroups; then insists."""
    for child in children:
        if child.poll() is None:
            _signal(child, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_S
    for child in children:
        try:
            child.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            _signal(child, signal.SIGKILL)
            child.wait()


def _signal(child: subprocess.Popen[bytes], number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, number)
