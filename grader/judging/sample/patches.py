"""Samples that are stored as patches to another sample of the same lab.

A patch is called NAME.diff and lies where the whole file would:

    // The mistake in one sentence.
    --- matmul.cu
    @@ -40,2 +40 @@ __global__ void MatMulKernel(const float* a, const float* b, float* c) {
    ...

Its comment replaces the one at the start of its base, which the next line names, relative to the
lab's folder; then follow hunks as in a unified diff. Lines are numbered as in the whole files, the
base with the patch's comment. Instead of lines of context, the last line of the base before the
change that is more than a brace follows the second @@. Of N removed lines, if more than two, only
the last is written, after "~N ". A base may itself be stored as a patch.
"""

import io
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from grader.model.errors import GraderError

SUFFIX = ".diff"
_LONGEST_CHAIN = 8
_MOST_REMOVED = 2
_PLACE = re.compile(rb"(?m)^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_HUNK = re.compile(
    r"@@ -(?P<line>\d+)(?:,(?P<count>\d+))? \+\d+(?:,(?P<new_count>\d+))? @@ ?(?P<heading>.*)\n"
    r"(?P<removed>(?:-.*\n|~\d+ .*\n)*)(?P<added>(?:\+.*\n)*)"
)
_COMMENT = re.compile(r"(?://.*\n)*")
_BASE = re.compile(r"--- (.+)\n(?:\+\+\+ .+\n)?")  # earlier commits also named the result
_CARRY = "carry it over to the current base: bazel run //grader -- samples carry"


class Lab(Protocol):
    """Where the files of a lab's samples are read from."""

    def read(self, name: str) -> str | None:
        """The file of that name, relative to the lab's folder; None if there is none."""


@dataclass(frozen=True)
class LabFolder:
    """A lab's samples on disk."""

    path: Path

    def read(self, name: str) -> str | None:
        try:
            return (self.path / name).read_bytes().decode(errors="surrogateescape")
        except FileNotFoundError:
            return None

    def write(self, name: str, text: str) -> None:
        """Replaces the file of that name."""
        (self.path / name).write_bytes(text.encode(errors="surrogateescape"))

    def store(self, target: str, patch: str) -> None:
        """Replaces the whole file `target` with its patch."""
        self.write(stored_name(target), patch)
        (self.path / target).unlink(missing_ok=True)


@dataclass(frozen=True)
class Hunk:
    """Lines of the base that others replace."""

    begin: int
    """How many lines of the base stand before it."""
    heading: str
    removed: dict[int, str]
    """By their distance from `begin`, those that the patch writes."""
    count: int
    """How many lines are removed."""
    added: tuple[str, ...]


@dataclass(frozen=True)
class Patch:
    """A parsed patch."""

    name: str
    comment: str
    base: str
    """The name of the whole file to which the patch applies, even if that is stored as a patch."""
    target: str
    """The name of the resulting whole file."""
    hunks: tuple[Hunk, ...]


def stored_name(target: str) -> str:
    """The name of the patch for the file `target`."""
    return str(PurePosixPath(target).with_suffix(SUFFIX))


def parse(name: str, text: str) -> Patch:
    """Parses a patch; GraderError if it does not patch one file."""
    comment = _comment(text)
    named = _BASE.match(text, len(comment))
    if not named:
        raise GraderError(f"{name}: no base", 'write "--- BASE" below the comment')
    base = named[1]
    target = str(PurePosixPath(name).with_suffix(PurePosixPath(base).suffix))
    hunks: list[Hunk] = []
    end = named.end()
    while end < len(text):
        found = _HUNK.match(text, end)
        hunk = _hunk(found) if found else None
        if not found or not hunk:
            line = text[end:].split("\n", 1)[0]
            raise GraderError(f"{name}: not a patch of one file: {line}", "correct it")
        hunks.append(hunk)
        end = found.end()
    return Patch(name, comment, base, target, tuple(hunks))


def _hunk(found: re.Match[str]) -> Hunk | None:
    """None if the numbers of lines are not those that its first line says."""
    removed: dict[int, str] = {}
    count = 0
    for line in _lines(found["removed"]):
        skipped, text = line.split(" ", 1) if line[0] == "~" else ("~1", line[1:])
        count += int(skipped[1:])
        removed[count - 1] = text
    added = tuple(line[1:] for line in _lines(found["added"]))
    if (count, len(added)) != (int(found["count"] or 1), int(found["new_count"] or 1)):
        return None
    return Hunk(int(found["line"]) - (count > 0), found["heading"], removed, count, added)


def expand(lab: Lab, name: str, chain: tuple[str, ...] = ()) -> str:
    """The whole file of that name, expanding its patch and those of its bases if need be.

    GraderError if there is neither the file nor a patch for it, or a patch does not apply.
    """
    whole = lab.read(name)
    if whole is not None:
        return whole
    stored = stored_name(name)
    text = lab.read(stored)
    if text is None:
        wanted = f"the base of {chain[-1]}" if chain else "requested"
        raise GraderError(f"{name} is {wanted}, but neither it nor {stored} exists", "name another")
    if len(chain) == _LONGEST_CHAIN:
        raise GraderError(
            f"{chain[0]}: more than {_LONGEST_CHAIN} patches in a chain",
            "choose a base that is a whole file",
        )
    patch = parse(stored, text)
    return apply(patch, expand(lab, patch.base, (*chain, stored)))


def apply(patch: Patch, base: str) -> str:
    """The base with the patch's comment and changes.

    GraderError if a line of the base is not at its place: a patch has too little context to search
    for it.
    """
    lines = _lines(with_comment(base, patch.comment))
    made: list[str] = []
    done = 0
    for hunk in patch.hunks:
        begin = hunk.begin
        if hunk.heading:
            _require(patch, begin, _heading("".join(lines[:begin])), hunk.heading)
        for distance, expected in hunk.removed.items():
            at = begin + distance
            found = lines[at] if at < len(lines) else "the end of the file"
            _require(patch, at + 1, found, expected)
        made += [*lines[done:begin], *hunk.added]
        done = begin + hunk.count
    return "".join([*made, *lines[done:]])


def _require(patch: Patch, line: int, found: str, expected: str) -> None:
    if found != expected:
        raise GraderError(
            f"{patch.name} does not apply: line {line} of {patch.base} is {found.strip()!r}, "
            f"expected {expected.strip()!r}",
            _CARRY,
        )


def _lines(text: str) -> list[str]:
    return list(io.StringIO(text))  # splits at \n only


def _heading(before: str) -> str:
    """Names a place in the base by the text before it: its last line that is more than a brace."""
    lines = before[len(_comment(before)) :].split("\n")
    return next((said for line in reversed(lines) if len(said := line.strip()) > 1), "")


def make(base_name: str, base: str, target: str, text: str) -> str:
    """The patch that makes the file `target` with this text of the base.

    GraderError if the text does not end with a newline: patches need a special marker for that.
    """
    if not text.endswith("\n"):
        raise GraderError(f"{target}: no newline at the end of the file", "add it")
    comment = _comment(text)
    changes = _diff(with_comment(base, comment), text)
    return f"{comment}--- {base_name}\n{changes}"


@dataclass(frozen=True)
class _Change:
    """Places of lines in a text, and of those that they become."""

    old: range
    new: range

    def lines(self) -> int:
        """How many lines of a patch it takes."""
        removed = len(self.old)
        return 1 + (removed if removed <= _MOST_REMOVED else 1) + len(self.new)

    def text(self, old: list[str], new: list[str]) -> str:
        """The hunk, of the lines of both texts."""
        heading = _heading("".join(old[: self.old.start]))
        removed = [f"-{old[place]}" for place in self.old]
        if len(removed) > _MOST_REMOVED:
            removed = [f"~{len(removed)} {removed[-1][1:]}"]
        added = [f"+{new[place]}" for place in self.new]
        places = f"@@ -{_numbers(self.old)} +{_numbers(self.new)} @@ {heading}".rstrip()
        return "".join([f"{places}\n", *removed, *added])


def _numbers(places: range) -> str:
    """As in a unified diff: the first line, and how many there are unless it is one."""
    count = len(places)
    return f"{places.start + (count > 0)}" + (f",{count}" if count != 1 else "")


def _places(line: bytes, count: bytes | None) -> range:
    length = 1 if count is None else int(count)
    begin = int(line) - (length > 0)
    return range(begin, begin + length)


def _joined(changes: list[_Change]) -> list[_Change]:
    """Takes neighbouring changes, and what lies between them, for one where that is no longer."""
    best: list[tuple[int, list[_Change]]] = [(0, [])]
    for last in changes:
        ways = []
        for (length, before), first in zip(best, changes, strict=False):
            old, new = range(first.old.start, last.old.stop), range(first.new.start, last.new.stop)
            whole = _Change(old, new)
            ways.append((length + whole.lines(), [*before, whole]))
        best.append(min(ways, key=lambda way: way[0]))
    return best[-1][1]


def _diff(old: str, new: str) -> str:
    """The hunks of a patch; empty if the texts are equal."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("old", old), ("new", new)):
            (Path(folder) / name).write_bytes(text.encode(errors="surrogateescape"))
        command = ["git", "diff", "--no-index", "--no-color", "--no-ext-diff", "--no-textconv"]
        options = ["--unified=0", "--inter-hunk-context=0", "--diff-algorithm=minimal"]
        done = subprocess.run(
            [*command, *options, "old", "new"], cwd=folder, capture_output=True, check=False
        )
    if done.returncode not in (0, 1):
        raise GraderError(f"git diff failed: {done.stderr.decode().strip()}", "fix the cause")
    changes = [
        _Change(_places(found[1], found[2]), _places(found[3], found[4]))
        for found in _PLACE.finditer(done.stdout)
    ]
    old_lines, new_lines = _lines(old), _lines(new)
    return "".join(change.text(old_lines, new_lines) for change in _joined(changes))


def with_comment(text: str, comment: str) -> str:
    """The text with its leading comment replaced."""
    return comment + text[len(_comment(text)) :]


def _comment(text: str) -> str:
    match = _COMMENT.match(text)
    assert match is not None
    return match[0]
