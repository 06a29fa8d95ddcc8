"""A folder for readers that need a path, in memory where the machine has /dev/shm."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path

_MEMORY = Path("/dev/shm")  # noqa: S108 (a folder of our own is made in it)


def scratch_folder() -> Path:
    """A new folder, deleted when the process ends."""
    inside = _MEMORY if _MEMORY.is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=inside))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
