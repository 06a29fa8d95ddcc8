"""One student's submission, found but not yet graded."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from common.lab.text_policy.policy import too_large
from grader.judging.collect.archives import INSIDE, File, look_inside
from grader.judging.collect.choice import choose
from grader.judging.collect.several import joined
from grader.judging.collect.tree import Entry, Kind, OneText, Tree
from grader.model.errors import JudgeError
from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Problem:
    """Why there is nothing to compile; JUDGE_ERROR if the student cannot fix it."""

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
    note: str = ""
    """What the student should know of how the file was chosen."""

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


def settle(
    found: Found, tree: Tree, expected: str, lab: str, limit: int, beside: Sequence[str] = ()
) -> Submission:
    """Chooses the lab's file among those handed in; on failure sets the submission's problem.

    With the files named `beside` it, if they are there, it becomes one text: see several.py.
    """
    if found.problem:
        return refused(found, found.problem)
    files = [_file(name, entry, tree) for name, entry in found.files]
    choice = choose(files, expected, lab)
    if isinstance(choice, str):
        return refused(found, Problem(Verdict.NOTHING_GRADABLE, choice))
    file = choice.file
    in_archive = INSIDE in file.shown
    source = f"{tree.root}/{file.shown}"
    found = Found(found.student, readable(source), found.files)
    if file.kind is not Kind.FILE:
        text = f"{expected} is a {file.kind.value}: hand in the file itself"
        return refused(found, Problem(Verdict.NOTHING_GRADABLE, text))
    if file.size > limit:
        return refused(found, _too_large(expected, file.size, limit))
    try:
        data = file.read(limit)
    except OSError as error:
        # The student made an inner archive; the outer one is ours.
        verdict = Verdict.NOTHING_GRADABLE if in_archive else Verdict.JUDGE_ERROR
        return refused(found, Problem(verdict, f"cannot read {found.source}: {error}"))
    if len(data) > limit:
        return refused(found, _too_large(expected, None, limit))
    if len(data) != file.size:
        verdict = Verdict.NOTHING_GRADABLE if in_archive else Verdict.JUDGE_ERROR
        text = f"{found.source} has {len(data)} bytes, but its size is given as {file.size}"
        return refused(found, Problem(verdict, text))
    note = readable(choice.note)
    if beside:
        others = {name: _beside(files, name, limit) for name in beside}
        data = joined(found.student, {expected: data, **others})
    if in_archive or beside:
        entry = Entry((expected,), Kind.FILE, len(data))
        where: Tree = OneText(tree.root, data)
    else:
        entry, where = found.files[files.index(file)][1], tree
    return Submission(found.student, found.source, _digest(data), None, where, entry, note)


def _beside(files: Sequence[File], name: str, limit: int) -> bytes:
    """The file of exactly that name; nothing where there is none, or several that differ."""
    every = [*files, *look_inside(list(files), name).files]
    found = {_start(file, limit) for file in every if file.kind is Kind.FILE and file.name == name}
    return found.pop() if len(found) == 1 else b""


def _start(file: File, limit: int) -> bytes:
    """Up to its limit: what was cut off there is judged as it is."""
    try:
        return file.read(limit)[:limit]
    except OSError:
        return b""


def _file(name: str, entry: Entry, tree: Tree) -> File:
    """Unpacking on Linux leaves names like src\\sum.cc of an archive that was made on Windows."""
    path = (*entry.parts[:-1], *name.replace("\\", "/").split("/"))
    path = path if path[-1] else entry.parts
    shown = readable(entry.path)
    return File(path, shown, entry.kind, entry.size, lambda limit: tree.read(entry, limit))


def _too_large(name: str, size: int | None, limit: int) -> Problem:
    return Problem(Verdict.POLICY, too_large(name, size, limit))
