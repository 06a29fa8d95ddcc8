"""The machine that grades: its class, and the lock that gives timing the machine to itself."""

import fcntl
import os
import platform
import pwd
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

from grader.model.errors import GraderError
from grader.sandbox.gpu_presence import gpu_name
from grader.sandbox.processes import Processes
from grader.sandbox.thread_slots import ThreadSlots

_GPU = " + "
_LOCKS = "/tmp"  # noqa: S108 (the same for all users, whatever their TMPDIR)
_OTHER_LOCKS = "GRADER_LOCKS"
"""Names another folder, for tests: graders that they stop would hold up others."""
_POLL_S = 0.01
_COMMAND_SHOWN = 200
_PATIENCE_S = 10.0
"""Wait before the user is told who has the lock; two graders that take turns wait less."""


def machine_class(*, gpu: bool = False) -> str:
    """Machines of one class give comparable timings: same processor, same number of cores.

    With `gpu` the GPU that is timed belongs to it; GraderError where there is none.
    """
    model = ""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if line.startswith(("model name", "CPU part")):
                    model = " ".join(line.split(":", 1)[1].split())
                    break
    except OSError:
        pass
    cpu = f"{model or platform.machine()} x{cores()}"
    return f"{cpu}{_GPU}{gpu_name()}" if gpu else cpu


def has_gpu(machine: str) -> bool:
    """Whether a machine class is that of timings on a GPU."""
    return _GPU in machine


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))


class MachineLock:
    """A readers-writer lock of all graders of a machine: many compile and test, or one times.

    A gate is locked first and held while waiting for the machine, so that a timing waits only for
    work that has already begun. Locks belong to open files: threads and processes alike exclude
    one another, and the kernel releases those of a killed grader.
    """

    def __init__(
        self,
        processes: Processes,
        folder: Path | None = None,
        *,
        slots: int | None = None,
        say: Callable[[str], None] | None = None,
        patience_s: float = _PATIENCE_S,
    ) -> None:
        """With `slots` at most as many threads of this process work side by side.

        `say` is called once with the process that holds the machine for over `patience_s`.
        """
        self._processes = processes
        self._say = say
        self._patience_s = patience_s
        self._threads = ThreadSlots(processes, slots) if slots else None
        folder = folder or Path(os.environ.get(_OTHER_LOCKS) or _LOCKS)
        self._gate = folder / "grader-machine.gate"
        self._work = folder / "grader-machine.lock"

    @contextmanager
    def shared(self) -> Iterator[None]:
        """For compiling and testing: beside others, never beside a timing."""
        with self._threads.shared() if self._threads else nullcontext(), self._held(fcntl.LOCK_SH):
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """For timing: beside nothing else."""
        with self._threads.alone() if self._threads else nullcontext(), self._held(fcntl.LOCK_EX):
            yield

    @contextmanager
    def _held(self, mode: int) -> Iterator[None]:
        with ExitStack() as work:
            with ExitStack() as gate:
                self._lock(self._gate, _open(self._gate, gate), fcntl.LOCK_EX)
                self._lock(self._work, _open(self._work, work), mode)
            yield

    def _lock(self, path: Path, descriptor: int, mode: int) -> None:
        patient_until = time.monotonic() + self._patience_s
        while True:
            try:
                fcntl.flock(descriptor, mode | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                self._processes.pause(_POLL_S)
            if self._say and time.monotonic() > patient_until:
                self._tell_who_holds(path, descriptor)

    def _tell_who_holds(self, path: Path, descriptor: int) -> None:
        others = sorted(_holders(descriptor) - {os.getpid()})
        say, self._say = self._say, None if others else self._say
        if others and say:
            say(
                f"waiting: process {others[0]}, another grader, has the machine ({path})"
                f"{_what_runs(others[0])}\n"
                "  next: let it end; if it hangs or is stopped, end it"
            )


def _holders(descriptor: int) -> set[int]:
    """The processes that hold a lock on an open file, as far as the kernel tells."""
    inode = str(os.fstat(descriptor).st_ino)
    try:
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        return set()
    # For instance "1: FLOCK  ADVISORY  WRITE 4242 08:01:131090 0 EOF".
    fields = [line.split() for line in lines]
    held = [f for f in fields if f[1] == "FLOCK" and f[5].rpartition(":")[2] == inode]
    return {int(f[4]) for f in held}


def _what_runs(process: int) -> str:
    """Whose process it is and its command; empty where the system does not tell."""
    folder = Path("/proc") / str(process)
    try:
        owner = folder.stat().st_uid
        command = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""
    try:
        user = pwd.getpwuid(owner).pw_name
    except KeyError:
        user = f"user {owner}"
    plain = "".join(c if c.isprintable() else " " for c in command[:_COMMAND_SHOWN])
    return f": {user} runs {' '.join(plain.split())}"


def _open(path: Path, owner: ExitStack) -> int:
    """Another account's grader may have made the file; reading it is enough to lock it."""
    try:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            descriptor = _create(path)
    except OSError as error:
        raise GraderError(
            f"cannot lock the machine with {path}: {error.strerror}", "remove that file"
        ) from error
    owner.callback(os.close, descriptor)
    return descriptor


def _create(path: Path) -> int:
    """Opens a lock that all may read, also where another account makes it at this moment."""
    own = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}")
    descriptor = os.open(own, os.O_RDONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    try:
        os.fchmod(descriptor, 0o644)
        os.link(own, path)
    except FileExistsError:
        os.close(descriptor)
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    finally:
        own.unlink()
    return descriptor
