"""The files of a release, in memory: names relative to its root, contents, executable bits."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class File:
    """One file."""

    data: bytes
    executable: bool = False

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def text(self) -> str | None:
        """None if it is not UTF-8: a picture."""
        try:
            return self.data.decode()
        except UnicodeDecodeError:
            return None

    def write(self, path: Path) -> None:
        """Writes it at its place; the folder must exist."""
        path.write_bytes(self.data)
        if self.executable:  # by whoever may read it
            mode = path.stat().st_mode
            path.chmod(mode | (mode & 0o444) >> 2)


Tree = Mapping[str, File]
"""The files by name, such as labs/README.md."""


def write_tree(tree: Tree, folder: Path) -> None:
    """Writes all files below a folder; OSError if one cannot be written."""
    for name, file in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        file.write(path)
