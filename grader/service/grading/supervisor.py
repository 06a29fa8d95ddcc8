"""Restarts the grading process when it has died, and ends it in order."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence

PAUSES_S = (0.2, 1.0, 5.0, 15.0, 60.0)
_LIVED_S = 60.0
"""A process that lived so long is started again at once."""
_ENDS_S = 20.0
"""Within which a grading process ends its jails and gives back what it graded."""


class Supervisor:
    """Keeps one grading process alive, from a thread of its own."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        on_drained: Callable[[], None],
        on_death: Callable[[str], None],
    ) -> None:
        """`on_drained` is called once when the process has ended as it was asked to; `on_death`
        with what happened, for the log, whenever it ended otherwise."""
        self._command = list(command)
        self._on_drained = on_drained
        self._on_death = on_death
        self._stopping = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._watch, name="supervisor", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends the process; returns when it has ended."""
        with self._lock:
            self._stopping.set()
            if self._child is not None and self._child.poll() is None:
                self._child.send_signal(signal.SIGTERM)
        self._thread.join(_ENDS_S)
        if self._thread.is_alive() and self._child is not None:
            self._child.kill()
            self._thread.join()

    def _watch(self) -> None:
        deaths = 0
        while (ended := self._run()) is not None:
            lived_s, code = ended
            if self._stopping.is_set():
                return
            if code == 0:
                self._on_drained()
                return
            deaths = 0 if lived_s > _LIVED_S else deaths
            pause_s = PAUSES_S[min(deaths, len(PAUSES_S) - 1)]
            deaths += 1
            how = f"signal {-code}" if code < 0 else f"code {code}"
            self._on_death(f"the grading process ended with {how}; started again in {pause_s:g} s")
            self._stopping.wait(pause_s)

    def _run(self) -> tuple[float, int] | None:
        """How long one process lived, and its exit code; None if none is to be started."""
        with self._lock:
            if self._stopping.is_set():
                return None
            began = time.monotonic()
            # A group of its own: a terminal's Ctrl-C reaches this process, which ends that one.
            self._child = subprocess.Popen(
                [*self._command, f"--parent={os.getpid()}"],
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr,
                process_group=0,
            )
        code = self._child.wait()
        return time.monotonic() - began, code
