"""One self-contained HTML page per student, to hand back: it shows only what a student may see."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from common.lab.failure_pictures import report
from common.lab.failure_pictures.pictures import pictures_of
from common.pictures.picture import DEFINITIONS, css
from grader.model.files import FileNames, write_text
from grader.model.lab import Lab, Part
from grader.model.result import Diagnostic, Failure, PartResult, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.counter_words import shown_advice
from grader.pages.presentation.facts import (
    Split,
    confidence,
    diagnostics_for_student,
    failure_for_student,
    is_graded,
    split_points,
    who,
)
from grader.pages.presentation.feedback import HEADINGS
from grader.pages.presentation.text import cap, one_line
from grader.pages.presentation.words import Words, part_words, result_words, seed_words
from grader.pages.report.excerpts import Excerpt, Source
from grader.pages.report.kernel_figures import kernel_figures
from grader.pages.report.next_steps import next_steps
from grader.pages.report.templating import environment, own, style

_TEXT_BUDGET = 40_000
"""Characters of messages and excerpts on a page. Escaped, each takes up to six bytes."""
_CHARACTERS, _LINES = 8_000, 120
_PICTURES = 3
"""Of one message."""


@dataclass(frozen=True)
class _Finding:
    """A message, the student's lines that it names, and pictures of what it says."""

    title: str
    text: str
    excerpts: list[Excerpt]
    pictures: Sequence[str]


@dataclass(frozen=True)
class _PointRow:
    """A line of the sum that makes a part's points."""

    what: str
    points: float
    max_points: float
    note: str = ""


@dataclass(frozen=True)
class _PartView:
    part: PartResult
    words: Words
    tested: str
    finding: _Finding | None
    rows: list[_PointRow]
    level: str
    advice: list[Excerpt]
    kernels: Sequence[str]
    """Pictures of what they cost."""


class _Budget:
    """Cuts texts so that a page stays small, whatever a submission made the tools say."""

    def __init__(self, file: str, text: str | None) -> None:
        self._source = Source(file, text)
        self._drawn = report.Source({file: (text or "").replace("\r\n", "\n").split("\n")})
        self._left = _TEXT_BUDGET

    def finding(self, title: str, text: str) -> _Finding:
        shown = cap(text, min(_CHARACTERS, self._left), _LINES) if text else ""
        self._left = max(0, self._left - len(shown))
        drawn = islice(pictures_of(shown, self._drawn), _PICTURES)
        pictures = [own(picture.figure()) for picture in drawn]
        return _Finding(one_line(title), shown, self.excerpts([shown]), pictures)

    def kernels(self, part: PartResult, lab: Lab) -> Sequence[str]:
        return [own(picture.figure()) for picture in kernel_figures(part, lab, self._drawn)]

    def excerpts(self, said: Iterable[str]) -> list[Excerpt]:
        found = self._source.excerpts(said)
        size = sum(len(line.text) + 10 for run in found for line in run)
        if size > self._left:
            return []
        self._left -= size
        return found


def write_feedback_page(
    result: Result, lab: Lab, text: str | None, folder: Path, names: FileNames | None = None
) -> Path:
    """Writes `folder/<student>.html` and returns it; GraderError if it cannot be written.

    `text`: what the student handed in, if it is known. `names`: names of all files written to
    `folder`; without it the name depends on the student.
    """
    name = (names or FileNames()).of(result.student)
    return write_text(folder / f"{name}.html", feedback_page(result, lab, text))


def feedback_page(result: Result, lab: Lab, text: str | None, back: str = "") -> str:
    """The page. It obeys the lab's `feedback.hidden`, and says nothing of the grader's own log.

    `back`: the address of the page that led to it, where one did.
    """
    budget = _Budget(lab.file, text)
    parts = [_view(part, lab, budget) for part in result.parts]
    return (
        environment()
        .get_template("feedback.html.j2")
        .render(
            lab=lab,
            result=result,
            student=who(result) or "(no name)",
            graded=is_graded(result),
            heading=result_words(result),
            parts=parts,
            reports=[_report(diagnostic, budget) for diagnostic in _reports(result, lab)],
            steps=next_steps(result, lab),
            seed=seed_words(result),
            back=back,
            css=own(css("picture")) + style("base", "feedback"),
            definitions=own(DEFINITIONS),
        )
    )


def _reports(result: Result, lab: Lab) -> list[Diagnostic]:
    return [diagnostic for diagnostic in diagnostics_for_student(result, lab) if diagnostic.text]


def _report(diagnostic: Diagnostic, budget: _Budget) -> _Finding:
    return budget.finding(HEADINGS[diagnostic.phase], diagnostic.text)


def _view(part: PartResult, lab: Lab, budget: _Budget) -> _PartView:
    planned = next((each for each in lab.parts if each.function == part.function), None)
    level = confidence(lab, part.function)
    said = [line for counter in part.counters for line in shown_advice(counter)]
    return _PartView(
        part,
        part_words(part),
        _tested(part, planned),
        _failing(failure_for_student(part, lab), budget),
        _rows(part, split_points(part, lab)),
        f"{100 * level:g} %" if level else "",
        budget.excerpts(said),
        budget.kernels(part, lab),
    )


def _failing(failure: Failure | None, budget: _Budget) -> _Finding | None:
    return budget.finding(failure.test, failure.message) if failure else None


def _tested(part: PartResult, planned: Part | None) -> str:
    """What was run, and what was not because of what was found before it."""
    if not part.tests_total:
        return "Nothing was run."
    cases = f"{part.tests_total} hidden test{'s' if part.tests_total != 1 else ''}"
    asked = []
    if planned and planned.parallelism:
        asked.append(("parallelism", part.parallelism is not None))
    if planned and planned.timing:
        asked.append(("time", part.timing is not None))
    if planned and planned.counters:
        asked.append(("counters", bool(part.counters)))
    done = [what for what, was_run in asked if was_run]
    left = [what for what, was_run in asked if not was_run]
    text = f"{cases}, of which {part.tests_passed} passed"
    text += f"; measured: {', '.join(done)}." if done else "."
    if left and part.verdict not in (Verdict.ACCEPTED, Verdict.TOO_SLOW):
        text += f" Not measured, because the answers must be right first: {', '.join(left)}."
    return text


def _rows(part: PartResult, split: Split) -> list[_PointRow]:
    """The sum of a part's points, from the grader's own figures."""
    share = part.parallelism.share if part.parallelism else 1
    times = f"multiplied by the {100 * share:.0f} % that parallelism earns" if share < 1 else ""
    rows = [
        _PointRow("right answers", split.tests, split.tests_max),
        _PointRow("parallelism", split.parallelism, split.parallelism_max),
        _PointRow("time", split.timing, split.timing_max, times),
        _PointRow("counters", split.counters, split.counters_max, times),
    ]
    return [row for row in rows if row.max_points > 0]
