"""Opening an output folder's database, and keeping a second grader out of the folder."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from pathlib import Path

from grader.model.errors import GraderError


def connect(path: Path, create: bool) -> sqlite3.Connection:
    """Reading works from a read-only disk too, where SQLite cannot make its journal's index."""
    read_only = not create and not os.access(path.parent, os.W_OK)
    target = path.absolute().as_uri() + ("?immutable=1" if read_only else "")
    return sqlite3.connect(target, uri=True, isolation_level=None, timeout=10)


def only_grader_in(folder: Path) -> int:
    """Makes the folder and locks it against a second grader; the lock dies with the process."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise GraderError(
            f"cannot write to {folder}: {error.strerror}", "choose another --out"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise GraderError(
            f"another grader is at work in {folder}", "wait for it, or choose another --out"
        ) from error
    return lock
