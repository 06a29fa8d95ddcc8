"""A JSON document for each student who was judged, and a list of those who were not."""

import contextlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from grader.model.files import FileNames, make_folder, write_error, write_text
from grader.model.result import Result
from grader.pages.presentation.facts import is_graded
from grader.pages.presentation.text import one_line


def write_documents(
    name: str,
    results: Iterable[Result],
    path: Path,
    document: Callable[[Result], dict[str, Any]],
    file_name: str = "results.json",
) -> list[Path]:
    """Writes `path/NAME/<student>/FILE_NAME` for each student.

    A student who was not judged gets none, and an older one is deleted: a missing file is a failed
    grading, but any score would be published. Such students are listed in
    `path/NAME_not_graded.txt`.
    """
    folder = make_folder(path / name)
    names = FileNames()
    written: list[Path] = []
    missing: list[str] = []
    for result in results:
        target = folder / names.of(result.student) / file_name
        if is_graded(result):
            text = json.dumps(document(result), ensure_ascii=False, indent=1)
            written.append(write_text(target, text + "\n"))
        else:
            _remove(target)
            missing.append(one_line(result.student))
    listed = path / f"{name}_not_graded.txt"
    if missing:
        advice = f"Not judged, no {file_name} written. Grade the lab again, then export again:\n"
        written.append(write_text(listed, advice + "\n".join(missing) + "\n"))
    else:
        _remove(listed)
    return written


def _remove(path: Path) -> None:
    try:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            path.unlink()
    except OSError as error:
        raise write_error(path, error) from error
