"""A class as data: the facts of its summary and a short record of each student, for scripts."""

from collections.abc import Iterable
from typing import Any

from grader.model.lab import Lab
from grader.model.result import Result
from grader.pages.presentation.facts import flags, is_graded
from grader.pages.report.summary import ClassSummary


def class_facts(name: str, lab: Lab, results: Iterable[Result]) -> dict[str, Any]:
    """What the class's table shows. Points that are not final are null.

    The whole stored records are those of the export format json.
    """
    summary = ClassSummary(lab)
    students = []
    for result in results:
        summary.add(result)
        students.append(_student(result))
    return {
        "lab": name,
        "title": lab.title,
        "max_points": lab.max_points,
        "students": summary.students,
        "not_graded": summary.not_graded,
        "mean": summary.mean,
        "median": summary.median,
        "verdicts": dict(summary.counted_verdicts()),
        "protections_lost": dict(summary.protections),
        "results": students,
    }


def _student(result: Result) -> dict[str, Any]:
    return {
        "student": result.student,
        "verdict": result.verdict,
        "points": result.points if is_graded(result) else None,
        "flags": list(flags(result)),
        "parts": [
            {
                "function": part.function,
                "verdict": part.verdict,
                "points": part.points if part.verdict.is_final else None,
                "max_points": part.max_points,
                "ratio": part.timing.ratio if part.timing else None,
            }
            for part in result.parts
        ],
    }
