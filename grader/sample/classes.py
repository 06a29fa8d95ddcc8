"""The bundled class: some of each lab's samples, handed in by students in a shape per lab."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import GraderError
from grader.model.verdict import Verdict
from grader.sample.choice import choose
from grader.sample.samples import samples
from grader.sample.shapes import SHAPES

_MARKER = ".sample_class"


@dataclass(frozen=True)
class SampleClass:
    """A class on disk, as it is passed to --submissions, and what each student must get."""

    submissions: Path
    expected: dict[str, Verdict]
    defects: dict[str, str]


def build_class(lab_samples: Path, file: str, folder: Path, turn: int) -> SampleClass:
    """Writes one lab's class below `folder`; `turn` chooses the shape. Replaces an earlier one."""
    _make_room(folder)
    handed_in = choose(samples(lab_samples))
    names = [f"student{number:02d}" for number in range(1, len(handed_in) + 1)]
    students = {
        name: sample.path.read_bytes() for name, sample in zip(names, handed_in, strict=True)
    }
    path = SHAPES[turn % len(SHAPES)](students, file, folder)
    return SampleClass(
        path,
        {name: sample.expected for name, sample in zip(names, handed_in, strict=True)},
        {name: sample.name for name, sample in zip(names, handed_in, strict=True)},
    )


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
