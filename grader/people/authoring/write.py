"""Writes both folders of a new lab, or neither."""

import os
import shutil
import tempfile
from pathlib import Path

from grader.model.errors import GraderError
from grader.people.authoring.names import NewLab
from grader.people.authoring.templates import FOLDERS, lab_files


def write_lab(root: Path, lab: NewLab) -> list[str]:
    """Makes labs/NAME and solutions/NAME in the workspace; returns the paths of their files.

    Both are first written aside and then renamed. GraderError if one exists or cannot be written;
    neither is there then.
    """
    for folder in FOLDERS:
        if not (root / folder).is_dir():
            raise GraderError(
                f"{root} has no folder {folder}: not a workspace with its solutions",
                "run this command in the workspace that has both",
            )
        place = root / folder / lab.name
        if os.path.lexists(place):
            raise GraderError(f"{place} exists", "choose another name, or remove that folder")
    files = lab_files(lab)
    aside: dict[Path, Path] = {}
    try:
        for folder in FOLDERS:
            place = root / folder
            aside[place / lab.name] = Path(tempfile.mkdtemp(prefix=".new-", dir=place))
            _fill(aside[place / lab.name], f"{folder}/{lab.name}/", files)
        _rename(aside)
    except OSError as error:
        places = (place for place, path in aside.items() if Path(error.filename or "") == path)
        raise GraderError(
            f"cannot write {next(places, root / folder / lab.name)}: {error.strerror or error}",
            "make that folder writable, or free some space; then run the same command again",
        ) from error
    finally:
        for folder_aside in aside.values():
            shutil.rmtree(folder_aside, ignore_errors=True)
    return sorted(files)


def _fill(folder: Path, prefix: str, files: dict[str, str]) -> None:
    folder.chmod(0o777 & ~_umask())
    for name, text in files.items():
        if name.startswith(prefix):
            path = folder / name.removeprefix(prefix)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def _rename(aside: dict[Path, Path]) -> None:
    """All or none; an interruption between the two also removes the first."""
    done: list[Path] = []
    try:
        for place, written in aside.items():
            written.rename(place)
            done.append(place)
    except BaseException:
        for place in done:
            shutil.rmtree(place, ignore_errors=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
