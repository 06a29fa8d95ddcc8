"""What a class's submissions fail at, and which of them: the same problem is counted together."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from grader.model.lab import Lab
from grader.model.result import PartResult, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.counter_words import asked_text, value_text
from grader.pages.presentation.facts import WHOLE_FILE, part_of, who
from grader.pages.presentation.text import one_line
from grader.pages.presentation.words import is_not_written, part_words

_WHOLE = "the file"
_MISSES = "misses points"
_PLACE = re.compile(r"^\S+?:\d+(:\d+)?: ")
_ERROR = re.compile(r"\berror: ")
_QUOTED = re.compile("'[^']*'|‘[^’]*’|\"[^\"]*\"")
_NUMBER = re.compile(r"\d[\d,.]*")
_LONGEST = 160


class Showing(NamedTuple):
    """A submission that shows a problem, and its place in the page."""

    student: str
    anchor: str


def showing(result: Result, anchor: str) -> Showing:
    return Showing(who(result) or "(no name)", anchor)


@dataclass
class Problem:
    """One thing that went wrong in one part, in one or more submissions."""

    part: str
    verdict: Verdict
    label: str
    what: str
    submissions: list[Showing] = field(default_factory=list)


_Key = tuple[str, Verdict, str, str]


class Failures:
    """Problems of a class, gathered result by result."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._problems: dict[_Key, Problem] = {}

    def add(self, result: Result, anchor: str) -> None:
        """`anchor`: the submission's place in the page."""
        for key in dict.fromkeys(self._found(result)):
            problem = self._problems.setdefault(key, Problem(*key))
            problem.submissions.append(showing(result, anchor))

    def commonest(self) -> list[Problem]:
        """All problems, those of most submissions first."""
        order = {part.title: number for number, part in enumerate(self._lab.parts)}
        return sorted(
            self._problems.values(),
            key=lambda p: (-len(p.submissions), order.get(p.part, -1), p.verdict, p.what),
        )

    def _found(self, result: Result) -> Iterator[_Key]:
        if result.verdict in WHOLE_FILE and not any(part.tests_total for part in result.parts):
            yield _WHOLE, result.verdict, _label(result.verdict), _first_line(result)
            return
        for planned in self._lab.parts:
            part = part_of(result, planned.function)
            if part is None or not part.verdict.is_final:
                continue
            missed = part.verdict is Verdict.ACCEPTED
            verdict = Verdict.TOO_SLOW if missed else part.verdict
            label = _MISSES if missed else part_words(part).label
            yield from ((planned.title, verdict, label, what) for what in _causes(part))


def _label(verdict: Verdict) -> str:
    return verdict.value.replace("_", " ")


def _first_line(result: Result) -> str:
    """The first complaint, without what differs from file to file: its place, names, numbers."""
    text = next(
        (d.text for d in result.diagnostics if d.phase in ("compile", "handed_in", "policy")), ""
    )
    lines = text.splitlines()
    line = next((line for line in lines if _ERROR.search(line)), lines[0] if lines else "")
    line = _ERROR.sub("", _PLACE.sub("", line.strip()))
    if result.verdict is Verdict.COMPILE_ERROR:
        line = _NUMBER.sub("N", _QUOTED.sub("…", line))
    return one_line(line)[:_LONGEST]


def _causes(part: PartResult) -> Iterator[str]:
    if is_not_written(part):
        yield "still the stub"
    elif part.verdict not in (Verdict.ACCEPTED, Verdict.TOO_SLOW):
        yield one_line(part.failure.test)[:_LONGEST] if part.failure else ""
    else:
        yield from _missed(part)


def _missed(part: PartResult) -> Iterator[str]:
    """Right answers that miss points: which ones."""
    if part.failure:
        yield one_line(part.failure.test)[:_LONGEST]
    parallelism = part.parallelism
    if parallelism and parallelism.points < parallelism.max_points:
        figure = "expected speedup" if parallelism.threads else "parallelism"
        yield f"{figure} below {value_text(parallelism.full)}"
    if part.timing and part.timing.points < part.timing.max_points:
        yield f"time above {part.timing.full:g} times the reference's"
    for counter in part.counters:
        if counter.points < counter.max_points:
            yield f"{one_line(counter.counter)}: not {asked_text(counter)}"
