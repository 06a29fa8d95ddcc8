"""Child processes that never outlive the grader, and one switch that stops them all."""

import contextlib
import os
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO

from grader.model.errors import JudgeError
from grader.sandbox.suspension import LOOK_S, Suspension

GRACE_S = 3.0
KILL_S = 5.0
"""How long a child may take to die of SIGKILL: longer only where the kernel does not let it go."""
SAID_BYTES = 64 << 10


class StoppedError(Exception):
    """The instructor asked the grader to stop; nothing is to be stored for this submission."""


@dataclass(frozen=True)
class Finished:
    """How a child ended, with at most the last SAID_BYTES of each stream."""

    code: int
    stdout: str
    stderr: str


class Processes:
    """Starts children in sessions of their own and can end all of them. Thread-safe.

    A terminal's Ctrl-C reaches the grader alone, which then ends its children in order; should
    the grader be killed outright, the kernel ends them.
    """

    def __init__(self, niceness: int = 0) -> None:
        """`niceness`: of those that no clock measures, so that others of the machine go first."""
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stop = threading.Event()
        setpriv = shutil.which("setpriv")
        self._prefix = [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []
        nice = shutil.which("nice")
        self._yielding = [nice, "-n", str(niceness)] if niceness and nice else []

    @property
    def stopping(self) -> bool:
        return self._stop.is_set()

    def pause(self, seconds: float) -> None:
        """Sleeps, but wakes with StoppedError when the grader is to stop."""
        if self._stop.wait(seconds):
            raise StoppedError

    def run(
        self,
        argv: Sequence[str | Path],
        *,
        deadline_s: float,
        is_timed: bool = True,
        yields: bool = False,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> Finished:
        """Runs a program to its end; JudgeError if it cannot start or outlives the deadline.

        Also JudgeError if its output depends on measured times (`is_timed`) and it was stopped
        from outside for a while. With `yields` it runs at the low priority.

        Its output goes to unnamed files, not pipes: a child of its own that is left behind would
        keep a pipe open.
        """
        name = Path(argv[0]).name
        with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
            suspension = Suspension()
            yielding = self._yielding if yields else []
            command = [*self._prefix, *yielding, *map(str, argv)]
            child = self._start(command, environment, name, stdout, stderr)
            try:
                in_time = _ends_within(child, deadline_s, suspension)
            finally:
                left = self._end(child)
            if not in_time:
                raise JudgeError(f"{name} did not end within {deadline_s:g} s{left}")
            if self.stopping:
                raise StoppedError
            if is_timed and suspension.seconds:
                raise JudgeError(
                    f"{name} was stopped from outside for about {suspension.seconds:.0f} s, or its "
                    "grader was, so its time measurements are invalid"
                )
            return Finished(child.returncode, _tail(stdout), _tail(stderr))

    def _start(
        self,
        argv: list[str],
        environment: Mapping[str, str],
        name: str,
        stdout: IO[bytes],
        stderr: IO[bytes],
    ) -> subprocess.Popen[bytes]:
        with self._lock:
            if self.stopping:
                raise StoppedError
            try:
                child = subprocess.Popen(
                    argv,
                    stdin=subprocess.DEVNULL,
                    stdout=stdout,
                    stderr=stderr,
                    start_new_session=True,
                    env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **environment},
                )
            except OSError as error:
                raise JudgeError(f"cannot start {name}: {error.strerror}") from error
            self._running.add(child)
        return child

    def _end(self, child: subprocess.Popen[bytes]) -> str:
        """Ends what is left of a child's process group and forgets it; names what cannot be ended.

        A process in an uninterruptible system call does not die before the kernel lets it go, which
        may be never. It is left: waiting for it would hold up the whole class.
        """
        _end([child])
        with self._lock:
            self._running.discard(child)
        if child.returncode is not None:
            return ""
        return (
            f", and process {child.pid} did not die of SIGKILL within {KILL_S:g} s and is left; "
            f"see /proc/{child.pid}/stack for where the kernel holds it, and restart the machine "
            "if it stays"
        )

    def stop(self) -> None:
        """Ends every child, as far as the kernel lets it, and refuses new ones."""
        with self._lock:
            self._stop.set()
            children = list(self._running)
        _end(children)


def _tail(file: IO[bytes]) -> str:
    file.seek(max(0, file.seek(0, os.SEEK_END) - SAID_BYTES))
    return file.read(SAID_BYTES).decode("utf-8", "replace")


def _ends_within(child: subprocess.Popen[bytes], seconds: float, suspension: Suspension) -> bool:
    """Like wait(), but wakes at once when the child ends, and updates `suspension`."""
    end = time.monotonic() + seconds
    descriptor = os.pidfd_open(child.pid)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        ready: list[tuple[int, int]] = []
        while not ready and (left := end - time.monotonic()) > 0:
            ready = poll.poll(min(left, LOOK_S) * 1000)
            suspension.look(child.pid)
    finally:
        os.close(descriptor)
    if ready:
        _wait([child], KILL_S)
    return child.returncode is not None


def _end(children: list[subprocess.Popen[bytes]]) -> None:
    """Sends SIGTERM, so that jails remove their cgroups; then SIGKILL to all that is left."""
    for child in children:
        if child.poll() is None:
            _signal(child, signal.SIGTERM)
    _wait(children, GRACE_S)
    for child in children:
        _signal(child, signal.SIGKILL)
    _wait(children, KILL_S)


def _wait(children: list[subprocess.Popen[bytes]], seconds: float) -> None:
    """Waits for all of them, at most `seconds` in total."""
    deadline = time.monotonic() + seconds
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(max(0.0, deadline - time.monotonic()))


def _signal(child: subprocess.Popen[bytes], number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, number)
