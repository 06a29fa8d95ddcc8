"""What a report of the race checker or the simulator says, read from its text.

The text is the one that students read, at home and in their feedback, so a picture of it shows
nothing more. The sentences are those of race_words.py and of the simulator's catalogue.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_HEAD = re.compile(r"(?:ThreadSanitizer: |cudasim: (?!warning: ))(\S.*)")
PLACE = r"[\w./+-]+:\d+"


@dataclass(frozen=True)
class Report:
    """A report's first line without the tool's name, and the lines below with their indentation."""

    head: str
    rows: Sequence[str]

    def match(self, pattern: str) -> re.Match[str] | None:
        """The first row that is such a sentence."""
        found = (re.fullmatch(pattern, row.strip()) for row in self.rows)
        return next(filter(None, found), None)


def reports_in(text: str) -> Iterator[Report]:
    """All reports of a text, in its order."""
    head, rows = "", list[str]()
    for line in [*text.splitlines(), ""]:
        if head and line.startswith("  "):
            rows.append(line)
            continue
        if head:
            yield Report(head, rows)
        match = _HEAD.fullmatch(line)
        head, rows = match[1] if match else "", []


class Source:
    """The student's files, where their text is known."""

    def __init__(self, files: Mapping[str, Sequence[str]] | None = None) -> None:
        """Name -> lines."""
        self._files = files or {}

    def line(self, place: str) -> str:
        """The text of `sum.cc:18`, without indentation; empty if it is not known.

        What is not printable, direction overrides included, becomes U+FFFD.
        """
        name, _, number = place.rpartition(":")
        lines = self._files.get(name.rpartition("/")[2], ())
        if not number.isdecimal() or not 0 < int(number) <= len(lines):
            return ""
        text = " ".join(lines[int(number) - 1].split())
        return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
