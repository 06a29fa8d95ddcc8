"""One student's submission, found but not yet graded."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from common.lab.text_policy.policy import too_large
from grader.collect.tree import Entry, Kind, Tree
from grader.model.errors import JudgeError
from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Problem:
    """Why there is nothing to compile: POLICY if the student can fix it, else JUDGE_ERROR."""

    verdict: Verdict
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """One student's files, under the names by which they were handed in."""

    student: str
    source: str
    files: tuple[tuple[str, Entry], ...]
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """A student's one file. Its text stays on disk until it is graded."""

    student: str
    source: str
    digest: str
    problem: Problem | None = None
    tree: Tree | None = None
    entry: Entry | None = None

    def read(self) -> bytes:
        """The file's bytes; JudgeError if it was deleted or changed since it was found."""
        assert self.tree is not None
        assert self.entry is not None
        try:
            data = self.tree.read(self.entry, self.entry.size)
        except OSError as error:
            raise JudgeError(f"cannot read {self.source}: {error}") from error
        if _digest(data) != self.digest:
            raise JudgeError(f"{self.source} changed while it was being graded")
        return data


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def readable(name: str) -> str:
    """A name that prints on one line and survives UTF-8: control and broken bytes are escaped."""
    text = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def refused(found: Found, problem: Problem) -> Submission:
    """A submission without a file. Its digest is that of the reason."""
    digest = _digest(f"{problem.verdict}\0{problem.text}".encode("utf-8", "backslashreplace"))
    return Submission(found.student, found.source, digest, problem)


def settle(found: Found, tree: Tree, expected: str, lab: str, limit: int) -> Submission:
    """Chooses the expected file among those handed in; on failure sets the submission's problem."""
    if found.problem:
        return refused(found, found.problem)
    entry = _choose(found, expected, lab)
    if isinstance(entry, Problem):
        return refused(found, entry)
    source = f"{tree.root}/{entry.path}"
    found = Found(found.student, readable(source), found.files)
    if entry.kind is not Kind.FILE:
        text = f"{expected} is a {entry.kind.value}: hand in the file itself"
        return refused(found, Problem(Verdict.POLICY, text))
    if entry.size > limit:
        return refused(found, _too_large(expected, entry.size, limit))
    try:
        data = tree.read(entry, limit)
    except OSError as error:
        return refused(found, Problem(Verdict.JUDGE_ERROR, f"cannot read {found.source}: {error}"))
    if len(data) > limit:
        return refused(found, _too_large(expected, None, limit))
    if len(data) != entry.size:
        text = f"{found.source} has {len(data)} bytes, but its size is given as {entry.size}"
        return refused(found, Problem(Verdict.JUDGE_ERROR, text))
    return Submission(found.student, found.source, _digest(data), None, tree, entry)


def _too_large(name: str, size: int | None, limit: int) -> Problem:
    return Problem(Verdict.POLICY, too_large(name, size, limit))


def _choose(found: Found, expected: str, lab: str) -> Entry | Problem:
    matches = [entry for name, entry in found.files if name == expected]
    in_place = [e for e in matches if e.parts[-2:-1] == (lab,) or e.parts[-3:-1] == ("labs", lab)]
    if len(matches) > 1 and len(in_place) == 1:
        return in_place[0]
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = " and ".join(readable(entry.path) for entry in matches[:3])
        text = f"{len(matches)} files named {expected}, expected one: {names}"
        return Problem(Verdict.POLICY, text)
    suffix = expected[expected.rfind(".") :]
    close = [readable(name) for name, _ in found.files if name.endswith(suffix)][:3]
    hint = f"; found {', '.join(close)}: name it {expected}" if close else ""
    return Problem(Verdict.POLICY, f"{expected} is missing{hint}")
