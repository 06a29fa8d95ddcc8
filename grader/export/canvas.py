"""The gradebook file that Canvas imports: students on the left, one assignment column."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from grader.export.csv_format import cell
from grader.export.place import single_file
from grader.model.lab import Lab
from grader.model.result import Result
from grader.presentation.facts import is_graded
from grader.presentation.files import replacing
from grader.presentation.text import one_line


def export(results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes `path` (or `canvas.csv` in it).

    Canvas matches the column by the lab's title or offers to make a new assignment; it matches
    students by login, then by name. A score that is not final is left blank, which Canvas reads as
    no score. Scores have two decimals because Canvas compares them so.
    """
    target = single_file(path, "canvas.csv")
    with replacing(target) as file:
        rows = csv.writer(file, lineterminator="\r\n")
        rows.writerow(["Student", "ID", "SIS Login ID", "Section", cell(one_line(lab.title))])
        rows.writerow(["    Points Possible", "", "", "", f"{lab.max_points:.2f}"])
        for result in results:
            name = cell(one_line(result.student))
            rows.writerow([name, "", name, "", f"{result.points:.2f}" if is_graded(result) else ""])
    return [target]
