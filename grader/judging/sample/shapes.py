"""Writes a class of sample submissions in the layouts that collect/shapes.py recognises."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

Class = dict[str, bytes]
"""student -> submitted text"""


def folder_per_student(students: Class, file: str, folder: Path) -> Path:
    """student01/sum.cc; some students hand in a subfolder."""
    for number, (student, text) in enumerate(students.items()):
        place = folder / "submissions" / student / ("" if number % 3 else "solution")
        place.mkdir(parents=True)
        (place / file).write_bytes(text)
    return folder / "submissions"


def gradescope_export(students: Class, file: str, folder: Path) -> Path:
    """submission_1001/sum.cc and a metadata file that names the students."""
    export = folder / "assignment_export"
    export.mkdir()
    metadata = ["---"]
    for number, (student, text) in enumerate(students.items(), 1001):
        place = export / f"submission_{number}"
        place.mkdir()
        (place / file).write_bytes(text)
        metadata += [
            f"submission_{number}:",
            "  :submitters:",
            f"  - :name: {json.dumps(student)}",
            f"    :sid: {json.dumps(student)}",
            "  :status: processed",
        ]
    (export / "submission_metadata.yml").write_text("\n".join(metadata) + "\n", encoding="utf-8")
    return export


def canvas_zip(students: Class, file: str, folder: Path) -> Path:
    """One archive of flat names; some are late, some have a second attempt."""
    path = folder / "submissions.zip"
    stem, _, suffix = file.rpartition(".")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (student, text) in enumerate(students.items(), 1):
            late = "LATE_" if number % 7 == 0 else ""
            prefix = f"{student}_{late}{5000 + number}_{90000 + number}_"
            if number % 5 == 0:
                archive.writestr(prefix + file, b"// an earlier attempt\n")
                archive.writestr(f"{prefix}{stem}-1.{suffix}", text)
            else:
                archive.writestr(prefix + file, text)
    return path


def git_clones(students: Class, file: str, folder: Path) -> Path:
    """student01/.git and the file somewhere in the clone."""
    clones = folder / "clones"
    for student, text in students.items():
        repository = clones / student / ".git"
        (repository / "hooks").mkdir(parents=True)
        (repository / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        (repository / file).write_bytes(b"// not a submission: this lies inside .git\n")
        place = clones / student / "src"
        place.mkdir()
        (place / file).write_bytes(text)
    return clones


SHAPES: tuple[Callable[[Class, str, Path], Path], ...] = (
    folder_per_student,
    gradescope_export,
    canvas_zip,
    git_clones,
)
