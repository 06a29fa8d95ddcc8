"""For Classroom 50: the points of a result.json, schema classroom50/result/v1.

What names a submission there (classroom, assignment, owner, tag, commit) is in the result.json of
its release, into which github_workflow.yml puts the points. The schema:
https://github.com/foundation50/classroom50/blob/main/schemas/result-v1.schema.json
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.model.lab import Lab, Part
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.export.gradescope import require_graded
from grader.pages.export.per_student import write_documents
from grader.pages.presentation.facts import part_of
from grader.pages.presentation.text import one_line
from grader.pages.presentation.words import WORDS, part_words

SCHEMA = "classroom50/result/v1"


def document(result: Result, lab: Lab) -> dict[str, Any]:
    """One student's points, as whole numbers: each part's are rounded, and the score is their sum.
    GraderError for a judge error."""
    require_graded(result)
    tests = [_test(result, part) for part in lab.parts]
    graded = datetime.fromisoformat(result.graded_at).astimezone(UTC)
    return {
        "schema": SCHEMA,
        "graded_at": graded.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }


def _test(result: Result, planned: Part) -> dict[str, Any]:
    part = part_of(result, planned.function)
    words = part_words(part) if part else WORDS[result.verdict]
    return {
        "test-name": one_line(planned.title),
        "passed": part is not None and part.verdict is Verdict.ACCEPTED,
        "score": _whole(part.points) if part else 0,
        "max-score": _whole(planned.max_points),
        "output": f"{words.label}: {words.sentence}",
    }


def _whole(points: float) -> int:
    return int(points + 0.5)


def export(results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes `path/classroom50/<student>/result.json`, or none for who was not judged."""
    return write_documents(
        "classroom50", results, path, lambda result: document(result, lab), "result.json"
    )
