"""Grades one student's hunt: the fixed program by its lab, the diagnosis against the faults."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.judging.hunts.book import Hunt
from grader.judging.hunts.diagnosis import Diagnosis, parse
from grader.judging.hunts.marks import Marks, changed_lines, marks
from grader.judging.hunts.rules import Rules
from grader.model.kind import DIAGNOSIS, SHOWS_TEST
from grader.model.result import Diagnostic, Failure, PartResult, Result
from grader.model.verdict import Verdict

PROGRAM = "program"


@dataclass(frozen=True)
class Shown:
    """What the cases of one entry did."""

    right: bool
    """Whether they pass on the right program."""
    faults: Sequence[bool]
    """Whether one fails on the program with that fault alone, for each fault of the hunt."""


@dataclass(frozen=True)
class HandedIn:
    """What a student handed in."""

    program: str
    diagnosis: bytes
    tests: bytes


RunTests = Callable[[bytes, Sequence[str]], Sequence[Shown] | str]
"""Of a test file and suites: what those of each entry show, or why they did not run."""
JudgeProgram = Callable[[str], Result]


def suite_of(entry: int) -> str:
    """The name of the suite whose cases show the fault of the entry with this number, from 1."""
    return f"Fault{entry}"


def fault_part(entry: int) -> str:
    return f"fault_{entry}"


def grade_hunt(
    rules: Rules, hunt: Hunt, handed_in: HandedIn, judge: JudgeProgram, run: RunTests
) -> tuple[list[PartResult], list[Diagnostic]]:
    """The result of each part, the program's first, and what else the student is told."""
    diagnosis = parse(handed_in.diagnosis, len(hunt.faults))
    shows, problem = _shows(hunt, handed_in.tests, run)
    got = marks(rules, hunt, diagnosis.entries, shows)
    located = sum(mark.lines for mark in got) / len(got)
    program, told = _program(rules, hunt, handed_in.program, judge, located)
    most = (100 - rules.points.program) / len(hunt.faults)
    parts = [
        _entry_part(number, mark, mark.points(rules, len(got)), most, diagnosis)
        for number, mark in enumerate(got, 1)
    ]
    said = [*diagnosis.problems, *([problem] if problem else [])]
    told += [Diagnostic(phase="handed_in", text=text) for text in said]
    return [program, *parts], told


def _shows(hunt: Hunt, tests: bytes, run: RunTests) -> tuple[list[list[bool]], str]:
    """Whether the cases of each entry show each fault; and why none does."""
    count = len(hunt.faults)
    nothing = [[False] * count for _ in range(count)]
    if not tests.strip():
        return nothing, f"{SHOWS_TEST} is missing or empty: no input is shown"
    suites = [suite_of(entry) for entry in range(1, count + 1)]
    ran = run(tests, suites)
    if isinstance(ran, str):
        return nothing, ran
    refused = [suite for suite, shown in zip(suites, ran, strict=True) if not shown.right]
    fails = f"{SHOWS_TEST}: {' and '.join(refused)} do not pass with a right program"
    return [
        [shown.right and each for each in shown.faults] for shown in ran
    ], fails if refused else ""


def _program(
    rules: Rules, hunt: Hunt, fixed: str, judge: JudgeProgram, located: float
) -> tuple[PartResult, list[Diagnostic]]:
    """Right in all parts of the lab, and made by a small change.

    It earns the share of the faults whose lines are named: another student's program may be right.
    """
    changed = changed_lines(hunt.program, fixed)
    most = rules.change.of(sum(fault.size for fault in hunt.faults))
    if not changed:
        return _refused(rules, "the program is as you got it"), []
    if changed > most:
        text = f"{changed} lines differ from the program that you got, expected at most {most}: "
        return _refused(rules, f"{text}fix it instead of writing another one"), []
    result = judge(fixed)
    told = list(result.diagnostics)
    if result.verdict is Verdict.ACCEPTED and located < 1:
        text = (
            f"The program is right. Its points count for {located:.0%} of the faults, those whose"
        )
        told.append(Diagnostic(phase="handed_in", text=f"{text} lines {DIAGNOSIS} names."))
    part = PartResult(
        function=PROGRAM,
        title="The fixed program",
        of_kind="hunt" if result.verdict is Verdict.ACCEPTED else "lab",
        verdict=result.verdict,
        points=rules.points.program * located if result.verdict is Verdict.ACCEPTED else 0,
        max_points=rules.points.program,
        failure=next((part.failure for part in result.parts if part.failure), None),
    )
    return part, told


def _refused(rules: Rules, why: str) -> PartResult:
    return PartResult(
        function=PROGRAM,
        title="The fixed program",
        of_kind="hunt",
        verdict=Verdict.WRONG_ANSWER,
        points=0,
        max_points=rules.points.program,
        failure=Failure(test="Change", message=why),
    )


def _entry_part(
    number: int, mark: Marks, points: float, most: float, diagnosis: Diagnosis
) -> PartResult:
    missing = _missing(number, mark, diagnosis)
    failure = Failure(test=f"{DIAGNOSIS}, entry {number}", message="; ".join(missing))
    return PartResult(
        function=fault_part(number),
        title=f"Fault {number}",
        of_kind="hunt",
        verdict=Verdict.WRONG_ANSWER if missing else Verdict.ACCEPTED,
        points=round(points, 2),
        max_points=most,
        failure=failure if missing else None,
    )


def _missing(number: int, mark: Marks, diagnosis: Diagnosis) -> list[str]:
    entry = diagnosis.entries[number - 1]
    said = []
    if entry is None or not entry.named:
        said.append("no lines are named")
    elif not mark.lines:
        said.append(f"lines {entry.lines} are not where a fault is, or too many")
    elif not mark.kind:
        said.append("the kind is another one" if entry.remedy.strip() else "no remedy is named")
    if mark.needs_test and not mark.test:
        said.append(f"{suite_of(number)} of {SHOWS_TEST} does not show a fault")
    return said
