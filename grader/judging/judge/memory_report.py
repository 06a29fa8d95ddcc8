"""Rebuilds reports of AddressSanitizer and UndefinedBehaviorSanitizer with the student's lines.

As in located.py, none of a report's text is passed on: known sentences are recognised, and only
numbers are taken from them. A variable's name is passed on if it stands in the line of the
student's file that declares it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from common.lab.race_checker.race_words import Sentence
from grader.judging.judge.located import (
    MAX_SECTIONS,
    Located,
    Names,
    Section,
    line_of,
    place_of,
    rows_of,
    with_frame,
)
from grader.sandbox.checker_report import Case

_OVERFLOWS = (
    *("heap-buffer-overflow", "stack-buffer-overflow", "stack-buffer-underflow"),
    *("dynamic-stack-buffer-overflow", "global-buffer-overflow"),
)
_INDEX = "index out of bounds"
_NO_RETURN = "no return"
CERTAIN = frozenset({*_OVERFLOWS, _INDEX, _NO_RETURN})
"""Errors that are hardly the consequence of a data race."""
_SIGNALS = ("SEGV", "BUS", "FPE", "ILL", "ABRT", "stack-overflow")
_AFTER_RETURN, _AFTER_SCOPE = "stack-use-after-return", "stack-use-after-scope"
_CONTAINER, _FREED = "container-overflow", "heap-use-after-free"
_KINDS = (
    *(*_OVERFLOWS, _FREED, _AFTER_RETURN, _AFTER_SCOPE, _CONTAINER, *_SIGNALS),
    *("attempting double-free", "attempting free on address which was not malloc()-ed"),
    *("negative-size-param", "memcpy-param-overlap", "use-after-poison", "unknown-crash"),
    *("requested allocation size", "out of memory"),
)
_HEAD = re.compile(rf"==\d+==ERROR: AddressSanitizer: ({'|'.join(map(re.escape, _KINDS))})")
_UNDEFINED = re.compile(
    r"\S+: runtime error: (?:index (-?\d{1,20}) out of bounds for type '.*?\[(.{1,200}?)\].*'"
    r"|(execution reached the end of a value-returning function) without returning a value)"
)
_THREAD = r"(?:thread )?(T\d{1,4})(?: \(.*\))?"
_ACCESS = re.compile(rf"(READ|WRITE) of size (\d{{1,12}}) at 0x[0-9a-f]+ thread {_THREAD}")
_ALLOCATED = re.compile(rf"(?:previously )?allocated by {_THREAD} here:")
_FREED_BY = re.compile(rf"freed by {_THREAD} here:")
_STARTED = re.compile(rf"Thread (T\d{{1,4}}) .*?created by {_THREAD} here:")
_PLACE = (
    r"0x[0-9a-f]+ is located (\d{1,12}) bytes (to the right of|to the left of|inside of|after"
    r"|before) "
)
_BLOCK = re.compile(rf"{_PLACE}(\d{{1,12}})-byte region")
_GLOBAL = re.compile(
    rf"{_PLACE}global variable '(\w+)' .*?:(\d{{1,6}}):\d+' \(0x[0-9a-f]+\) of size (\d{{1,12}})"
)
_LOCAL = re.compile(
    r"    \[(\d{1,9}), (\d{1,9})\) '(\w+)' \(line (\d{1,6})\) <== Memory access at offset \d+ "
    r"(overflows|underflows|partially|is inside)"
)
_SIDES = {"to the left of": "before", "before": "before", "underflows": "before"}
_INSIDE = ("inside of", "is inside")


@dataclass(frozen=True)
class Variable:
    """A variable that the report names, in the student's file."""

    name: str
    line: int
    bytes: int


@dataclass(frozen=True)
class MemoryReport:
    """The first report in a program's error output."""

    kind: str
    sections: tuple[Section, ...]
    access: str = ""
    """`write of 4 bytes`; empty unless an access is reported."""
    place: str = ""
    """Where the access lies: `0 bytes past the end of`; empty if the report does not say."""
    block_bytes: int | None = None
    variable: Variable | None = None
    index: tuple[int, str] | None = None
    """The index, and the array's length as its declaration has it."""

    def section(self, begin: str) -> Section | None:
        return next((s for s in self.sections if s.said.text.startswith(begin)), None)


def with_memory_report(case: Case, at: Located) -> Case:
    """The case with what the memory checker found as its message."""
    found = parse_memory_report(case.stderr)
    return told(case, found, at.look_up(found.sections), at.file, at.source) if found else case


def parse_memory_report(stderr: str) -> MemoryReport | None:
    """None if no line begins a report that a memory checker could have written."""
    lines = iter(stderr.splitlines())
    for line in lines:
        if match := _HEAD.match(line):
            return _parse(MemoryReport(match[1], ()), "Signal", lines)
        if match := _UNDEFINED.fullmatch(line):
            if match[3]:
                return _parse(MemoryReport(_NO_RETURN, ()), "The end is reached", lines)
            index = (int(match[1]), match[2])
            return _parse(MemoryReport(_INDEX, (), index=index), "The index is used", lines)
    return None


def _parse(report: MemoryReport, first: str, lines: Iterator[str]) -> MemoryReport:
    """Adds what the lines up to the summary say; frames without a sentence belong to `first`."""
    sections = [Section(Sentence(first))]
    for line in islice(lines, 400):
        if line.startswith("SUMMARY: "):
            break
        if longer := with_frame(sections[-1], line):
            sections[-1] = longer
        elif match := _ACCESS.match(line):
            deed = match[1].lower()
            report = replace(report, access=f"{deed} of {_bytes(int(match[2]))}")
            sections.append(Section(Sentence(f"{deed.capitalize()} by thread {match[3]}")))
        elif section := _section(line):
            sections.append(section)
        else:
            report = _with_place(report, line)
    kept = [section for section in sections if section.code][:MAX_SECTIONS]
    return replace(report, sections=tuple(kept))


def _section(line: str) -> Section | None:
    if match := _ALLOCATED.match(line):
        return Section(Sentence(f"The memory was allocated by thread {match[1]}"))
    if match := _FREED_BY.match(line):
        return Section(Sentence(f"The memory was freed by thread {match[1]}"))
    if match := _STARTED.match(line):
        return Section(Sentence(f"Thread {match[1]} was started by thread {match[2]}"))
    if line.startswith("Address 0x"):
        return Section(Sentence("The memory is on the stack, in the frame of"))
    return None


def _with_place(report: MemoryReport, line: str) -> MemoryReport:
    if match := _BLOCK.match(line):
        return replace(report, place=_place(match[1], match[2]), block_bytes=int(match[3]))
    if match := _GLOBAL.match(line):
        variable = Variable(match[3], int(match[4]), int(match[5]))
        return replace(report, place=_place(match[1], match[2]), variable=variable)
    if match := _LOCAL.match(line):
        variable = Variable(match[3], int(match[4]), int(match[2]) - int(match[1]))
        return replace(report, place=_place("", match[5]), variable=variable)
    return report


def _place(distance: str, side: str) -> str:
    if side in _INSIDE:
        return "in"
    far = f"{_bytes(int(distance))} " if distance and int(distance) else ""
    return f"{far}{_SIDES.get(side, 'past the end of')}"


def _bytes(count: int) -> str:
    return f"{count} byte{'' if count == 1 else 's'}"


def told(case: Case, report: MemoryReport, names: Names, file: str, source: str) -> Case:
    """The case with the report as its message and its `report`."""
    line = next((line_of(s, names) for s in report.sections), None)
    at = f" at {file}:{line}" if line else ""
    if report.kind in _SIGNALS:
        told_already = not at or at.removeprefix(" at ") in case.message
        message = case.message if told_already else f"{case.message},{at}"
    else:
        message = _message(report, names, at, file, source.splitlines()) or f"{report.kind}{at}"
    tool = (
        "UndefinedBehaviorSanitizer" if report.kind in (_INDEX, _NO_RETURN) else "AddressSanitizer"
    )
    rows = [f"{tool}: {report.kind}", *rows_of(report.sections, names, file)]
    return replace(
        case,
        message=message,
        report="\n".join(rows) if len(rows) > 1 else "",
        may_be_race=report.kind not in CERTAIN,
    )


def _message(report: MemoryReport, names: Names, at: str, file: str, source: Sequence[str]) -> str:
    if report.index:
        index, length = report.index
        size = f"{length} elements" if re.fullmatch(r"\d{1,12}", length) else "variable length"
        return f"index {index}{at} is out of bounds of an array of {size}"
    if report.kind == _NO_RETURN:
        return f"a function that must return a value ends without return{at}"
    if not report.access:
        return ""
    where = _where(report, names, file, source)
    return f"{report.kind}: {report.access}{at}{f', {where}' if where else ''}"


def _where(report: MemoryReport, names: Names, file: str, source: Sequence[str]) -> str:
    """What the access hits."""
    if report.variable:
        return f"{report.place} {_object(report, file, source)}{_ENDED.get(report.kind, '')}"
    if report.block_bytes is None:
        return ""
    allocated = _at(report.section("The memory was allocated"), names, file)
    block = f"a block of {_bytes(report.block_bytes)}"
    made = f" allocated{allocated}" if allocated else ""
    if report.kind == _FREED:
        freed = _at(report.section("The memory was freed"), names, file)
        return f"in {block}{made} that was freed{freed}"
    if report.kind == _CONTAINER:
        return f"behind the last element of a vector, in its room of {block[2:]}{made}"
    return f"{report.place} {block}{made}"


_ENDED = {_AFTER_RETURN: ", whose function has returned", _AFTER_SCOPE: ", whose scope has ended"}


def _object(report: MemoryReport, file: str, source: Sequence[str]) -> str:
    variable = report.variable
    assert variable
    what = "the global variable" if report.kind == "global-buffer-overflow" else "a local variable"
    size = f"of {_bytes(variable.bytes)}"
    declared = source[variable.line - 1] if 0 < variable.line <= len(source) else ""
    if not re.search(rf"\b{re.escape(variable.name)}\b", declared):
        return f"{what} {size}"
    what = what.replace("a local", "the local")
    return f"{what} {variable.name} {size}, declared at {file}:{variable.line}"


def _at(section: Section | None, names: Names, file: str) -> str:
    place = place_of(section, names, file) if section else ""
    return f" at {place}" if place else ""
