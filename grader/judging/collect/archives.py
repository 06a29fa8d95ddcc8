"""What lies inside the archives that a student handed in, read in memory and within bounds.

Archives are hostile until proven otherwise: a few kilobytes unpack to gigabytes, an archive can
hold itself, and a directory can list a million entries. So depth, number, entries and bytes are
bounded for each student, and nothing is ever extracted.
"""

import bz2
import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from grader.judging.collect.tree import SKIPPED_FOLDERS, Kind, inner_path

INSIDE = "!/"
"""Stands between an archive and what is in it: lab1.zip!/sum.cc."""
MAX_DEPTH = 3
MAX_ARCHIVES = 20
MAX_BYTES = 16 << 20
"""Of one archive, packed or (of a tar file) unpacked, and of all that are read of one student."""
MAX_ENTRIES = 5_000
_ZIP = b"PK\x03\x04"
_PACKED_TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")


@dataclass(frozen=True, slots=True)
class File:
    """One file that was handed in, in a folder or in an archive."""

    path: tuple[str, ...]
    shown: str
    """Its path for people, with the archives that it lies in."""
    kind: Kind
    size: int
    read: Callable[[int], bytes]
    """At most that many bytes and one more; OSError if it cannot be read."""

    @property
    def name(self) -> str:
        return self.path[-1]


@dataclass
class Inside:
    """What was found in archives, and why some could not be looked into."""

    files: list[File]
    unread: list[str]


def is_archive(name: str) -> bool:
    """Whether a name is that of an archive which can be looked into."""
    return name.casefold().endswith((".zip", *_PACKED_TARS))


def look_inside(files: list[File], expected: str) -> Inside:
    """The files in all archives among these, also in those inside archives.

    A file of the expected name may be an archive, too.
    """
    found = Inside([], [])
    pending = [
        (file, 1)
        for file in files
        if is_archive(file.name) or (file.name == expected and _is_zip(file))
    ]
    left = MAX_BYTES
    for count, (archive, depth) in enumerate(pending):  # grows while it is read
        try:
            if depth > MAX_DEPTH:
                raise OSError(f"archives in archives, more than {MAX_DEPTH} deep")
            if count >= MAX_ARCHIVES:
                raise OSError(f"more than {MAX_ARCHIVES} archives")
            data = archive.read(left)
            left -= len(data)
            if left < 0:
                raise OSError(f"archives of more than {MAX_BYTES >> 20} MB")
            for file in _contents(archive, data):
                if not file.name.startswith("._"):  # macOS's copies of attributes
                    found.files.append(file)
                if is_archive(file.name):
                    pending.append((file, depth + 1))
        except OSError as error:
            found.unread.append(f"{archive.shown}: {error}")
        if left < 0:
            break
    return found


def _is_zip(file: File) -> bool:
    try:
        return file.read(len(_ZIP)).startswith(_ZIP)
    except OSError:
        return False


def _contents(archive: File, data: bytes) -> Iterator[File]:
    """Every regular file of an archive; OSError where it is damaged or has too many."""
    try:
        read_all = _of_zip if data.startswith(_ZIP) else _of_tar
        for name, size, read in read_all(data):
            path = inner_path(name)
            if path is None or not path or SKIPPED_FOLDERS.intersection(path):
                continue
            shown = f"{archive.shown}{INSIDE}{'/'.join(path)}"
            yield File(path, shown, Kind.FILE, size, read)
    except OSError:
        raise
    except Exception as error:  # each library has its own ways to say that an archive is damaged
        raise OSError(f"cannot be read: {' '.join(str(error).split())[:200]}") from error


_Member = tuple[str, int, Callable[[int], bytes]]


def _of_zip(data: bytes) -> Iterator[_Member]:
    archive = zipfile.ZipFile(io.BytesIO(data))
    members = archive.infolist()
    if len(members) > MAX_ENTRIES:
        raise OSError(f"{len(members)} entries, limit {MAX_ENTRIES}")
    for member in members:
        if member.is_dir() or stat.S_ISLNK(member.external_attr >> 16):
            continue

        def read(limit: int, member: zipfile.ZipInfo = member) -> bytes:
            try:
                with archive.open(member) as stream:
                    return stream.read(limit + 1)
            except Exception as error:  # encrypted, damaged, an unknown method
                raise OSError(str(error)) from error

        yield member.filename, member.file_size, read


def _of_tar(data: bytes) -> Iterator[_Member]:
    with tarfile.open(fileobj=io.BytesIO(_unpacked(data)), mode="r:") as archive:
        for count, member in enumerate(archive):
            if count >= MAX_ENTRIES:
                raise OSError(f"more than {MAX_ENTRIES} entries")
            stream = archive.extractfile(member) if member.isreg() else None
            if stream is not None:
                content = stream.read()
                yield member.name, len(content), _reader(content)


def _reader(content: bytes) -> Callable[[int], bytes]:
    return lambda limit: content[: limit + 1]


class _Decompressor(Protocol):
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


def _unpacked(data: bytes) -> bytes:
    """A tar file without its compression, bounded."""
    decompressor: _Decompressor
    if data.startswith(b"\x1f\x8b"):
        decompressor = zlib.decompressobj(zlib.MAX_WBITS | 16)
    elif data.startswith(b"BZh"):
        decompressor = bz2.BZ2Decompressor()
    elif data.startswith(b"\xfd7zXZ"):
        decompressor = lzma.LZMADecompressor(memlimit=256 << 20)
    else:
        return data
    content = decompressor.decompress(data, MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise OSError(f"it unpacks to more than {MAX_BYTES >> 20} MB")
    return content
