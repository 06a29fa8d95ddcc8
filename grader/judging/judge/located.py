"""Sections of a sanitizer's report, located in the student's file.

The report comes from the submission's own process, which could forge it. So none of its text is
passed on: known sentences are recognised, and only the numbers of threads, mutexes and instructions
are taken from them. Names and lines are looked up in the library that was built.
"""

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from common.lab.race_checker.race_words import Sentence
from grader.judging.judge.context import GradingContext
from grader.judging.judge.symbolizer import run_symbolizer
from grader.sandbox.run_checker import LIBRARY

MAX_SECTIONS = 12
MAX_FRAMES = 40
FRAME = re.compile(rf" +#\d+ .*\(/?{re.escape(LIBRARY)}\+0x([0-9a-f]{{1,16}})\)")


@dataclass(frozen=True)
class Section:
    """One sentence of a report and the stack below it."""

    said: Sentence
    code: tuple[int, ...] = ()
    """Offsets in the library of its frames' instructions, innermost first."""
    data: int | None = None
    """Offset in the library of the variable that the sentence names."""


@dataclass(frozen=True)
class Frame:
    """A function of the student's file, and the line in it."""

    function: str
    line: int


@dataclass(frozen=True)
class Names:
    """The student's functions and variables at a library's offsets."""

    code: Mapping[int, Sequence[Frame]]
    """Frames with inlined functions, innermost first."""
    data: Mapping[int, str]

    def frames(self, section: Section) -> list[Frame]:
        """The frames of a section's stack, innermost first."""
        return [frame for offset in section.code for frame in self.code.get(offset, [])]


@dataclass(frozen=True)
class Located:
    """Where a report's cases are told: the student's file, and who knows its offsets."""

    file: str
    source: str
    look_up: Callable[[Sequence[Section]], Names]


def located(context: GradingContext, symbolizer: str, library: Path, folder: Path) -> Located:
    """Asks the symbolizer about the library's offsets."""
    file = context.kit.manifest.file
    options = ["--output-style=JSON", "--obj"]

    def look_up(sections: Sequence[Section]) -> Names:
        asked = questions(sections)
        said = run_symbolizer(context, symbolizer, options, library, asked, folder) if asked else ""
        return read_names(said, file)

    source = (folder / "submission" / file).read_text("utf-8", "replace")
    return Located(file, source, look_up)


def with_frame(section: Section, line: str) -> Section | None:
    """The section with one more frame of its stack; None if the line is none of the library's."""
    frame = FRAME.match(line)
    if frame is None or len(section.code) >= MAX_FRAMES:
        return None
    return replace(section, code=(*section.code, int(frame[1], 16)))


def questions(sections: Iterable[Section]) -> list[str]:
    """The lines to pass to llvm-symbolizer about the library."""
    sections = list(sections)
    code = dict.fromkeys(offset for section in sections for offset in section.code)
    data = dict.fromkeys(s.data for s in sections if s.data is not None)
    return [*(f"CODE {offset:#x}" for offset in code), *(f"DATA {offset:#x}" for offset in data)]


def read_names(said: str, file: str) -> Names:
    """Parses llvm-symbolizer's JSON output; unreadable entries are left out."""
    try:
        answers = json.loads(said)
    except (ValueError, RecursionError):
        answers = []
    code: dict[int, list[Frame]] = {}
    data: dict[int, str] = {}
    for answer in answers if isinstance(answers, list) else []:
        with contextlib.suppress(LookupError, TypeError, ValueError, AttributeError, OverflowError):
            offset = int(str(answer["Address"]), 16)
            if name := str(answer.get("Data", {}).get("Name", "")):
                data[offset] = name
            code[offset] = [
                Frame(str(symbol["FunctionName"]), int(symbol["Line"]))
                for symbol in answer.get("Symbol", [])
                if symbol.get("FileName") == f"/submission/{file}" and symbol.get("Line")
            ]
    return Names(code, data)


def line_of(section: Section, names: Names) -> int | None:
    """The innermost line of the student's file in a section's stack."""
    return next((frame.line for frame in names.frames(section)), None)


def place_of(section: Section, names: Names, file: str) -> str:
    """`sum.cc:18`; empty if no line is known."""
    line = line_of(section, names)
    return f"{file}:{line}" if line else ""


def rows_of(sections: Sequence[Section], names: Names, file: str) -> list[str]:
    """Each sentence with its stack in the student's file; leaves out those that say nothing."""
    rows = []
    for section in sections:
        frames = names.frames(section)
        variable = names.data.get(section.data) if section.data is not None else None
        if frames or variable or section.said.stands_alone:
            rows.append(f"  {section.said.text}{f' {variable}' if variable else ''}")
            rows += [f"    {frame.function} at {file}:{frame.line}" for frame in frames]
    return rows
