"""Publishes a release: a new folder whole or not at all, or an update that keeps students' work."""

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from grader.model.errors import GraderError
from grader.model.files import make_folder, write_error
from grader.people.release.manifest import (
    MANIFEST,
    Manifest,
    digests_of,
    read_manifest,
    write_manifest,
)
from grader.people.release.tree import Tree, write_tree
from grader.people.release.update import Change, Step, plan

_PART = ".release.part"
_GIT = ".git"


def check_place(out: Path, root: Path) -> Manifest | None:
    """The manifest of the copy that is there; None if there is none yet.

    GraderError unless `out` is outside the workspace `root` and is missing, empty, a repository
    without files, or a copy.
    """
    place = _resolved(out)
    if place == root or root in place.parents:
        raise GraderError(
            f"{out} is inside the workspace {root}",
            "name a folder outside: Bazel would take the copy for a part of the workspace",
        )
    if os.path.lexists(place) and not place.is_dir():
        raise GraderError(f"{out} is a file", "name a folder")
    _require_writable(place, out)
    manifest = read_manifest(place)
    if manifest is None and _entries(place):
        raise GraderError(
            f"{out} is neither empty nor a students' copy: it has no {MANIFEST}",
            "name another folder, or an empty one",
        )
    return manifest


def publish(
    tree: Tree, labs: list[str], stubs: list[str], out: Path, address: str = ""
) -> list[Change]:
    """Writes the copy to `out`, or updates the one that is there; returns what it did.

    Whoever kills it finds a new folder whole or missing. An update that was killed or failed is
    finished by the next one. GraderError if something cannot be written.
    """
    place = _resolved(out)
    make_folder(place.parent)
    files = digests_of(tree, {})
    final = Manifest(labs=labs, stubs=sorted(stubs), address=address, files=files)
    old = read_manifest(place)
    if old is None and not (place.is_dir() and any(place.iterdir())):
        return _create(tree, final, place)
    with _locked(place):
        return _update(tree, final, read_manifest(place) or Manifest(), place)


def _create(tree: Tree, manifest: Manifest, place: Path) -> list[Change]:
    part = place.parent / f".{place.name}{_PART}"
    make_folder(part)
    with _locked(part):
        try:
            _empty(part)
            write_tree(tree, part)
            write_manifest(part, manifest)
            part.rename(place)
        except OSError as error:
            raise write_error(place, error) from error
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return [Change(name, Step.ADDED) for name in tree]


def _update(tree: Tree, final: Manifest, old: Manifest, place: Path) -> list[Change]:
    changes = plan(place, old, tree)
    before = {name: old.released(name) for name in old.files}
    kept = {change.name for change in changes if change.step is Step.KEPT and change.name in tree}
    part = place / _PART
    try:
        if any(change.step is not Step.KEPT for change in changes):
            # Until the end both the old and the new text of a file count as released.
            write_manifest(place, _with_files(final, digests_of(tree, before)))
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        for change in changes:
            _apply(change, tree, place, part)
        done = {name: before[name] for name in kept if name in before}
        write_manifest(place, _with_files(final, digests_of(tree, done)))
    except OSError as error:
        raise write_error(place, error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return changes


def _with_files(manifest: Manifest, files: dict[str, str]) -> Manifest:
    return manifest.model_copy(update={"files": files})


def _apply(change: Change, tree: Tree, place: Path, part: Path) -> None:
    path = place / change.name
    if change.step in (Step.ADDED, Step.UPDATED):
        aside = part / "file"
        tree[change.name].write(aside)
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.replace(path)
    elif change.step is Step.REMOVED:
        path.unlink()
        for folder in path.relative_to(place).parents[:-1]:
            with contextlib.suppress(OSError):  # not empty: there are files of the student's
                (place / folder).rmdir()


def _require_writable(place: Path, out: Path) -> None:
    """Says so before minutes of proof; a new folder is made beside its place."""
    there = place if (place / MANIFEST).exists() else place.parent
    while not os.path.lexists(there):
        there = there.parent
    if not there.is_dir():
        raise GraderError(f"{out}: {there} is a file", "name a folder whose parents are folders")
    if not os.access(there, os.W_OK | os.X_OK):
        raise GraderError(f"cannot write to {there}", "name a folder that you may write to")


def _resolved(out: Path) -> Path:
    try:
        return out.resolve()
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, before Python 3.13
        raise write_error(out, error) from error


def _entries(place: Path) -> list[str]:
    """What is in the folder, but for a repository."""
    try:
        return [path.name for path in place.iterdir() if path.name != _GIT]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise GraderError(f"cannot read {place}: {error.strerror}", "make it readable") from error


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps other releases out of the folder."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise write_error(folder, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise GraderError(
            f"another release is writing to {folder}",
            "wait for its end, then run the command again",
        ) from error
    except OSError as error:
        os.close(descriptor)
        raise write_error(folder, error) from error
    try:
        yield
    finally:
        os.close(descriptor)
