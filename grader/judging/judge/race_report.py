"""What the race checker found, told with the student's own lines."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from common.lab import race_words
from common.lab.race_notes import notes
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
from grader.model.verdict import Verdict
from grader.sandbox.checker_report import Case
from grader.sandbox.run_checker import LIBRARY

_PAUSED = (
    "(the race checker pauses threads at locks, waits, signals and atomic accesses, as a busy "
    "machine does)"
)
_VARIABLE = re.compile(rf"\({re.escape(LIBRARY)}\+0x([0-9a-f]{{1,16}})\)")


@dataclass(frozen=True)
class RaceReport:
    """A report in a program's error output."""

    kind: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class _Wait:
    title: str
    place: str
    tell: Callable[[str], str]


_WAITS = {
    race_words.LOST_SIGNAL: _Wait("Lost signal", "The signal", race_words.lost_signal),
    race_words.WOKEN: _Wait("Spurious wake-up", "The wait", race_words.woken),
}


def with_race_report(case: Case, at: Located) -> Case:
    """The case with what ThreadSanitizer, or one of its pauses, found as its message."""
    is_endless = case.verdict is Verdict.TIME_LIMIT
    if is_endless or case.verdict is Verdict.WRONG_ANSWER:
        case = replace(case, message=f"{case.message.rstrip()}\n{_PAUSED}")
    if is_endless and (lost := parse_wait(case.stderr, race_words.LOST_SIGNAL)):
        return told_wait(case, lost, at.look_up(lost.sections), at.file)
    is_wait = is_endless or case.verdict in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR)
    if is_wait and (woken := parse_wait(case.stderr, race_words.WOKEN)):
        return told_wait(case, woken, at.look_up(woken.sections), at.file)
    if is_endless:
        return case
    if case.verdict is Verdict.WRONG_ANSWER:
        between = parse_between(case.stderr)
        return (
            told_between(case, between, at.look_up(between.sections), at.file) if between else case
        )
    found = parse_race_report(case.stderr)
    return told(case, found, at.look_up(found.sections), at.file, at.source) if found else case


def parse_wait(stderr: str, said: str) -> RaceReport | None:
    """The last lost signal or spurious wake-up, as common/lab/race_checker_pauses.cc reports it."""
    _, begin, after = stderr.rpartition(f"{said}\n")
    section = _with_stack(Section(_WAITS[said].place), iter(after.splitlines() if begin else []))
    return RaceReport(said, (section,)) if section.code else None


def told_wait(case: Case, report: RaceReport, names: Names, file: str) -> Case:
    """The case of a failed call, with the signal that no thread saw, or the wait without one."""
    place = place_of(report.sections[0], names, file)
    if not place:
        return case
    words = _WAITS[report.kind]
    rows = [words.title, *rows_of(report.sections, names, file)]
    return replace(case, message=f"{words.tell(place)}\n{case.message}", report="\n".join(rows))


def parse_between(stderr: str) -> RaceReport | None:
    """Where another thread came last, as common/lab/race_checker_pauses.h reports it.

    Where it came between a read and the write that undoes its own, rather than elsewhere.
    """
    for said in race_words.BETWEEN:
        _, begin, after = stderr.rpartition(f"{said}\n")
        lines = iter(after.splitlines() if begin else [])
        first = _with_stack(Section("Before another thread came"), lines)
        second = _with_stack(Section("After"), lines)
        if first.code and second.code:
            return RaceReport(said, (first, second))
    return None


def _with_stack(section: Section, lines: Iterator[str]) -> Section:
    """Takes the lines of a stack, and the one behind it."""
    for line in lines:
        if not line.startswith("    #"):
            break
        section = with_frame(section, line) or section
    return section


def told_between(case: Case, report: RaceReport, names: Names, file: str) -> Case:
    """The case of a wrong answer, with the places between which another thread came."""
    first, second = (place_of(section, names, file) for section in report.sections)
    if not first or not second:
        return case
    rows = ["Another thread came between", *rows_of(report.sections, names, file)]
    message = f"{race_words.between(report.kind, first, second)}\n{case.message}"
    return replace(case, message=message, report="\n".join(rows))


def parse_race_report(stderr: str) -> RaceReport | None:
    """None if no line begins a report that ThreadSanitizer could have written."""
    lines = iter(stderr.splitlines())
    for line in lines:
        if kind := race_words.kind_of(line):
            return RaceReport(kind, tuple(islice(_sections(lines), MAX_SECTIONS)))
    return None


def _sections(lines: Iterator[str]) -> Iterator[Section]:
    section: Section | None = None
    for line in lines:
        if line.startswith("SUMMARY: "):
            break
        if section and (longer := with_frame(section, line)):
            section = longer
        elif line.startswith("  ") and not line.startswith("   "):
            if section:
                yield section
            section = _section(line)
    if section:
        yield section


def _section(line: str) -> Section | None:
    said = race_words.sentence_of(line)
    if said is None:
        return None
    variable = _VARIABLE.search(line) if said.names_variable else None
    if said.names_variable and variable is None:
        return None
    return Section(
        said.text,
        access=said.access,
        mutex=said.mutex,
        data=int(variable[1], 16) if variable else None,
        stands_alone=said.stands_alone,
    )


def told(case: Case, report: RaceReport, names: Names, file: str, source: str = "") -> Case:
    """The case with the report as its message and its `report`."""
    accesses = [section for section in report.sections if section.access]
    locked = [section for section in report.sections if section.mutex]
    message = (
        race_words.race(report.kind, [(s.access, place_of(s, names, file)) for s in accesses])
        or race_words.lock_orders([(s.mutex, place_of(s, names, file)) for s in locked])
        or report.kind
    )
    if report.kind.startswith("data race"):
        lines = [line for line in (line_of(section, names) for section in accesses) if line]
        on_stack = any(s.sentence.startswith(race_words.ON_STACK) for s in report.sections)
        message = "; ".join([message, *notes(source.splitlines(), lines, file, on_stack=on_stack)])
    rows = [f"ThreadSanitizer: {report.kind}", *rows_of(report.sections, names, file)]
    return replace(case, message=message, report="\n".join(rows))
