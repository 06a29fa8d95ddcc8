"""What a published copy knows of itself: .release.json, by which a later release updates it."""

import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from grader.model.errors import GraderError
from grader.model.files import write_text
from grader.people.release.tree import Tree

MANIFEST = ".release.json"


def _inside(name: str) -> str:
    """A file's name must not lead out of the copy: what is not released any more is removed."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or str(path) != name or name == ".":
        raise ValueError(f"not a file's name in this folder: {name!r}")
    return name


_Name = Annotated[str, AfterValidator(_inside)]


class Manifest(BaseModel):
    """The files of a copy, each with the SHA-256 of every text that a release gave it: one, or more
    while an update is under way and where the student's edits were kept."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = 1
    labs: list[str] = []
    stubs: list[_Name] = []
    address: str = ""
    """Where students hand in; empty: nowhere by program."""
    files: dict[_Name, Annotated[str, Field(pattern=r"^[0-9a-f]{64}( [0-9a-f]{64})*$")]] = {}

    def released(self, name: str) -> frozenset[str]:
        """The digests of the texts that releases gave this file."""
        return frozenset(self.files.get(name, "").split())


def digests_of(tree: Tree, also: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """What a manifest says of these files; `also` has further digests of some files."""
    digests = {name: {file.digest} for name, file in tree.items()}
    for name, more in also.items():
        digests.setdefault(name, set()).update(more)
    return {name: " ".join(sorted(digests[name])) for name in sorted(digests) if digests[name]}


def text_of(manifest: Manifest) -> str:
    """A line for each file, so that git merges it."""
    return json.dumps(manifest.model_dump(), indent=1) + "\n"


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a copy; None if the folder has none, GraderError if it is damaged."""
    path = folder / MANIFEST
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise GraderError(f"cannot read {path}: {error.strerror}", "make it readable") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise GraderError(
            f"{path} is damaged: {key}: {first['msg']}",
            "restore it, for example with git; or name another folder",
        ) from error


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replaces the manifest whole."""
    write_text(folder / MANIFEST, text_of(manifest))
