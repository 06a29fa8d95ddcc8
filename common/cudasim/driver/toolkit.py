"""Folders of an installed CUDA toolkit, whose headers would shadow the simulator's."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from .errors import note

_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")


def is_toolkit(folder: Path) -> bool:
    """True for a toolkit's include folder, also for /usr/include where it is installed there."""
    return (folder / "crt" / "host_defines.h").is_file()


def without_toolkit(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with the toolkit's folders taken out of the compiler's variables."""
    kept = dict(environment)
    for name in _VARIABLES:
        folders = kept.get(name, "").split(os.pathsep)
        own = [folder for folder in folders if not (folder and is_toolkit(Path(folder)))]
        if own != folders:
            note(f"ignored, headers of a CUDA toolkit: {name}={environment[name]}")
            kept[name] = os.pathsep.join(own)
        if kept.get(name) == "":
            del kept[name]  # an empty list means the current folder
    return kept


def toolkit_header(messages: str) -> str:
    """The first header of a toolkit that the compiler's messages name; empty if there is none."""
    for path in re.findall(r"(?:^|from )(/[^\s:]+):\d+", messages, re.MULTILINE):
        if any(is_toolkit(folder) for folder in Path(path).parents):
            return str(path)
    return ""
