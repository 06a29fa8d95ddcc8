"""Lines of the student's file for addresses of the program."""

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from common.timeline.record import Record

_ATOMIC = re.compile(r"/(bits/atomic_\w+\.h|atomic|atomic\.h|relax\.h)$")
_ADDRESS = re.compile("0x[0-9a-f]+$")


@dataclass(frozen=True)
class Frame:
    """A line, innermost first where functions are inlined."""

    file: str
    line: int


@dataclass
class Places:
    """The lines of a program's addresses, and the text of its source."""

    program: Path
    source: Path
    symbolizer: str = ""
    frames: dict[int, list[Frame]] = field(default_factory=dict)

    @cached_property
    def text(self) -> list[str]:
        """The lines of the source; line 1 is the first."""
        text = self.source.read_text(encoding="utf-8", errors="replace")
        return text.removesuffix("\n").split("\n")

    def look_up(self, *records: Record) -> None:
        """Finds the lines of all addresses of the records at once."""
        unknown = sorted({a for record in records for a in _addresses(record)} - self.frames.keys())
        for start in range(0, len(unknown), 2000):
            self.frames |= _symbolized(self.program, self.symbolizer, unknown[start : start + 2000])

    def line(self, place: Iterable[int], *, is_sample: bool = False) -> int:
        """The innermost line of the source; 0 if none is known."""
        for frame in self._frames(place, is_sample):
            if frame.file.endswith("/" + self.source.name) or frame.file == self.source.name:
                return frame.line
        return 0

    def is_atomic(self, place: tuple[int, ...]) -> bool:
        """Whether a sample is in an operation of an atomic variable that the source asks for."""
        for frame in self._frames(place, True):
            if _ATOMIC.search(frame.file):
                return True
            if frame.file.endswith("/" + self.source.name):
                return False
        return False

    def at(self, line: int) -> str:
        """sum.cc:12."""
        return f"{self.source.name}:{line}" if line else f"outside of {self.source.name}"

    def _frames(self, place: Iterable[int], is_sample: bool) -> Iterator[Frame]:
        for number, address in enumerate(place):
            called = address if is_sample and number == 0 else address - 1
            yield from self.frames.get(called, ())


def _addresses(record: Record) -> Iterator[int]:
    for thread in record.threads:
        for _, place in thread.samples:
            yield from place[:1]
            yield from (address - 1 for address in place[1:] if address)
        for interval in thread.intervals:
            yield from (address - 1 for address in interval.place if address)
            if interval.waker is not None and interval.waker.frame:
                yield interval.waker.frame - 1


def _symbolized(program: Path, symbolizer: str, addresses: list[int]) -> dict[int, list[Frame]]:
    """By LLVM's symbolizer, or by the one of GNU, which cannot read all that clang writes."""
    is_llvm = bool(symbolizer)
    command = [symbolizer, "--output-style=GNU", "-f=none"] if is_llvm else ["addr2line"]
    asked = "".join(f"{address:#x}\n" for address in addresses)
    run = subprocess.run(
        [*command, "-a", "-i", "-e", str(program)],
        input=asked,
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[int, list[Frame]] = {}
    for text in run.stdout.splitlines():
        if _ADDRESS.match(text):
            frames = found.setdefault(int(text, 16), [])
            continue
        file, _, rest = text.partition(" (")[0].rpartition(":")
        frames.append(Frame(file, int(rest) if rest.isdigit() else 0))
    return found
