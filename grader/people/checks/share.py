"""EXHAUSTIVE_SHARE=2/3: an exhaustive test runs the second third of its items."""

import os
import re
import zlib
from collections.abc import Callable, Sequence
from typing import TypeVar

from grader.model.errors import GraderError

VARIABLE = "EXHAUSTIVE_SHARE"
_SHARE = re.compile(r"(\d+)/(\d+)")

_T = TypeVar("_T")


def share_of(items: Sequence[_T], name_of: Callable[[_T], str]) -> list[_T]:
    """The items of this run's share; all items if the variable is not set.

    An item's share depends on its name alone, so that a new item moves no other one. GraderError
    if the variable is malformed.
    """
    text = os.environ.get(VARIABLE, "1/1")
    match = _SHARE.fullmatch(text)
    number, shares = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= number <= shares:
        raise GraderError(f"{VARIABLE}={text} is not a share", f"set {VARIABLE}=1/64 up to 64/64")
    return [item for item in items if zlib.crc32(name_of(item).encode()) % shares == number - 1]
