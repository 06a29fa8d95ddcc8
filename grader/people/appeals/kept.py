"""What a store keeps of the past, made usable again: texts as submissions, facts of kits."""

import json
from pathlib import Path

from grader.judging.collect.submission import Submission
from grader.judging.collect.tree import Entry, FolderTree, Kind
from grader.judging.store import Store
from grader.model.lab import Lab, parse_lab
from grader.model.result import Result


def kept_submission(stored: Result, file: str, text: bytes, folder: Path) -> Submission:
    """The submission of a stored result, as `file` in a folder that is made for it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(text)
    entry = Entry((file,), Kind.FILE, len(text))
    digest = stored.key.submission
    return Submission(stored.student, stored.source, digest, None, FolderTree(folder), entry)


def lab_of(store: Store, kit: str) -> Lab:
    """The lab as a kit has it; that of the last grading where the kit is not kept."""
    data = _kit_file(store, kit, "lab.toml")
    return parse_lab(data, Path("lab.toml")) if data else store.lab()[1]


def compilers_of(store: Store, kit: str) -> dict[str, str]:
    """Compiler -> version, as the kit was built; empty where the kit is not kept."""
    data = _kit_file(store, kit, "manifest.json")
    versions = json.loads(data).get("versions", {}) if data else {}
    return {str(name): str(version) for name, version in versions.items()}


def _kit_file(store: Store, kit: str, place: str) -> bytes | None:
    digest = store.archive.kit_files(kit).get(place)
    return store.archive.content(digest) if digest else None
