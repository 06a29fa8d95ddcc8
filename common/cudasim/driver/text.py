"""Rejects sources that are not text, for which g++ would print pages of errors."""

from __future__ import annotations

import re
from pathlib import Path

from .errors import DriverError

_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f\x7f]")


def require_text(path: str) -> None:
    """Raises DriverError if the file is unreadable or not text in an ASCII-based encoding."""
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise DriverError(f"cannot read: {path}: {error.strerror}", "check its rights") from error
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DriverError(f"text in UTF-16: {path}", f"save it as UTF-8: iconv -f UTF-16 {path}")
    found = _CONTROL.search(text)
    if found:
        raise DriverError(
            f"no text: {path}: byte {text[found.start()]:#04x} at offset {found.start()}",
            "name source files; objects and libraries end in .o, .a or .so",
        )
