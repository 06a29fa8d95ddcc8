"""One Markdown file per student, which an instructor can hand back as it is."""

import re
from collections.abc import Iterator
from pathlib import Path

from grader.model.files import FileNames, write_text
from grader.model.lab import Lab
from grader.model.result import CounterResult, Diagnostic, PartResult, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.counter_words import advice_lines, counter_words
from grader.pages.presentation.facts import (
    diagnostics_for_student,
    failure_for_student,
    is_graded,
    who,
)
from grader.pages.presentation.gpu_words import gpu_words
from grader.pages.presentation.parallelism_words import parallelism_words
from grader.pages.presentation.text import cap, one_line
from grader.pages.presentation.words import (
    WORDS,
    Words,
    part_words,
    points_text,
    result_words,
    seed_words,
    timing_words,
)

_CHARACTERS = 20_000
_LINES = 300
HEADINGS = {
    "handed_in": "What you handed in",
    "policy": "Which rule your file breaks",
    "compile": "What the compiler says",
    "tests": "What the tests say",
    "memory": "What the memory checker says",
    "races": "What the race checker says",
    "counters": "What the simulator says",
    "timing": "What the timing run says",
}


def write_feedback(result: Result, lab: Lab, folder: Path, names: FileNames | None = None) -> Path:
    """Writes `folder/<student>.md` and returns it. GraderError if it cannot be written.

    `names`: names of all files written to `folder`; without it the name depends on the student.
    """
    name = (names or FileNames()).of(result.student)
    return write_text(folder / f"{name}.md", feedback_text(result, lab))


def feedback_text(result: Result, lab: Lab) -> str:
    """What a student gets back, in Markdown."""
    return "\n".join(_document(result, lab)).rstrip("\n") + "\n"


def _document(result: Result, lab: Lab) -> Iterator[str]:
    words = result_words(result)
    yield f"# {_escape(lab.title)}: {_escape(who(result))}\n"
    yield f"**{_points(result)}: {words.label}.** {words.sentence}\n"
    if result.parts:
        yield "| Part | Points | Verdict | Tests passed |\n| --- | ---: | --- | ---: |"
        yield from (_row(part) for part in result.parts)
        yield ""
    for part in result.parts:
        yield from _part(part, lab, words)
    for diagnostic in diagnostics_for_student(result, lab):
        yield from _diagnostic(diagnostic)
    yield "---\n"
    yield f"File: `{lab.file}`. {seed_words(result)}"


def _points(result: Result) -> str:
    if not is_graded(result):
        return "Not final"
    return f"{points_text(result.points)} of {points_text(result.max_points)} points"


def _row(part: PartResult) -> str:
    points = points_text(part.points) if part.verdict.is_final else "–"
    tests = f"{part.tests_passed} of {part.tests_total}" if part.tests_total else "–"
    cells = (
        _escape(part.title),
        f"{points} of {points_text(part.max_points)}",
        part_words(part).label,
        tests,
    )
    return f"| {' | '.join(cells)} |"


def _part(part: PartResult, lab: Lab, already_said: Words) -> Iterator[str]:
    words = part_words(part)
    failure = failure_for_student(part, lab)
    tells = failure or part.timing or part.parallelism or part.counters
    if not tells and words in (already_said, WORDS[Verdict.ACCEPTED]):
        return
    yield f"## {_escape(part.title)}\n"
    if words != already_said and part.verdict is not Verdict.ACCEPTED:
        yield f"{words.sentence}\n"
    if failure:
        yield f"First failing case: {_escape(failure.test)}\n"
        yield from [_fenced(failure.message)] if failure.message else []
    if part.timing:
        yield f"Timing: {timing_words(part.timing)}\n"
        if on_gpu := gpu_words(part.timing):
            yield f"{_escape(on_gpu)}\n"
    if part.parallelism:
        yield f"Parallelism: {_escape(parallelism_words(part.parallelism))}\n"
    if part.counters:
        yield "What is counted in your program:\n"
        for counter in part.counters:
            yield from _counter(counter)
        yield ""


def _counter(counter: CounterResult) -> Iterator[str]:
    yield f"- {_escape(counter_words(counter))}"
    yield from (f"  - {_escape(line)}" for line in advice_lines(counter))


def _diagnostic(diagnostic: Diagnostic) -> Iterator[str]:
    yield f"## {HEADINGS[diagnostic.phase]}\n"
    yield _fenced(diagnostic.text)


def _escape(text: str) -> str:
    """One line of text that Markdown and the HTML in it take literally."""
    return re.sub(r"([\\`*_{}\[\]()<>#+!|&~])", r"\\\1", one_line(text))


def _fenced(text: str) -> str:
    """A code block whose fence is longer than any run of backticks within."""
    text = cap(text, _CHARACTERS, _LINES)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}\n"
