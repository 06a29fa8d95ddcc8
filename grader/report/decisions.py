"""Submissions that an instructor must decide, each with its reasons and the command to run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.result import Result
from grader.presentation.facts import Flag, Look, flagged
from grader.presentation.text import one_line

_PROGRAM = "bazel run //grader --"
_GRADE = f"{_PROGRAM} grade --lab {{lab}} --submissions DIR --out OUT"
_COMMANDS = {
    Look.NOT_JUDGED: _GRADE,
    Look.EVIDENCE: f"{_PROGRAM} report --out OUT --student={{student}}",
    Look.MEASUREMENT: f"{_GRADE} --force --student={{student}}",
}
_EFFECTS = {
    Look.NOT_JUDGED: "grades again what was not judged",
    Look.EVIDENCE: "prints the evidence; ask the student before you decide",
    Look.MEASUREMENT: "measures once more: best on a machine with nothing else to do",
}


@dataclass(frozen=True)
class Decision:
    """One reason, and what settles it."""

    student: str
    anchor: str
    """The student's place in the page."""
    reason: str
    command: str
    effect: str


def decisions(result: Result, anchor: str) -> Iterator[Decision]:
    """One for each kind of action, with all reasons for it."""
    found: dict[Look, list[Flag]] = {}
    for flag in flagged(result):
        found.setdefault(flag.look, []).append(flag)
    student = one_line(result.student) or "(no name)"
    for look, flags in found.items():
        reason = "; ".join(one_line(flag.reason) for flag in flags)
        command = _COMMANDS[look].format(
            lab=shlex.quote(one_line(result.lab)), student=shlex.quote(student)
        )
        yield Decision(student, anchor, reason, command, _EFFECTS[look])
