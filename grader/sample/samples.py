"""The sample submissions that each lab ships, filed by the verdict that they must get."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from grader.collect.submission import Submission
from grader.collect.tree import Entry, FolderTree, Kind
from grader.model.errors import GraderError
from grader.model.verdict import Verdict

_BENCHMARKS = "bench"
_LAZY = "lazy"
_SUFFIXES = frozenset({".cc", ".cu"})


@dataclass(frozen=True)
class Sample:
    """One file named after its defect, in a folder named after its verdict."""

    path: Path
    expected: Verdict

    @property
    def name(self) -> str:
        return f"{self.path.parent.name if self.is_lazy else self.expected}/{self.path.stem}"

    @property
    def is_lazy(self) -> bool:
        """Whether it gives right answers without the parallel work: a ceiling, not a verdict, is
        what it is held to."""
        return self.path.parent.name == _LAZY

    @property
    def is_wrong(self) -> bool:
        return self.expected is not Verdict.ACCEPTED

    @property
    def is_hostile(self) -> bool:
        """Whether its first line says that it attacks the grader, and not that it is wrong."""
        with self.path.open("rb") as stream:
            return stream.readline(256).startswith(b"// Hostile")

    def submission(self) -> Submission:
        path = self.path.resolve()  # Bazel shows links, which no submission may be
        data = path.read_bytes()
        entry = Entry((path.name,), Kind.FILE, len(data))
        digest = hashlib.sha256(data).hexdigest()
        return Submission(self.name, str(self.path), digest, None, FolderTree(path.parent), entry)


def lazy_samples(folder: Path) -> list[Sample]:
    """A lab's right programs without the parallel work, in the order of their names."""
    return [
        Sample(path, Verdict.TOO_SLOW)
        for path in sorted((folder / _LAZY).glob("*"))
        if path.suffix in _SUFFIXES
    ]


def samples(folder: Path) -> list[Sample]:
    """A lab's samples in the order of their names, the reference first.

    Benchmarks in `bench` are none, nor are lazy samples. GraderError if another folder is not named
    after a verdict.
    """
    found = [
        Sample(path, Verdict.ACCEPTED)
        for path in sorted(folder.glob("*.c[cu]"))
        if not path.name.startswith("hidden_")
    ]
    for inside in sorted(path for path in folder.iterdir() if path.is_dir()):
        if inside.name in (_BENCHMARKS, _LAZY):
            continue
        try:
            verdict = Verdict(inside.name)
        except ValueError as error:
            names = ", ".join(Verdict)
            raise GraderError(f"{inside} is not named after a verdict", f"use {names}") from error
        found += [Sample(p, verdict) for p in sorted(inside.iterdir()) if p.suffix in _SUFFIXES]
    return found
