"""The driver's installation folder: flags, headers, rewriter and runtimes."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from .errors import DriverError


@dataclass(frozen=True)
class Flags:
    """The flags of flags.bzl when the folder was built."""

    preprocess: list[str]
    define: dict[str, list[str]]  # by mode
    compile: dict[str, list[str]]  # by mode
    link: list[str]
    libraries: list[str]
    runtimes: dict[str, list[str]]  # by mode: the files of the simulator's libraries
    x86_64: dict[str, list[str]]  # by mode: further flags for that processor


@dataclass(frozen=True)
class Toolchain:
    """The folder root/{bin,lib,include}, and the compiler."""

    root: Path
    compiler: str
    flags: Flags

    @property
    def include(self) -> Path:
        return self.root / "include"

    @property
    def rewriter(self) -> Path:
        return self.root / "lib" / "rewrite"

    @property
    def compile(self) -> Path:
        """The program that runs the compiler on rewritten text."""
        return self.root / "lib" / "compile"

    def archives(self, mode: str) -> list[Path]:
        """The runtime of one mode. Raises DriverError if the folder lacks some of it."""
        paths = [self.root / "lib" / name for name in self.flags.runtimes[mode]]
        for path in paths:
            if not path.is_file():
                raise DriverError(
                    f"no runtime for -{mode}: {path}", "build or copy the folder anew"
                )
        return paths


def _find_compiler() -> str:
    wanted = os.environ.get("CXX", "")
    found = shutil.which(wanted) if wanted else None
    found = found or shutil.which("g++-12") or shutil.which("g++")
    if not found:
        raise DriverError("no C++ compiler: looked for CXX, g++-12, g++", "install g++ 12 or later")
    return found


def find_toolchain(root: Path) -> Toolchain:
    """Reads the folder's flags. Raises DriverError if something is missing."""
    path = root / "lib" / "flags.json"
    try:
        flags = Flags(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise DriverError(
            f"the simulator's folder is not complete: {error}", "build or copy the folder anew"
        ) from error
    return Toolchain(root, _find_compiler(), flags)
