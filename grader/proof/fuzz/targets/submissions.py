"""Importers of submissions: archives, folders, file names and Gradescope's metadata."""

import contextlib
import functools
import os
import zipfile
from pathlib import Path

from grader.judging.collect import collect
from grader.model.errors import GraderError
from grader.model.files import FileNames
from grader.proof.fuzz.target import Target
from grader.proof.fuzz.targets.scratch import remove_tree, scratch_folder

_EXPECTED = "sum.cc"
_LAB = "sum"
_LIMIT = 64 << 10
_LONGEST_FILE_NAME = 255
_LONGEST_STORED_NAME = (1 << 16) - 1  # in an archive
_MOST_LINES = 60

scratch = functools.cache(scratch_folder)


def _collect(path: Path) -> None:
    """Asserts one submission per student, in order, with a file or a problem."""
    found = collect(path, _EXPECTED, _LAB, _LIMIT)
    students = [submission.student for submission in found.submissions]
    assert students == sorted(set(students))
    names = FileNames()
    files = {f"{names.of(student)}.md" for student in students}
    assert len({name.casefold() for name in files}) == len(students)
    assert all("/" not in name and len(name.encode()) <= _LONGEST_FILE_NAME for name in files)
    for submission in found.submissions:
        assert submission.student.isprintable()
        assert submission.source.isprintable()
        if submission.problem is None:
            assert submission.entry
            assert ".." not in submission.entry.parts
            assert len(submission.read()) <= _LIMIT


def _archive(data: bytes) -> None:
    """The bytes of a zip archive."""
    path = scratch() / "class.zip"
    path.write_bytes(data)
    _collect(path)


def _lines(data: bytes) -> list[tuple[str, bytes]]:
    """Lines of NAME or NAME, tab, CONTENT; a content that begins with -> is a link's target."""
    pairs = (line.partition(b"\t") for line in data.split(b"\n")[:_MOST_LINES])
    return [(name.decode("utf-8", "surrogateescape"), content) for name, _, content in pairs]


def _names(data: bytes) -> None:
    """Names in an archive, whole and well formed."""
    path = scratch() / "names.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in _lines(data):
            stored = name.encode("utf-8", "replace")[:_LONGEST_STORED_NAME]
            info = zipfile.ZipInfo(stored.decode("utf-8", "ignore"))
            info.external_attr = (0o120777 if content.startswith(b"->") else 0o100644) << 16
            archive.writestr(info, content)
    _collect(path)


def _folder(data: bytes) -> None:
    """Names on disk, where the disk allows them."""
    root = scratch() / "class"
    root.mkdir()
    try:
        for name, content in _lines(data)[:40]:
            parts = [part for part in name.split("/") if part not in ("", ".", "..")]
            if parts and b"\0" not in content and "\0" not in name:
                with contextlib.suppress(OSError):
                    _make(root, parts, content)
        _collect(root)
    finally:
        remove_tree(root)


def _make(root: Path, parts: list[str], content: bytes) -> None:
    """Never follows a link that was made before: it may lead to a file of this machine."""
    path = root
    for part in parts[:-1]:
        path /= part
        if path.is_symlink():
            return
        path.mkdir(exist_ok=True)
    path /= parts[-1]
    if content.startswith(b"->"):
        path.symlink_to(os.fsdecode(content[2:]) or ".")
    elif content.startswith(b"|"):
        os.mkfifo(path)
    else:
        with path.open("xb") as file:  # opens no pipe, which would block, and no link
            file.write(content)


def _metadata(data: bytes) -> None:
    """Gradescope's submission_metadata.yml beside three students' folders."""
    path = scratch() / "gradescope.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("submission_metadata.yml", data)
        for number in (1, 2, 3):
            archive.writestr(f"submission_{number}/{_EXPECTED}", b"int main() {}\n")
    _collect(path)


TARGETS = [
    Target("submission_archive", _archive, (GraderError,)),
    Target("submission_names", _names, (GraderError,)),
    Target(
        "submission_folder", _folder, (GraderError,), "submission_names", longest=1024, huge=4096
    ),
    Target("gradescope_metadata", _metadata, (GraderError,)),
]
