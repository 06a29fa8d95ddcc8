"""A folder for readers that need a path, in memory where the machine has /dev/shm."""

import atexit
import shutil
import subprocess
import tempfile
from pathlib import Path

_MEMORY = Path("/dev/shm")  # noqa: S108 (a folder of our own is made in it)


def scratch_folder() -> Path:
    """A new folder, deleted when the process ends."""
    inside = _MEMORY if _MEMORY.is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=inside))
    atexit.register(remove_tree, folder)
    return folder


def remove_tree(folder: Path) -> None:
    """Removes a folder however deep its folders are nested: shutil.rmtree recurses."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        subprocess.run(["rm", "-rf", folder], check=True)
