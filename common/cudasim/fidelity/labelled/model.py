"""Labelled programs, their outcomes in check mode, and the judgements of disagreements."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class SuitesError(Exception):
    """Ends the command. The message has the error and the next step."""

    def __init__(self, message: str, next_step: str) -> None:
        super().__init__(f"error: {message}\n  next: {next_step}")


class Label(StrEnum):
    """What a suite says of a program."""

    CLEAN = "clean"
    RACE = "race"
    ERROR = "error"  # one of ERRORS
    COMPILE_ERROR = "compile_error"


class Cause(StrEnum):
    """Why an outcome differs from the label."""

    SOURCE = "source"  # the source proves the outcome
    MODEL = "model"  # the label is right in another memory model than CUDA's
    INPUT = "input"  # the label is about inputs that were not run
    ORDER = "order"  # the label is about an order of threads that was not run
    LIMIT = "limit"  # ours: something that the simulator lacks


CLEAN = "clean"
COMPILE_ERROR = "compile_error"
TIME_LIMIT = "time_limit"
RACES = frozenset({"data_race", "missing_synchronisation", "shared_memory_lifetime"})
ERRORS = RACES | {
    "assertion",
    "barrier_divergence",
    "deadlock",
    "invalid_address",
    "null_pointer",
    "out_of_bounds",  # a write to constant memory; arrays are larger than any index
}
_AGREES: dict[Label, frozenset[str]] = {
    Label.CLEAN: frozenset({CLEAN}),
    Label.RACE: RACES,
    Label.ERROR: ERRORS,
    Label.COMPILE_ERROR: frozenset({COMPILE_ERROR}),
}


@dataclass(frozen=True)
class Program:
    """How to compile and run one program of a suite. Paths are absolute."""

    suite: str
    name: str
    label: Label
    sources: tuple[Path, ...] = ()
    flags: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    input: str = ""  # for standard input
    files: dict[str, str] = field(default_factory=dict)  # written into the folder where it runs
    note: str = ""  # what was chosen: arguments, sizes
    not_run: str = ""  # why the program cannot run; empty if it can


@dataclass(frozen=True)
class Outcome:
    """What check mode did: `clean`, `compile_error`, `time_limit`, `exit N`, `signal N`, or the
    kinds of its findings, each once: `barrier_divergence, data_race`.
    """

    kind: str
    detail: str = ""  # the finding's first line, or the first error


@dataclass(frozen=True)
class Judgement:
    """Why an outcome differs from the label: in a suite's TOML file."""

    suite: str
    program: str
    outcome: str
    cause: Cause
    reason: str


@dataclass(frozen=True)
class Row:
    """A program with its outcome. Not run: there is no outcome."""

    program: Program
    outcome: Outcome | None
    why_not: str = ""
    judgement: Judgement | None = None

    @property
    def agreement(self) -> str:
        """`agrees`, `not run`, the cause of a judged disagreement, or `NOT JUDGED`."""
        if self.outcome is None:
            return "not run"
        if agrees(self.program.label, self.outcome):
            return "agrees"
        return f"judged: {self.judgement.cause}" if self.judgement else "NOT JUDGED"


def agrees(label: Label, outcome: Outcome) -> bool:
    """True if one of the findings is of the label's kind, or there is none and should be none."""
    return not _AGREES[label].isdisjoint(outcome.kind.split(", "))


def read_judgements(path: Path, suite: str) -> list[Judgement]:
    """The judgements of a TOML file, by program. Raises SuitesError if it is malformed."""
    try:
        programs = tomllib.loads(path.read_text())
        judgements = [
            Judgement(
                suite, program, entry["outcome"], Cause(entry["cause"]), entry["reason"].strip()
            )
            for program, entry in programs.items()
        ]
    except (OSError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise SuitesError(
            f"malformed judgements: {path}: {error}",
            'write ["PROGRAM"] with outcome, cause and reason; causes: ' + ", ".join(Cause),
        ) from error
    for judgement in judgements:
        if not judgement.reason:
            raise SuitesError(
                f"no reason: {path}: {judgement.program}", "name the line that decides"
            )
    return judgements


def judge(
    rows: Iterable[Row], judgements: Iterable[Judgement], whole_suite: bool = True
) -> tuple[list[Row], list[str]]:
    """The rows with their judgements, and a line for each judgement that no longer applies.

    A judgement applies if its program's outcome is the one it names and differs from the label.
    That a program is missing counts only if the rows are those of a whole suite.
    """
    judged = []
    left = {(j.suite, j.program): j for j in judgements}
    stale = []
    for row in rows:
        judgement = left.pop((row.program.suite, row.program.name), None)
        if judgement and row.outcome is None:
            stale.append(_stale(judgement, f"the program was not run: {row.why_not}"))
        elif judgement and row.outcome and agrees(row.program.label, row.outcome):
            stale.append(
                _stale(judgement, f"the outcome agrees with the label: {row.outcome.kind}")
            )
        elif judgement and row.outcome and row.outcome.kind != judgement.outcome:
            stale.append(_stale(judgement, f"the outcome is now {row.outcome.kind}"))
        else:
            row = Row(row.program, row.outcome, row.why_not, judgement)
        judged.append(row)
    if whole_suite:
        stale += [_stale(judgement, "the suite has no such program") for judgement in left.values()]
    return judged, stale


def _stale(judgement: Judgement, why: str) -> str:
    return f"{judgement.suite} {judgement.program} ({judgement.outcome}): {why}"
