"""Schedules one grader's threads: several side by side, or one alone for a timing."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from grader.sandbox.processes import Processes, StoppedError

_LOOK_S = 0.1


class ThreadSlots:
    """At most `slots` threads in shared(), or one in alone(). Thread-safe.

    Threads that want to be alone wait until there are `slots` of them, or until no other thread
    works or wants to; then they run one after another. Batching them keeps the time short in
    which cores idle because others have yet to finish.
    """

    def __init__(self, processes: Processes, slots: int) -> None:
        self._processes = processes
        self._slots = slots
        self._changed = threading.Condition()
        self._working = 0
        self._want_to_work = 0
        self._want_to_be_alone = 0
        self._alone = False
        self._emptying = False

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Beside others."""
        with self._changed:
            self._want_to_work += 1
            try:
                self._wait(self._may_work)
            finally:
                self._want_to_work -= 1
            self._working += 1
        try:
            yield
        finally:
            with self._changed:
                self._working -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Beside nothing else."""
        with self._changed:
            self._want_to_be_alone += 1
            try:
                self._changed.notify_all()
                self._wait(self._may_be_alone)
                self._alone = True
            finally:
                self._want_to_be_alone -= 1
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._emptying = self._want_to_be_alone > 0
                self._changed.notify_all()

    def _may_work(self) -> bool:
        self._decide()
        return not self._emptying and not self._alone and self._working < self._slots

    def _may_be_alone(self) -> bool:
        self._decide()
        return self._emptying and not self._alone and self._working == 0

    def _decide(self) -> None:
        nothing_else = self._working == 0 and self._want_to_work == 0
        wanted = self._want_to_be_alone
        self._emptying |= wanted >= self._slots or (wanted > 0 and nothing_else)

    def _wait(self, ready: Callable[[], bool]) -> None:
        while not ready():
            if self._processes.stopping:
                raise StoppedError
            self._changed.wait(_LOOK_S)
