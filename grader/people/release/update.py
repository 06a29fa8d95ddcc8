"""What an update of a students' copy does to each file: never anything to what a student wrote."""

import enum
import hashlib
import stat
from dataclasses import dataclass
from pathlib import Path

from grader.people.release.manifest import Manifest
from grader.people.release.tree import File, Tree


class Step(enum.StrEnum):
    """What happens to a file."""

    ADDED = "added"
    UPDATED = "updated"
    REMOVED = "removed"
    KEPT = "kept"


@dataclass(frozen=True)
class Change:
    """A file, what happens to it, and why, where that is not plain."""

    name: str
    step: Step
    why: str = ""


def plan(folder: Path, old: Manifest, tree: Tree) -> list[Change]:
    """The changes that make the copy in `folder` the release `tree`; none for equal files.

    A file counts as untouched if it has a text that a release gave it. Only such files are replaced
    or removed.
    """
    changes = [_change(folder, name, file, old) for name, file in sorted(tree.items())]
    changes += [_removal(folder, name, old) for name in sorted(set(old.files) - set(tree))]
    return [change for change in changes if change]


def _change(folder: Path, name: str, file: File, old: Manifest) -> Change | None:
    here = _digest(folder, name)
    if here == file.digest:
        lost = file.executable and not (folder / name).stat().st_mode & stat.S_IXUSR
        return Change(name, Step.UPDATED) if lost else None
    if here is None:
        return Change(name, Step.ADDED)
    if here in old.released(name):
        return Change(name, Step.UPDATED)
    if name not in old.stubs:
        return Change(name, Step.KEPT, "you changed it; the release has another text")
    if file.digest in old.released(name):
        return Change(name, Step.KEPT, "your file")
    return Change(name, Step.KEPT, "your file, but the lab's has changed: read the handout again")


def _removal(folder: Path, name: str, old: Manifest) -> Change | None:
    here = _digest(folder, name)
    if here is None:
        return None
    if here in old.released(name):
        return Change(name, Step.REMOVED)
    return Change(name, Step.KEPT, "you changed it; no release has it any more")


def _digest(folder: Path, name: str) -> str | None:
    """The digest of a file; None if there is nothing, and "" if it is no plain file of this folder,
    such as a link."""
    path = folder
    for part in Path(name).parts:
        path = path / part
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            return None
        if not stat.S_ISDIR(mode):
            break
    is_file = path == folder / name and stat.S_ISREG(mode)
    return hashlib.sha256(path.read_bytes()).hexdigest() if is_file else ""
