"""A small tmpfs that can be filled and made read-only; mounting it takes root."""

import functools
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FILLER = ".filler"
_BLOCK = 4096


class Disk:
    """A mounted disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def fill(self, rest: int) -> None:
        """Leaves about `rest` bytes free."""
        filler = os.open(self._folder / _FILLER, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            while (free := self._free_bytes() - rest) >= _BLOCK:
                try:
                    os.posix_fallocate(filler, os.fstat(filler).st_size, free // _BLOCK * _BLOCK)
                except OSError:  # the grader took some of it meanwhile
                    continue
        finally:
            os.close(filler)

    def free(self) -> None:
        """Removes what `fill` wrote."""
        (self._folder / _FILLER).unlink(missing_ok=True)

    def make_read_only(self) -> None:
        _mount("-o", "remount,ro", str(self._folder))

    def make_writable(self) -> None:
        _mount("-o", "remount,rw", str(self._folder))

    def _free_bytes(self) -> int:
        room = os.statvfs(self._folder)
        return room.f_bavail * room.f_frsize


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Disk]:
    """Mounts it on `folder`, made if it is missing, until the block ends."""
    folder.mkdir(exist_ok=True)
    _mount("-t", "tmpfs", "-o", f"size={size},mode=755", "faults", str(folder))
    try:
        yield Disk(folder)
    finally:
        # Lazily: a process that dies at this moment may still have a file open there.
        subprocess.run(["umount", "--lazy", folder], check=True, timeout=30)


@functools.cache
def why_no_disk() -> str:
    """Why no disk can be mounted here; empty when one can be."""
    if os.geteuid() != 0:
        return "mounting a small disk takes root"
    try:
        with tempfile.TemporaryDirectory() as folder, small_disk(Path(folder), "1m"):
            return ""
    except subprocess.CalledProcessError as error:
        return f"cannot mount a tmpfs: {error.stderr.decode().strip()}"


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True, capture_output=True, timeout=30)
