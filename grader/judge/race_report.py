"""Rebuilds ThreadSanitizer's reports with the student's own lines.

The report comes from the submission's own process, which could forge it. So none of its text is
passed on: known sentences are recognised, and only the numbers of threads, mutexes and instructions
are taken from them. Names and lines are looked up in the library that was built.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from grader.judge.context import GradingContext
from grader.judge.race_notes import notes
from grader.judge.symbolizer import run_symbolizer
from grader.model.verdict import Verdict
from grader.run.run_checker import LIBRARY, Case, Report

MAX_SECTIONS = 12
MAX_FRAMES = 40
_BEGIN = "WARNING: ThreadSanitizer: "
_KINDS = (
    "data race on vptr (ctor/dtor vs virtual call)",
    "data race",
    "heap-use-after-free (virtual call vs free)",
    "heap-use-after-free",
    "lock-order-inversion (potential deadlock)",
    "double lock of a mutex",
    "unlock of an unlocked mutex (or by a wrong thread)",
    "destroy of a locked mutex",
    "read lock of a write locked mutex",
    "read unlock of a write locked mutex",
    "use of an invalid mutex (e.g. uninitialized or destroyed)",
    "thread leak",
)
_THREAD = r"(main thread|thread T\d{1,4})"
_ADDRESS = r"0x[0-9a-f]{1,16}"
_DEED = r"(?:[Pp]revious )?(?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite)"
_ACCESS = re.compile(
    rf"  ({_DEED}) of size \d+ at {_ADDRESS} by {_THREAD}(?: \(mutexes: ([^)]{{1,200}})\))?"
)
_LOST = "WARNING: lost signal"
_ON_STACK = "The memory is on the stack of "
_PAUSED = "(the race checker pauses threads at locks, waits and signals, as a busy machine does)"
_LOCKED = re.compile(rf"  Mutex (M\d{{1,4}}) acquired here while holding mutex M\d+ in {_THREAD}:")
_HELD = re.compile(r"  Mutex (M\d{1,4}) previously acquired by the same thread here:")
_MADE = re.compile(rf"  Mutex (M\d{{1,4}}) \({_ADDRESS}\) created at:")
_HEAP = re.compile(rf"  Location is heap block of size \d+ at {_ADDRESS} allocated by {_THREAD}:")
_STACK = re.compile(rf"  Location is stack of {_THREAD}\.")
_GLOBAL = re.compile(
    rf"  Location is global '[^']*' .*\({re.escape(LIBRARY)}\+0x([0-9a-f]{{1,16}})\)"
)
_STARTED = re.compile(rf"  Thread (T\d{{1,4}}) .*created by {_THREAD} at:")
FRAME = re.compile(rf" +#\d+ .*\(/?{re.escape(LIBRARY)}\+0x([0-9a-f]{{1,16}})\)")


@dataclass(frozen=True)
class Section:
    """One sentence of a report and the stack below it."""

    sentence: str
    access: str = ""
    """`write`, `atomic read`; empty unless the sentence describes a memory access."""
    mutex: str = ""
    """`M1`; empty unless the sentence says that a thread locked it."""
    code: tuple[int, ...] = ()
    """Offsets in the library of its frames' instructions, innermost first."""
    data: int | None = None
    """Offset in the library of the variable that the sentence names."""
    stands_alone: bool = False
    """Whether the sentence is useful without a stack."""


@dataclass(frozen=True)
class RaceReport:
    """The first report in a program's error output."""

    kind: str
    sections: tuple[Section, ...]


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


def with_race_reports(
    context: GradingContext, report: Report, library: Path, folder: Path
) -> Report:
    """The report of a races phase, with ThreadSanitizer's findings as the cases' messages."""
    source = (folder / "submission" / context.kit.manifest.file).read_text("utf-8", "replace")
    cases = [_with_race_report(context, case, library, folder, source) for case in report.cases]
    return replace(report, cases=cases)


def _with_race_report(
    context: GradingContext, case: Case, library: Path, folder: Path, source: str
) -> Case:
    symbolizer = context.kit.manifest.builds["races"].symbolizer
    if not symbolizer:
        return case
    if case.verdict in (Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT):
        case = replace(case, message=f"{case.message.rstrip()}\n{_PAUSED}")
    is_endless = case.verdict is Verdict.TIME_LIMIT
    found = parse_lost_signal(case.stderr) if is_endless else parse_race_report(case.stderr)
    if found is None:
        return case
    names = ask(context, symbolizer, found, library, folder)
    file = context.kit.manifest.file
    return (
        told_lost(case, found, names, file)
        if is_endless
        else told(case, found, names, file, source)
    )


def ask(
    context: GradingContext, symbolizer: str, report: RaceReport, library: Path, folder: Path
) -> Names:
    """What the symbolizer knows about the report's offsets in the library."""
    options = ["--output-style=JSON", "--obj"]
    asked = questions(report)
    said = run_symbolizer(context, symbolizer, options, library, asked, folder) if asked else ""
    return read_names(said, context.kit.manifest.file)


def parse_lost_signal(stderr: str) -> RaceReport | None:
    """The last signal that was lost, as common/lab/race_checker_pauses.cc reports it."""
    _, begin, after = stderr.rpartition(f"{_LOST}\n")
    code: list[int] = []
    for line in after.splitlines()[:MAX_FRAMES] if begin else []:
        if not line.startswith("    #"):
            break
        if frame := FRAME.match(line):
            code.append(int(frame[1], 16))
    return RaceReport("lost signal", (Section("The signal", code=tuple(code)),)) if code else None


def told_lost(case: Case, report: RaceReport, names: Names, file: str) -> Case:
    """The case of a call that did not return, with the signal that no thread saw."""
    line = line_of(report.sections[0], names)
    if line is None:
        return case
    said = (
        f"the signal at {file}:{line} was lost: it came after a thread had looked at its condition "
        "and before it waited. Change the condition with the mutex locked"
    )
    rows = ["Lost signal", *rows_of(report.sections, names, file)]
    return replace(case, message=f"{case.message}\n{said}", report="\n".join(rows))


def parse_race_report(stderr: str) -> RaceReport | None:
    """None if no line begins a report that ThreadSanitizer could have written."""
    lines = iter(stderr.splitlines())
    for line in lines:
        kind = next((kind for kind in _KINDS if line.startswith(f"{_BEGIN}{kind} (pid=")), None)
        if kind:
            return RaceReport(kind, tuple(islice(_sections(lines), MAX_SECTIONS)))
    return None


def _sections(lines: Iterator[str]) -> Iterator[Section]:
    section: Section | None = None
    for line in lines:
        if line.startswith("SUMMARY: "):
            break
        if section and (frame := FRAME.match(line)) and len(section.code) < MAX_FRAMES:
            section = replace(section, code=(*section.code, int(frame[1], 16)))
        elif line.startswith("  ") and not line.startswith("   "):
            if section:
                yield section
            section = _section(line)
    if section:
        yield section


def _section(line: str) -> Section | None:
    """None for a sentence that is useless to a student or not one of ThreadSanitizer's."""
    if match := _ACCESS.match(line):
        access = match[1].lower()
        held = re.findall(r"M\d{1,4}", match[3] or "")
        who = f"{access} by {match[2]}, holding {' and '.join(held) or 'no lock'}"
        deed = access.removeprefix("previous ")
        return Section(who[0].upper() + who[1:], access=deed, stands_alone=True)
    if match := _LOCKED.fullmatch(line):
        return Section(f"{match[1]} was locked by {match[2]}", mutex=match[1])
    if match := _HELD.fullmatch(line):
        return Section(f"{match[1]} had been locked by the same thread", mutex=match[1])
    if match := _MADE.fullmatch(line):
        return Section(f"{match[1]} was made")
    if match := _HEAP.fullmatch(line):
        return Section(f"The memory was allocated by {match[1]}")
    if match := _STACK.fullmatch(line):
        return Section(f"{_ON_STACK}{match[1]}", stands_alone=True)
    if match := _GLOBAL.match(line):
        return Section("The memory is the variable", data=int(match[1], 16))
    if match := _STARTED.fullmatch(line):
        return Section(f"Thread {match[1]} was started by {match[2]}")
    return None


def questions(report: RaceReport) -> list[str]:
    """The lines to pass to llvm-symbolizer about the library."""
    code = dict.fromkeys(offset for section in report.sections for offset in section.code)
    data = dict.fromkeys(s.data for s in report.sections if s.data is not None)
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


def told(case: Case, report: RaceReport, names: Names, file: str, source: str = "") -> Case:
    """The case with the report as its message and its `report`."""
    message = _race(report, names, file) or _lock_orders(report, names, file) or report.kind
    if report.kind.startswith("data race"):
        lines = [line_of(section, names) for section in report.sections if section.access]
        on_stack = any(s.sentence.startswith(_ON_STACK) for s in report.sections)
        known = [line for line in lines if line is not None]
        said = notes(source.splitlines(), known, file, on_stack=on_stack)
        message = "; ".join([message, *said])
    return replace(case, message=message, report=_text(report, names, file))


def _race(report: RaceReport, names: Names, file: str) -> str:
    """The two accesses that race; empty if neither line is known."""
    accesses = [section for section in report.sections if section.access][:2]
    if not report.kind.startswith("data race") or len(accesses) < 2:
        return ""
    known = sorted(accesses, key=lambda access: line_of(access, names) is None)
    first, second = ((access.access, line_of(access, names)) for access in known)
    if first[1] is None:
        return ""
    where = f" at {file}:{second[1]}" if second[1] else ""
    return (
        f"data race: the {first[0]} at {file}:{first[1]} races with the {second[0]} of another "
        f"thread{where}"
    )


def _lock_orders(report: RaceReport, names: Names, file: str) -> str:
    """The order in which each thread takes its locks; empty unless all lines are known.

    The report names a mutex, then the one that its thread held already, and so on.
    """
    locked = [
        (section.mutex, line_of(section, names)) for section in report.sections if section.mutex
    ]
    if len(locked) < 4 or len(locked) % 2 or any(line is None for _, line in locked):
        return ""
    pairs = zip(locked[1::2], locked[::2], strict=True)
    orders = [
        f"{first} at {file}:{first_line} and then {second} at {file}:{second_line}"
        for (first, first_line), (second, second_line) in pairs
    ]
    who = "two" if len(orders) == 2 else "as many"
    waits = f"{who} threads can wait for each other forever"
    return f"deadlock: locks {', elsewhere '.join(orders)}: {waits}"


def line_of(section: Section, names: Names) -> int | None:
    """The innermost line of the student's file in a section's stack."""
    return next((frame.line for frame in names.frames(section)), None)


def _text(report: RaceReport, names: Names, file: str) -> str:
    return "\n".join([f"ThreadSanitizer: {report.kind}", *rows_of(report.sections, names, file)])


def rows_of(sections: Sequence[Section], names: Names, file: str) -> list[str]:
    """Each sentence with its stack in the student's file; leaves out those that say nothing."""
    rows = []
    for section in sections:
        frames = names.frames(section)
        variable = names.data.get(section.data) if section.data is not None else None
        if frames or variable or section.stands_alone:
            rows.append(f"  {section.sentence}{f' {variable}' if variable else ''}")
            rows += [f"    {frame.function} at {file}:{frame.line}" for frame in frames]
    return rows
