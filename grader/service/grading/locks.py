"""One service and one grading process to a data folder, by locks that end with their process."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.model.errors import GraderError
from grader.model.files import make_folder

_POLL_S = 0.1


@contextmanager
def only_service_in(data: Path) -> Iterator[None]:
    """GraderError if another service runs there."""
    with _opened(data / ".serve.lock") as lock:
        if not _takes(lock):
            raise GraderError(
                f"another service runs with {data}",
                "end it first, or choose another --data: each service has a folder of its own",
            )
        yield


@contextmanager
def only_grader_in(data: Path, pause: Callable[[float], None]) -> Iterator[None]:
    """Waits until the grading process of a service that was killed has ended, too."""
    with _opened(data / ".grading.lock") as lock:
        while not _takes(lock):
            pause(_POLL_S)
        yield


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    make_folder(path.parent)
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise GraderError(f"cannot write {path}: {error.strerror}", "check --data") from error
    try:
        yield lock
    finally:
        os.close(lock)


def _takes(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
