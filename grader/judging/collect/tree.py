"""A common interface to folders and zip archives, which never extracts files or follows links."""

import os
import stat
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Protocol

from grader.model.errors import GraderError

MAX_ENTRIES = 200_000
MAX_DEPTH = 64
"""Maximum depth of folders in an archive: a name of 64 KB could create 32 000 nested ones."""
_LONGEST_NOTE = 200
SKIPPED_FOLDERS = frozenset({".git", "__MACOSX", ".svn", ".hg"})


class Kind(Enum):
    """The type of an entry, without following links."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "symbolic link"
    OTHER = "special file"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a tree; `parts` is its path from the tree's root."""

    parts: tuple[str, ...]
    kind: Kind
    size: int = 0
    member: zipfile.ZipInfo | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> str:
        return self.parts[-1]

    @property
    def path(self) -> str:
        return "/".join(self.parts)


class Tree(Protocol):
    """A folder or an archive."""

    root: Path
    notes: list[str]

    def children(self, folder: tuple[str, ...]) -> list[Entry]:
        """The entries of one folder, sorted by name; OSError if it cannot be listed."""

    def read(self, entry: Entry, limit: int) -> bytes:
        """At most limit + 1 bytes of a file, so that the caller can detect a larger one."""


class FolderTree:
    """A folder on disk. Symbolic links are listed as links and never followed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.notes: list[str] = []

    def children(self, folder: tuple[str, ...]) -> list[Entry]:
        with os.scandir(self.root.joinpath(*folder)) as entries:
            return sorted((_from_disk(folder, entry) for entry in entries), key=lambda e: e.name)

    def read(self, entry: Entry, limit: int) -> bytes:
        path = self.root.joinpath(*entry.parts)
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(f"{path} is no longer a regular file")
            return stream.read(limit + 1)


def _from_disk(folder: tuple[str, ...], entry: os.DirEntry[str]) -> Entry:
    parts = (*folder, entry.name)
    if entry.is_symlink():
        return Entry(parts, Kind.LINK)
    if entry.is_dir(follow_symlinks=False):
        return Entry(parts, Kind.FOLDER)
    if entry.is_file(follow_symlinks=False):
        return Entry(parts, Kind.FILE, entry.stat(follow_symlinks=False).st_size)
    return Entry(parts, Kind.OTHER)


class ZipTree:
    """A zip archive, read member by member; the sizes that it states are not trusted."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.notes: list[str] = []
        self._lock = threading.Lock()
        self._folders: dict[tuple[str, ...], list[Entry]] = {(): []}
        try:
            self._archive = zipfile.ZipFile(root)
        except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
            raise GraderError(
                f"{root} is not a readable zip archive: {error}", "download it again"
            ) from error
        members = self._archive.infolist()
        if len(members) > MAX_ENTRIES:
            raise GraderError(
                f"{root}: {len(members)} entries, limit {MAX_ENTRIES}", "split the archive"
            )
        for member in members:
            self._add(member)

    def _add(self, member: zipfile.ZipInfo) -> None:
        parts = inner_path(member.filename)
        if parts is None:
            self._ignore(member, "an unsafe path")
            return
        if len(parts) > MAX_DEPTH:
            self._ignore(member, f"a path deeper than {MAX_DEPTH} folders")
            self._make_folder(parts[:MAX_DEPTH])  # keeps the student in the class
            return
        if not parts:
            return
        if member.is_dir() or member.filename.endswith("\\"):
            self._make_folder(parts)
            return
        self._make_folder(parts[:-1])
        mode = member.external_attr >> 16
        kind = Kind.LINK if stat.S_ISLNK(mode) else Kind.FILE
        self._folders[parts[:-1]].append(Entry(parts, kind, member.file_size, member))

    def _ignore(self, member: zipfile.ZipInfo, reason: str) -> None:
        name = member.filename
        shown = name if len(name) <= _LONGEST_NOTE else f"{name[:_LONGEST_NOTE]}…"
        self.notes.append(f"ignored an entry with {reason}: {shown!r}")

    def _make_folder(self, parts: tuple[str, ...]) -> None:
        for depth in range(1, len(parts) + 1):
            folder = parts[:depth]
            if folder not in self._folders:
                if len(self._folders) > MAX_ENTRIES:
                    raise GraderError(
                        f"{self.root}: more than {MAX_ENTRIES} folders", "split the archive"
                    )
                self._folders[folder] = []
                self._folders[folder[:-1]].append(Entry(folder, Kind.FOLDER))

    def children(self, folder: tuple[str, ...]) -> list[Entry]:
        return sorted(self._folders.get(folder, []), key=lambda entry: entry.name)

    def read(self, entry: Entry, limit: int) -> bytes:
        assert entry.member is not None
        try:
            with self._lock, self._archive.open(entry.member) as stream:
                return stream.read(limit + 1)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError) as error:
            raise OSError(f"{self.root}: {entry.path}: {error}") from error
        except Exception as error:  # zlib.error, lzma.LZMAError, EOFError: a damaged member
            raise OSError(f"{self.root}: {entry.path}: damaged: {error}") from error


class OneText:
    """A file that was found in an archive in an archive, kept in memory."""

    def __init__(self, root: Path, data: bytes) -> None:
        self.root = root
        self.notes: list[str] = []
        self._data = data

    def children(self, _folder: tuple[str, ...]) -> list[Entry]:
        return []

    def read(self, _entry: Entry, limit: int) -> bytes:
        return self._data[: limit + 1]


def inner_path(name: str) -> tuple[str, ...] | None:
    """The parts of a path in an archive, which Windows may have made; None if it leads outside."""
    name = name.replace("\\", "/")
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    return None if name.startswith("/") or ".." in parts else parts


def open_tree(path: Path) -> Tree:
    """GraderError if there is no such folder or archive, or it cannot be read."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise GraderError(
            f"cannot open {path}: {error.strerror}", "check the path given with --submissions"
        ) from error
    if stat.S_ISDIR(mode):
        return FolderTree(path)
    if stat.S_ISREG(mode):
        return ZipTree(path)
    raise GraderError(f"{path} is neither a folder nor a zip archive", "check --submissions")


def walk(tree: Tree, folder: tuple[str, ...], limit: int = MAX_ENTRIES) -> Iterator[Entry]:
    """Every non-folder entry below a folder; OSError if there are more than `limit` entries."""
    pending = [folder]
    seen = 0
    while pending:
        for entry in tree.children(pending.pop()):
            seen += 1
            if seen > limit:
                raise OSError(f"more than {limit} files")
            if entry.kind is not Kind.FOLDER:
                yield entry
            elif entry.name not in SKIPPED_FOLDERS and not entry.name.startswith("bazel-"):
                pending.append(entry.parts)
