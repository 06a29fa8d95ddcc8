"""Atomically written output files, and safe file names for students."""

import contextlib
import errno
import hashlib
import os
import re
import secrets
import shutil
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from grader.model.errors import GraderError

_NEXT_STEPS = {
    errno.ENOSPC: "free some space there, or name another folder",
    errno.EDQUOT: "free some of your quota, or name another folder",
    errno.EROFS: "that disk is read-only: name another folder",
    errno.EACCES: "name a folder that you may write to",
    errno.EPERM: "name a folder that you may write to",
    errno.ENOTDIR: "a file stands where a folder is needed: name another path",
    errno.EEXIST: "a file stands where a folder is needed: name another path",
    errno.EISDIR: "a folder stands where a file is needed: name another path",
    errno.ENAMETOOLONG: "name a shorter path",
}
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?$")
_LOOKS_HASHED = re.compile(r"-[0-9a-f]{12}$")
_LONGEST_NAME = 80


def write_error(path: Path, error: OSError | RuntimeError) -> GraderError:
    """A failed write in the grader's own style: the path, the reason and the next step."""
    reason, number = str(error), 0
    if isinstance(error, OSError):
        reason, number = error.strerror or reason, error.errno or 0
    step = _NEXT_STEPS.get(number, "name another place for it, then run the command again")
    return GraderError(f"cannot write {path}: {reason}", step)


def make_folder(folder: Path) -> Path:
    """Makes a folder and its parents; GraderError if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(folder, error) from error
    return folder


class TextOut:
    """An open file that raises GraderError when a write fails; other errors pass through."""

    def __init__(self, file: IO[str], path: Path) -> None:
        self._file = file
        self._path = path

    def write(self, text: str, /) -> int:
        try:
            return self._file.write(text)
        except OSError as error:
            raise write_error(self._path, error) from error

    def copy_from(self, source: IO[str]) -> None:
        try:
            source.seek(0)
            shutil.copyfileobj(source, self._file)
        except OSError as error:
            raise write_error(self._path, error) from error


@contextlib.contextmanager
def spooling() -> Iterator[tuple[TextOut, IO[str]]]:
    """An unnamed temporary file: its writer, and the file that `copy_from` reads back."""
    folder = Path(tempfile.gettempdir())
    try:
        file = tempfile.TemporaryFile(  # noqa: SIM115 (closed below)
            "w+", encoding="utf-8", errors="replace", newline=""
        )
    except OSError as error:
        raise write_error(folder, error) from error
    try:
        yield TextOut(file, folder), file
    finally:
        _close(file)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[TextOut]:
    """Writes a temporary file and renames it to `path`; on any error the old file stays.

    A device or a pipe (`/dev/stdout`) cannot be replaced and is written to directly.
    Text that UTF-8 cannot encode becomes `?`. Raises GraderError if a write fails.
    """
    try:
        special = path.exists() and not path.is_file() and not path.is_dir()
        target = path if special else path.resolve()
        if not special and target.is_symlink():  # from Python 3.13 on, a loop resolves to itself
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop, before Python 3.13
        raise write_error(path, error) from error
    if not special:
        make_folder(target.parent)
    aside = target if special else target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        file = aside.open("w" if special else "x", encoding="utf-8", errors="replace", newline="")
    except OSError as error:
        raise write_error(path, error) from error
    try:
        yield TextOut(file, path)
        _finish(file, aside, target, path)
    finally:
        _close(file)
        if not special:
            with contextlib.suppress(OSError):
                aside.unlink(missing_ok=True)


def _finish(file: IO[str], aside: Path, target: Path, path: Path) -> None:
    try:
        file.close()
        if aside is not target:
            aside.replace(target)
    except OSError as error:
        raise write_error(path, error) from error


def _close(file: IO[str]) -> None:
    """Ignores errors: after a failed write, closing fails once more."""
    with contextlib.suppress(OSError):
        file.close()


def write_text(path: Path, text: str) -> Path:
    """Writes a small file, as atomically as `replacing`."""
    with replacing(path) as file:
        file.write(text)
    return path


def safe_name(name: str) -> str:
    """A file name for a student, readable, and different for different names.

    Letters, digits, blanks, `.`, `_` and `-` stay. A name that had to change, or that ends like a
    changed one, gets the first 12 hex digits of its SHA-256, so that no name can take the file of
    another. Depends on the name alone: the same student has the same file in every run.
    """
    text = unicodedata.normalize("NFC", name)
    kept = "".join(c if c.isalnum() or c in " ._-" else "_" for c in text).strip(" .").lstrip("-")
    while len(kept.encode()) > _LONGEST_NAME:
        kept = kept[:-1].rstrip(" .")
    if kept == name and kept and not _RESERVED.match(kept) and not _LOOKS_HASHED.search(kept):
        return kept
    return _with_digest(kept or "student", name)


class FileNames:
    """The students' file names in one folder, distinct also on case-insensitive file systems.

    Each is the student's `safe_name`; where two differ only in case, the one requested later gets
    digits of its SHA-256.
    """

    def __init__(self) -> None:
        self._students: dict[str, str] = {}

    def of(self, student: str) -> str:
        """The same for the same student."""
        name = safe_name(student)
        owner = self._students.setdefault(name.casefold(), student)
        return name if owner == student else _with_digest(name, student)


def _with_digest(kept: str, name: str) -> str:
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{kept}-{digest}"
