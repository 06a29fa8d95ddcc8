"""The lines of a student's file that a message names, with a few around each."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.pages.presentation.text import clean

_AROUND = 2
_MOST_LINES = 40
_LONGEST = 160
_TAB = 4


@dataclass(frozen=True)
class Line:
    """A line of the file; `named` where the message names it."""

    number: int
    text: str
    named: bool


Excerpt = list[Line]
"""Lines without a gap."""


class Source:
    """A submitted file; without its text, or beyond its end, there is no excerpt."""

    def __init__(self, file: str, text: str | None) -> None:
        self._place = re.compile(rf"(?<![\w.-]){re.escape(file)}:(\d{{1,7}})(?!\d)")
        self._lines = [] if text is None else text.replace("\r\n", "\n").split("\n")

    def excerpts(self, said: Iterable[str]) -> list[Excerpt]:
        """Around every line that these messages name, in the file's order, 40 lines at most."""
        named = {int(number) for text in said for number in self._place.findall(text)}
        named = {number for number in named if 1 <= number <= len(self._lines)}
        shown = {
            number
            for place in named
            for number in range(place - _AROUND, place + _AROUND + 1)
            if 1 <= number <= len(self._lines)
        }
        kept = sorted(shown)[:_MOST_LINES]
        return list(_runs(Line(n, _shown(self._lines[n - 1]), n in named) for n in kept))


def _shown(line: str) -> str:
    text = clean(line).replace("\n", " ").expandtabs(_TAB).rstrip()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def _runs(lines: Iterable[Line]) -> Iterator[Excerpt]:
    run: Excerpt = []
    for line in lines:
        if run and line.number != run[-1].number + 1:
            yield run
            run = []
        run.append(line)
    if run:
        yield run
