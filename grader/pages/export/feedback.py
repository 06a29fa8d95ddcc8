"""A Markdown file for each student, which an instructor can hand back as it is."""

from collections.abc import Iterable
from pathlib import Path

from grader.model.files import FileNames, make_folder
from grader.model.lab import Lab
from grader.model.result import Result
from grader.pages.presentation.feedback import write_feedback


def export(results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes `path/feedback/<student>.md`; students not judged get a file without points."""
    folder = make_folder(path / "feedback")
    names = FileNames()
    return [write_feedback(result, lab, folder, names) for result in results]
