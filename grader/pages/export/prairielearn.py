"""A results.json for each student, in the format of PrairieLearn's external graders."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grader.model.lab import Lab
from grader.model.result import Result
from grader.pages.export.gradescope import output, require_graded, tests
from grader.pages.export.per_student import write_documents


def document(result: Result, lab: Lab) -> dict[str, Any]:
    """One student's results.json; the score is a share of 1. GraderError for a judge error."""
    require_graded(result)
    return {
        "gradable": True,
        "score": round(min(1.0, result.points / result.max_points), 6),
        "output": output(result, lab),
        "tests": [
            {
                "name": test["name"],
                "points": test["score"],
                "max_points": test["max_score"],
                "output": test["output"],
            }
            for test in tests(result, lab)
        ],
    }


def export(results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes `path/prairielearn/<student>/results.json`, or none for who was not judged."""
    return write_documents("prairielearn", results, path, lambda result: document(result, lab))
