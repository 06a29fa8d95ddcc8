"""Edge coverage between lines of Python, for code below given folders.

Uses sys.settrace, which all of Python 3.11 to 3.14 have.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

Edge = tuple[int, int]


class Coverage:
    """Counts edges between lines. Only one may run at a time in a process."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._prefixes = tuple(f"{folder}/" for folder in folders)
        self._numbers: dict[CodeType, int] = {}
        """Offset of a code object's line numbers; 0 for code that does not count."""
        self._edges: dict[Edge, int] = {}
        self._latest = 0

    def run(self, call: Callable[[], None]) -> dict[Edge, int]:
        """How often the call took each edge; its exceptions pass through."""
        edges: dict[Edge, int] = {}
        self._edges = edges
        self._latest = 0
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            call()
        finally:
            sys.settrace(before)
        return edges

    @property
    def edges(self) -> dict[Edge, int]:
        """Edges of the latest run, even if it raised."""
        return self._edges

    def _number(self, code: CodeType) -> int:
        number = self._numbers.get(code)
        if number is None:
            counts = code.co_filename.startswith(self._prefixes)
            number = len(self._numbers) + 1 << 20 if counts else 0
            self._numbers[code] = number
        return number

    def _enter(self, frame: FrameType, _event: str, _arg: object) -> Any:  # noqa: ANN401
        return self._line if self._number(frame.f_code) else None

    def _line(self, frame: FrameType, event: str, _arg: object) -> Any:  # noqa: ANN401
        if event == "line":
            here = self._numbers[frame.f_code] + frame.f_lineno
            edge = (self._latest, here)
            self._edges[edge] = self._edges.get(edge, 0) + 1
            self._latest = here
        return self._line
