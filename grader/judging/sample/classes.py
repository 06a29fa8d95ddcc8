"""The bundled class: some samples of each lab as students' submissions, in a layout per lab."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.judging.sample.samples import Sample
from grader.judging.sample.shapes import SHAPES
from grader.model.errors import GraderError

_MARKER = ".sample_class"


@dataclass(frozen=True)
class SampleClass:
    """A class on disk, for --submissions, and the sample that each student handed in."""

    submissions: Path
    samples: dict[str, Sample]


def build_class(handed_in: Sequence[Sample], file: str, folder: Path, turn: int) -> SampleClass:
    """Writes one lab's class below `folder`; `turn` chooses the layout. Replaces an earlier one."""
    _make_room(folder)
    names = [f"student{number:02d}" for number in range(1, len(handed_in) + 1)]
    by_student = dict(zip(names, handed_in, strict=True))
    students = {name: sample.read() for name, sample in by_student.items()}
    return SampleClass(SHAPES[turn % len(SHAPES)](students, file, folder), by_student)


def _make_room(folder: Path) -> None:
    """Removes only what an earlier demo wrote."""
    try:
        if folder.exists():
            if any(folder.iterdir()) and not (folder / _MARKER).exists():
                raise GraderError(f"{folder} is not empty", "choose another --out")
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        (folder / _MARKER).touch()
    except OSError as error:
        raise GraderError(
            f"cannot write to {folder}: {error.strerror}", "choose another --out"
        ) from error
