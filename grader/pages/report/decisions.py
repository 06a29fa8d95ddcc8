"""Submissions that an instructor must decide, by reason, each with the command to run."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field

from grader.model.result import Result
from grader.pages.presentation.facts import Look, flagged
from grader.pages.presentation.text import one_line
from grader.pages.report.failures import Showing, showing

_PROGRAM = "bazel run //grader --"
_EFFECTS = {
    Look.NOT_JUDGED: "grades again what was not judged",
    Look.EVIDENCE: "prints the evidence; ask the student before you decide",
    Look.MEASUREMENT: "measures once more: best on a machine with nothing else to do",
}


@dataclass
class Decision:
    """A reason, the submissions that it concerns, and what settles them."""

    look: Look
    reason: str
    lab: str
    submissions: list[Showing] = field(default_factory=list)

    @property
    def effect(self) -> str:
        return _EFFECTS[self.look]

    @property
    def commands(self) -> list[str]:
        """To read evidence takes one for each student."""
        students = [f"--student={shlex.quote(each.student)}" for each in self.submissions]
        if self.look is Look.EVIDENCE:
            return [f"{_PROGRAM} report --out OUT {student}" for student in students]
        grade = f"{_PROGRAM} grade --lab {shlex.quote(self.lab)} --submissions DIR --out OUT"
        if self.look is Look.NOT_JUDGED:
            return [grade]
        return [" ".join([grade, "--force", *students])]


class Decisions:
    """The open cases of a class, gathered result by result."""

    def __init__(self) -> None:
        self._open: dict[tuple[Look, str], Decision] = {}

    def add(self, result: Result, anchor: str) -> None:
        """`anchor`: the submission's place in the page."""
        for look, reason in dict.fromkeys((f.look, one_line(f.reason)) for f in flagged(result)):
            decision = Decision(look, reason, one_line(result.lab))
            found = self._open.setdefault((look, reason), decision)
            found.submissions.append(showing(result, anchor))

    def open_cases(self) -> Iterable[Decision]:
        """Those that need a person first, then those of most submissions."""
        order = [Look.EVIDENCE, Look.NOT_JUDGED, Look.MEASUREMENT]
        return sorted(self._open.values(), key=lambda d: (order.index(d.look), -len(d.submissions)))
