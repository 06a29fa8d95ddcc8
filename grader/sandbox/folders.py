"""Folders in which submissions are built and run: jailed accounts can enter them, and what a
killed grader left behind is swept by the next one."""

import fcntl
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.model.errors import GraderError
from grader.model.manifest import Kit

_PREFIX = "grader-work-"
_ATTEMPTS = 5


@contextmanager
def work_folder(parent: Path | None = None) -> Iterator[Path]:
    """A fresh folder that every account may enter and only this one may list or write.

    It is locked while in use, so that no other grader sweeps it, and removed at the end.
    """
    try:
        parent = parent or _parent()
        _sweep(parent)
        folder, lock = _make(parent)
    except OSError as error:
        raise _no_room(error) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def stage(kit: Kit, folder: Path) -> Kit:
    """The kit with the files that jails mount copied into `folder`; the rest stays where it is.

    Hidden tests are in the checker, which no jail mounts. The reference is copied for its own
    jail, under a name that other accounts of the machine cannot guess.
    """
    staged = folder / secrets.token_hex(16)
    try:
        shutil.copytree(kit.public, staged / kit.public.name, copy_function=shutil.copyfile)
        for reference in (kit.reference(), kit.reference(gpu=True)):
            if reference.exists():
                shutil.copyfile(reference, staged / reference.name)
        for path in (staged, *staged.rglob("*")):
            path.chmod(0o755)
    except (OSError, shutil.Error) as error:
        raise _no_room(error) from error
    return kit.model_copy(update={"staged": staged})


def _make(parent: Path) -> tuple[Path, int]:
    for _ in range(_ATTEMPTS):
        folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getuid()}-", dir=parent))
        lock = _locked(folder)
        if lock is not None:
            folder.chmod(0o711)
            return folder, lock
    raise OSError(f"cannot lock a folder in {parent}")


def _locked(folder: Path) -> int | None:
    """A descriptor that holds the folder's lock; None when its owner lives, or it is gone."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Between opening and locking a sweeper may have removed it.
        if os.fstat(lock).st_ino == folder.stat().st_ino:
            return lock
    except OSError:
        pass
    os.close(lock)
    return None


def _sweep(parent: Path) -> None:
    """Removes this account's folders whose graders are dead."""
    for folder in parent.glob(f"{_PREFIX}{os.getuid()}-*"):
        lock = _locked(folder)
        if lock is None:
            continue
        try:
            if os.fstat(lock).st_uid == os.getuid():
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)


def _parent() -> Path:
    """The folder for temporary files, or another if jailed accounts cannot enter that one."""
    chosen = Path(tempfile.gettempdir()).resolve()
    for folder in (chosen, Path("/tmp"), Path("/var/tmp")):  # noqa: S108 - mkdtemp makes names
        if os.geteuid() != 0 or _all_may_enter(folder):
            return folder
    return chosen


def _all_may_enter(folder: Path) -> bool:
    try:
        return all(path.stat().st_mode & stat.S_IXOTH for path in (folder, *folder.parents))
    except OSError:
        return False


def _no_room(error: Exception) -> GraderError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    name = f": {error.filename}" if isinstance(error, OSError) and error.filename else ""
    return GraderError(
        f"cannot make a working folder{name}: {reason}", "free some space in /tmp, or set TMPDIR"
    )
