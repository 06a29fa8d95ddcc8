"""What the race checker found, told with the student's own lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from common.lab.race_checker import race_words
from common.lab.race_checker.race_notes import lost_copies, notes
from common.lab.race_checker.race_words import Pause, Sentence
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
    "(in this run threads pause at locks, waits, signals and atomic accesses, or messages come in "
    "another order, as on a busy machine)"
)
_PAUSES_BEFORE: dict[Verdict | None, Sequence[Pause]] = {
    Verdict.TIME_LIMIT: race_words.AFTER_TIME_LIMIT,
    Verdict.WRONG_ANSWER: race_words.AFTER_WRONG_ANSWER,
    Verdict.RUNTIME_ERROR: race_words.AFTER_CRASH,
}
_VARIABLE = re.compile(rf"\({re.escape(LIBRARY)}\+0x([0-9a-f]{{1,16}})\)")


@dataclass(frozen=True)
class RaceReport:
    """A report in a program's error output."""

    kind: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class PauseReport:
    """Where the race checker paused a thread, in a program's error output."""

    pause: Pause
    sections: tuple[Section, ...]


def with_race_report(case: Case, at: Located) -> Case:
    """The case with what ThreadSanitizer, or one of its pauses, found as its message."""
    is_endless = case.verdict is Verdict.TIME_LIMIT
    if is_endless or case.verdict is Verdict.WRONG_ANSWER:
        case = replace(case, message=f"{case.message.rstrip()}\n{_PAUSED}")
    if pause := parse_pause(case.stderr, _PAUSES_BEFORE.get(case.verdict, ())):
        return told_pause(case, pause, at.look_up(pause.sections), at.file)
    if case.verdict is Verdict.WRONG_ANSWER:
        note = lost_copies(at.source.splitlines(), at.file)
        return replace(case, message=f"{note}\n{case.message}") if note else case
    if is_endless:
        return case
    found = parse_race_report(case.stderr)
    return told(case, found, at.look_up(found.sections), at.file, at.source) if found else case


def parse_pause(stderr: str, pauses: Sequence[Pause]) -> PauseReport | None:
    """The first of these with stacks in the library."""
    for pause in pauses:
        sentences = (Section(Sentence(sentence)) for sentence in pause.stacks)
        sections = tuple(map(_with_stack, sentences, pause.stacks_in(stderr)))
        if sections and all(section.code for section in sections):
            return PauseReport(pause, sections)
    return None


def _with_stack(section: Section, frames: Sequence[str]) -> Section:
    for line in frames:
        section = with_frame(section, line) or section
    return section


def told_pause(case: Case, report: PauseReport, names: Names, file: str) -> Case:
    """The case of a failed call with what may have gone wrong at a pause."""
    said = report.pause.told([place_of(section, names, file) for section in report.sections])
    if not said:
        return case
    rows = [report.pause.title, *rows_of(report.sections, names, file)]
    return replace(case, message=f"{said}\n{case.message}", report="\n".join(rows))


def parse_race_report(stderr: str) -> RaceReport | None:
    """None if no line begins a report that ThreadSanitizer could have written."""
    lines = iter(stderr.splitlines())
    for line in lines:
        if kind := race_words.kind_of(line):
            return RaceReport(kind, tuple(islice(_sections(lines), MAX_SECTIONS)))
    return None


def is_misuse_of_mutex(case: Case) -> bool:
    """Whether ThreadSanitizer ended the program for it, perhaps before a race."""
    found = parse_race_report(case.stderr)
    return found is not None and found.kind in race_words.MISUSES_OF_MUTEXES


def _sections(lines: Iterator[str]) -> Iterator[Section]:
    for said, line, stack in race_words.sections_in(lines):
        variable = _VARIABLE.search(line) if said.names_variable else None
        if variable or not said.names_variable:
            yield _with_stack(Section(said, data=int(variable[1], 16) if variable else None), stack)


def told(case: Case, report: RaceReport, names: Names, file: str, source: str = "") -> Case:
    """The case with the report as its message and its `report`."""
    places = [(s.said, place_of(s, names, file)) for s in report.sections]
    message = race_words.finding(report.kind, places) or report.kind
    if report.kind.startswith("data race"):
        accesses = [section for section in report.sections if section.said.access]
        lines = [line for line in (line_of(section, names) for section in accesses) if line]
        on_stack = any(said.text.startswith(race_words.ON_STACK) for said, _ in places)
        message = "; ".join([message, *notes(source.splitlines(), lines, file, on_stack=on_stack)])
    rows = [f"ThreadSanitizer: {report.kind}", *rows_of(report.sections, names, file)]
    return replace(case, message=message, report="\n".join(rows))
