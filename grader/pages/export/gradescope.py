"""A results.json for each student, in the format of Gradescope's autograders."""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from grader.model.errors import GraderError
from grader.model.lab import Lab
from grader.model.result import PartResult, Result
from grader.model.verdict import Verdict
from grader.pages.export.per_student import write_documents
from grader.pages.presentation.counter_words import advice_lines, counter_words
from grader.pages.presentation.facts import (
    Split,
    diagnostics_for_student,
    failure_for_student,
    is_graded,
    part_of,
    split_points,
)
from grader.pages.presentation.feedback import HEADINGS
from grader.pages.presentation.gpu_words import timing_lines
from grader.pages.presentation.parallelism_words import parallelism_words
from grader.pages.presentation.text import cap, one_line
from grader.pages.presentation.words import WORDS, part_words, points_text, result_words, seed_words

_CHARACTERS = 20_000
_LINES = 300


def _test(name: str, number: str, points: float, most: float, output: str) -> dict[str, Any]:
    return {
        "name": one_line(name),
        "name_format": "text",
        "number": number,
        "score": round(points, 4),
        "max_score": round(most, 4),
        "output": output,
        "output_format": "text",
        "visibility": "visible",
    }


def _answers_test(part: PartResult, lab: Lab, split: Split, number: str) -> dict[str, Any]:
    right = part.verdict in (Verdict.ACCEPTED, Verdict.TOO_SLOW)
    words = WORDS[Verdict.ACCEPTED] if right else part_words(part)
    output = f"{words.label}: {words.sentence}"
    if failure := failure_for_student(part, lab):
        output += f"\n\n{one_line(failure.test)}\n{failure.message}"
    test = _test(part.title, number, split.tests, split.tests_max, cap(output, _CHARACTERS, _LINES))
    return test | {"status": "passed" if right else "failed", "tags": [part.verdict.value]}


def _timing_test(part: PartResult, split: Split, number: str) -> dict[str, Any]:
    name = f"{part.title}: timing"
    if part.timing is None:
        output = "Not timed: only parts with right answers are timed."
        return _test(name, number, 0.0, split.timing_max, output) | {"status": "failed"}
    output = "\n".join(timing_lines(part.timing))
    earned = part.timing.decision != "zero"
    if not earned:
        output = f"{WORDS[Verdict.TOO_SLOW].sentence}\n\n{output}"
    test = _test(name, number, split.timing, split.timing_max, output)
    return test | {"status": "passed" if earned else "failed"}


def _parallelism_test(part: PartResult, split: Split, number: str) -> dict[str, Any]:
    name = f"{part.title}: parallelism"
    if part.parallelism is None:
        output = "Not measured: parallelism is measured only for parts with right answers."
        return _test(name, number, 0.0, split.parallelism_max, output) | {"status": "failed"}
    words = parallelism_words(part.parallelism)
    test = _test(name, number, split.parallelism, split.parallelism_max, words)
    return test | {"status": "passed" if part.parallelism.share > 0 else "failed"}


def _counters_test(part: PartResult, split: Split, number: str) -> dict[str, Any]:
    name = f"{part.title}: counters"
    if not part.counters:
        output = "Not counted: only parts with right answers are counted."
        return _test(name, number, 0.0, split.counters_max, output) | {"status": "failed"}
    lines = [
        line
        for counter in part.counters
        for line in (counter_words(counter), *(f"  {text}" for text in advice_lines(counter)))
    ]
    output = cap("\n".join(lines), _CHARACTERS, _LINES)
    test = _test(name, number, split.counters, split.counters_max, output)
    whole = split.counters >= split.counters_max
    return test | {"status": "passed" if whole else "failed"}


def tests(result: Result, lab: Lab) -> Iterator[dict[str, Any]]:
    """A test for each part and each measurement; their points sum to the result's."""
    for number, planned in enumerate(lab.parts, start=1):
        part = part_of(result, planned.function)
        if part is None:
            output = f"Not run: {WORDS[result.verdict].happened}"
            test = _test(planned.title, str(number), 0.0, planned.max_points, output)
            yield test | {"status": "failed"}
            continue
        split = split_points(part, lab)
        yield _answers_test(part, lab, split, str(number))
        if split.timing_max > 0:
            yield _timing_test(part, split, f"{number}.1")
        if split.counters_max > 0:
            yield _counters_test(part, split, f"{number}.2")
        if split.parallelism_max > 0:
            yield _parallelism_test(part, split, f"{number}.3")


def output(result: Result, lab: Lab) -> str:
    """What the student reads first: points, verdict in words, reports."""
    words = result_words(result)
    lines = [
        f"{words.label}, {points_text(result.points)} of {points_text(result.max_points)} points",
        words.sentence,
    ]
    lines += [
        f"\n{HEADINGS[diagnostic.phase]}:\n{diagnostic.text}"
        for diagnostic in diagnostics_for_student(result, lab)
    ]
    lines.append(f"\n{seed_words(result)}")
    return cap("\n".join(lines), _CHARACTERS, _LINES)


def require_graded(result: Result) -> None:
    """GraderError for a judge error."""
    if not is_graded(result):
        raise GraderError(
            f"{one_line(result.student)}: not judged, so there is no score to export",
            "grade the lab again: only submissions that were not judged are graded again",
        )


def document(result: Result, lab: Lab) -> dict[str, Any]:
    """One student's results.json. GraderError for a judge error: it has no score to publish."""
    require_graded(result)
    return {
        "score": round(result.points, 4),
        "execution_time": round(sum(result.seconds.values()), 3),
        "output": output(result, lab),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": list(tests(result, lab)),
        "leaderboard": [
            {
                "name": f"{one_line(part.title)}: time / reference",
                "value": round(part.timing.ratio, 4),
                "order": "asc",
            }
            for part in result.parts
            if part.timing and math.isfinite(part.timing.ratio)
        ],
        "extra_data": {
            "student": result.student,
            "lab": result.lab,
            "verdict": result.verdict.value,
            "graded_at": result.graded_at,
            "protections_lost": result.protections_lost,
            **result.key.model_dump(),
        },
    }


def export(results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes `path/gradescope/<student>/results.json` for each student.

    A student who was not judged gets none, and an older one is deleted: Gradescope treats a missing
    file as a failed autograder, but would publish any score. Such students are listed in
    `path/gradescope_not_graded.txt`.
    """
    return write_documents("gradescope", results, path, lambda result: document(result, lab))
