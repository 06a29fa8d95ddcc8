"""For GitHub: a summary in Markdown and a check run for each student's last commit."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grader.model.files import FileNames, make_folder, write_text
from grader.model.lab import Lab
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.presentation.facts import is_graded
from grader.pages.presentation.feedback import feedback_text
from grader.pages.presentation.text import one_line
from grader.pages.presentation.words import points_text, result_words

_CHARACTERS = 60_000
"""A check run's summary may have 65,535."""


def check_run(result: Result, lab: Lab) -> dict[str, Any]:
    """What `POST /repos/OWNER/REPO/check-runs` takes, but for `head_sha`.

    Who was not judged gets no score and the neutral conclusion, never a failure.
    """
    label = result_words(result).label
    graded = is_graded(result)
    score = f"{points_text(result.points)} of {points_text(result.max_points)} points"
    passed = "success" if result.verdict is Verdict.ACCEPTED else "failure"
    return {
        "name": one_line(lab.title),
        "status": "completed",
        "conclusion": passed if graded else "neutral",
        "output": {
            "title": f"{score}: {label}" if graded else "not judged: your instructor will grade it",
            "summary": summary(result, lab),
        },
    }


def summary(result: Result, lab: Lab) -> str:
    """The feedback, cut to what GitHub takes."""
    text = feedback_text(result, lab)
    if len(text) <= _CHARACTERS:
        return text
    return text[:_CHARACTERS].rpartition("\n")[0] + "\n\n… the rest is not shown\n"


def export(results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes `path/github/<student>/summary.md` and `check_run.json` for each student."""
    folder = make_folder(path / "github")
    names = FileNames()
    written: list[Path] = []
    for result in results:
        own = folder / names.of(result.student)
        written.append(write_text(own / "summary.md", summary(result, lab)))
        text = json.dumps(check_run(result, lab), ensure_ascii=False, indent=1)
        written.append(write_text(own / "check_run.json", text + "\n"))
    return written
