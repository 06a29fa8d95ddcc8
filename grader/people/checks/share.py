"""How much of what a test could run it runs.

EXHAUSTIVE_SHARE=2/3: an exhaustive test runs the second third of its items. SAMPLES_AT_MOST=4: four
samples of a lab are graded, always the same; which verdicts are among them differs by lab.
"""

import hashlib
import os
import re
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from grader.model.errors import GraderError

VARIABLE = "EXHAUSTIVE_SHARE"
_SHARE = re.compile(r"(\d+)/(\d+)")

AT_MOST = "SAMPLES_AT_MOST"

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


def some_of_each(
    items: Sequence[_T], kind_of: Callable[[_T], str], first: Sequence[str], turn: str
) -> list[_T]:
    """AT_MOST items, from each kind in turn; all items if it is not set. GraderError if it is
    malformed.

    The kinds of `first` come first; the order of the others follows from `turn`.
    """
    text = os.environ.get(AT_MOST) or str(len(items))
    if not text.isdecimal():
        raise GraderError(f"{AT_MOST}={text} is not a number", f"set {AT_MOST}=4, or leave it out")

    def place(kind: str) -> tuple[int, str]:
        if kind in first:
            return first.index(kind), ""
        return len(first), hashlib.sha256(f"{turn} {kind}".encode()).hexdigest()

    before: Counter[str] = Counter()
    ranks = []
    for item in items:
        kind = kind_of(item)
        ranks.append((before[kind], place(kind)))
        before[kind] += 1
    chosen = sorted(range(len(items)), key=lambda index: ranks[index])[: int(text)]
    return [items[index] for index in sorted(chosen)]
