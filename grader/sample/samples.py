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


@dataclass(frozen=True)
class Sample:
    """One file named after its defect, in a folder named after its verdict."""

    path: Path
    expected: Verdict

    @property
    def name(self) -> str:
        return f"{self.expected}/{self.path.stem}"

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


def samples(folder: Path) -> list[Sample]:
    """A lab's samples in the order of their names, the reference first.

    Benchmarks in `bench` are none. GraderError if another folder is not named after a verdict.
    """
    suffixes = {".cc", ".cu"}
    found = [
        Sample(path, Verdict.ACCEPTED)
        for path in sorted(folder.glob("*.c[cu]"))
        if not path.name.startswith("hidden_")
    ]
    for inside in sorted(path for path in folder.iterdir() if path.is_dir()):
        if inside.name == _BENCHMARKS:
            continue
        try:
            verdict = Verdict(inside.name)
        except ValueError as error:
            names = ", ".join(Verdict)
            raise GraderError(f"{inside} is not named after a verdict", f"use {names}") from error
        found += [Sample(p, verdict) for p in sorted(inside.iterdir()) if p.suffix in suffixes]
    return found
