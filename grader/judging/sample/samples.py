"""The sample submissions of each lab, in folders named after the verdict that they must get."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from common.lab.programming_models.models import ENDINGS
from grader.judging.collect.submission import Submission
from grader.judging.collect.tree import Entry, Kind, OneText
from grader.judging.sample import patches
from grader.model.errors import GraderError
from grader.model.verdict import Verdict

_OTHERS = ("bench", "exercises", "lazy")
"""Folders without samples that a verdict names."""
_LAZY = "lazy"
_SUFFIXES = ENDINGS | {patches.SUFFIX}


@dataclass(frozen=True)
class Sample:
    """One program named after its defect, in a folder named after its verdict."""

    path: Path
    """The path of the whole file, or of the patch."""
    expected: Verdict

    @property
    def name(self) -> str:
        return f"{self.path.parent.name if self.is_lazy else self.expected}/{self.path.stem}"

    @property
    def is_lazy(self) -> bool:
        """Whether it gives right answers without the parallel work: it is checked against a ceiling
        instead of a verdict."""
        return self.path.parent.name == _LAZY

    @property
    def is_wrong(self) -> bool:
        return self.expected is not Verdict.ACCEPTED

    @property
    def is_hostile(self) -> bool:
        """Whether its first line marks it as an attack on the grader."""
        with self.path.open("rb") as stream:
            return stream.readline(256).startswith(b"// Hostile")

    @property
    def file_name(self) -> str:
        """The name of the whole file."""
        return self.patch.target.rpartition("/")[2] if self.is_patch else self.path.name

    @property
    def is_patch(self) -> bool:
        return self.path.suffix == patches.SUFFIX

    def read(self) -> bytes:
        """The whole file; GraderError if it is stored as a patch that does not apply."""
        if not self.is_patch:
            return self.path.read_bytes()
        base = patches.expand(self.lab, self.patch.base, (self.patch.name,))
        return patches.apply(self.patch, base).encode(errors="surrogateescape")

    @cached_property
    def patch(self) -> patches.Patch:
        """The parsed patch; only if is_patch."""
        name = f"{self.path.parent.name}/{self.path.name}"
        return patches.parse(name, self.lab.read(name) or "")

    @property
    def lab(self) -> patches.LabFolder:
        """The lab's folder; not for the reference, which is not in a verdict's folder."""
        return patches.LabFolder(self.path.parent.parent)

    def submission(self) -> Submission:
        data = self.read()
        entry = Entry((self.file_name,), Kind.FILE, len(data))
        digest = hashlib.sha256(data).hexdigest()
        return Submission(self.name, str(self.path), digest, None, OneText(Path(), data), entry)


def lazy_samples(folder: Path) -> list[Sample]:
    """A lab's right programs without the parallel work, sorted by name."""
    return [Sample(path, Verdict.TOO_SLOW) for path in _stored(folder / _LAZY)]


def samples(folder: Path) -> list[Sample]:
    """A lab's samples sorted by name, the reference first.

    Excludes benchmarks in `bench`, what `exercises` hand in, and lazy samples. GraderError if
    another folder is not named after a verdict, or a sample exists both whole and as a patch.
    """
    found = [
        Sample(path, Verdict.ACCEPTED)
        for path in sorted(folder.iterdir())
        if path.suffix in ENDINGS and not path.name.startswith("hidden_")
    ]
    for inside in sorted(path for path in folder.iterdir() if path.is_dir()):
        if inside.name in _OTHERS:
            continue
        try:
            verdict = Verdict(inside.name)
        except ValueError as error:
            names = ", ".join(Verdict)
            raise GraderError(f"{inside} is not named after a verdict", f"use {names}") from error
        found += [Sample(path, verdict) for path in _stored(inside)]
    return found


def _stored(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.glob("*") if path.suffix in _SUFFIXES)
    for one, other in pairwise(found):
        if one.stem == other.stem:
            raise GraderError(f"{one} and {other.name} both exist", "remove one of them")
    return found
