"""tsan_summary FILE [time_limit|crash|wrong_answer]: reports in ten lines, as the grader's.

FILE has a report of ThreadSanitizer or, behind a test that ended so, those of its pauses. Keeps
what each stack has of the student's file, the locks that were held, and where the memory is from.
Ends with 1, and prints nothing, if none of that has a line in that file. Needs no packages.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from common.lab.race_checker import race_words
from common.lab.race_checker.race_notes import notes

# A frame: its function, its file in the workspace and its line.
_FRAME = re.compile(r" +#\d+ (.*) ([^\s:]+):(\d+)(?::\d+)? \(.*")
_OTHERS = re.compile(r"/|common/|external/|.*(/\.\./|_test\.cc$|\.h$)")
_VARIABLE = re.compile(r"  Location is global '(?!\?\?)([^']*)' ")
_ANY_EXTENT = ", 18446744073709551615ul>"


@dataclass(frozen=True)
class _Frame:
    function: str
    file: str
    line: int

    @property
    def place(self) -> str:
        return f"{Path(self.file).name}:{self.line}"


@dataclass
class _Section:
    said: race_words.Sentence
    variable: str = ""
    frames: list[_Frame] = field(default_factory=list)
    """The student's, innermost first."""

    @property
    def place(self) -> str:
        """`sum.cc:18`; empty if no line is known."""
        return self.frames[0].place if self.frames else ""

    def rows(self) -> Iterator[str]:
        if self.frames or self.variable or self.said.stands_alone:
            yield f"  {self.said.text} {self.variable}".rstrip()
            yield from (f"    {frame.function} at {frame.place}" for frame in self.frames)


def summary(text: str) -> str:
    """The first report of a text; empty if it has no line of the student's file."""
    lines = iter(text.splitlines())
    kind = next(filter(None, map(race_words.kind_of, lines)), "")
    sections = list(_sections(lines))
    accesses = [section for section in sections if section.said.access]
    if not any(section.frames for section in accesses or sections):
        return ""
    message = race_words.finding(kind, [(s.said, s.place) for s in sections])
    on_stack = any(s.said.text.startswith(race_words.ON_STACK) for s in sections)
    said = [message, *_notes(accesses, on_stack=on_stack)] if message else []
    rows = ["; ".join(said)] if said else []
    rows.append(f"ThreadSanitizer: {kind}")
    return "\n".join([*rows, *(row for section in sections for row in section.rows())])


_PAUSES_BEFORE = {
    "time_limit": race_words.AFTER_TIME_LIMIT,
    "crash": race_words.AFTER_CRASH,
    "wrong_answer": race_words.AFTER_WRONG_ANSWER,
}


def pause_summary(text: str, end: str) -> str:
    """What of a test's pauses explains that it ended so; empty if nothing does."""
    for pause in _PAUSES_BEFORE[end]:
        stacks = [_own_frames(lines) for lines in pause.stacks_in(text)]
        if stacks and all(stacks):
            sections = map(_Section, map(race_words.Sentence, pause.stacks), [""] * 2, stacks)
            rows = (row for section in sections for row in section.rows())
            said = pause.told([frames[0].place for frames in stacks])
            return "\n".join([said, pause.title, *rows])
    return ""


def _own_frames(lines: Iterable[str]) -> list[_Frame]:
    """Those in the student's file."""
    return [
        _Frame(frame[1].replace(_ANY_EXTENT, ">"), frame[2], int(frame[3]))
        for frame in map(_FRAME.fullmatch, lines)
        if frame and not _OTHERS.match(frame[2])
    ]


def _notes(accesses: list[_Section], *, on_stack: bool) -> list[str]:
    """What the student's text says about the accesses, if the test has it at hand."""
    frames = [section.frames[0] for section in accesses if section.frames]
    for file in {frame.file for frame in frames}:
        if Path(file).is_file():
            source = Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
            lines = [frame.line for frame in frames if frame.file == file]
            return notes(source, lines, Path(file).name, on_stack=on_stack)
    return []


def _sections(lines: Iterator[str]) -> Iterator[_Section]:
    for said, line, stack in race_words.sections_in(lines):
        variable = _VARIABLE.match(line)
        yield _Section(said, variable[1] if variable else "", _own_frames(stack))


if __name__ == "__main__":
    printed = Path(sys.argv[1]).read_text(encoding="utf-8", errors="replace")
    shown = pause_summary(printed, sys.argv[2]) if sys.argv[2:] else summary(printed)
    if not shown:
        sys.exit(1)
    print(shown)
