"""Submissions made of texts that the store keeps."""

from pathlib import Path

from grader.judging.collect.submission import Submission
from grader.judging.collect.tree import Entry, FolderTree, Kind
from grader.model.result import Result


def kept_submission(stored: Result, file: str, text: bytes, folder: Path) -> Submission:
    """The submission of a stored result, as `file` in a folder that is made for it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(text)
    entry = Entry((file,), Kind.FILE, len(text))
    digest = stored.key.submission
    return Submission(stored.student, stored.source, digest, None, FolderTree(folder), entry)
