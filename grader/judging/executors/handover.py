"""The hand-over folder: how work goes to another machine, and results come back, as plain files.

    assignment.json       Assignment: lab, kit, seed, secret
    kit/                  the lab's kit, whole
    submissions/DIGEST    the file that was handed in, by its SHA-256
    chunks/NAME.json      Chunk: what one machine grades at a time
    results/DIGEST.json   Result, one a submission, written whole or not at all

It has no student's name: a submission is its digest. The folder is readable by its owner alone, as
the kit has the hidden tests. Any engine that runs `grader grade-chunk` on chunks can grade.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grader.judging.collect import Submission
from grader.judging.collect.submission import Problem
from grader.judging.collect.tree import Entry, FolderTree, Kind
from grader.model.errors import GraderError
from grader.model.files import make_folder, replacing, write_error
from grader.model.manifest import Kit, load_kit
from grader.model.result import Result
from grader.model.verdict import Verdict

_AGAIN = "run the same `grade` command again: it lays the work out anew"
_Model = TypeVar("_Model", bound=BaseModel)


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Item(_Record):
    """One submission: a file of that digest, or the reason why there is none."""

    digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    verdict: Verdict | None = None
    problem: str = ""


class Chunk(_Record):
    """Submissions that one machine grades."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    items: list[Item]


class Assignment(_Record):
    """What is graded, and how."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    lab: str
    kit: str
    """The kit's digest."""
    seed: int
    secret: str
    gpu: bool


@dataclass(frozen=True)
class Handover:
    """One folder, on storage that all machines share."""

    root: Path

    def lay_out(self, assignment: Assignment, kit: Kit, submissions: Sequence[Submission]) -> None:
        """Writes kit and submissions; results that are there stay. GraderError without room."""
        try:
            make_folder(self.root)
            self.root.chmod(0o700)
            for name in ("submissions", "chunks", "results", "logs"):
                make_folder(self.root / name)
            if not (self.root / "kit").exists():
                copy_kit(kit.root, self.root / "kit")
            for submission in submissions:
                self._write(submission)
        except (OSError, shutil.Error) as error:
            first = error if isinstance(error, OSError) and error.strerror else OSError(str(error))
            raise write_error(self.root, first) from error
        _save(self.root / "assignment.json", assignment)

    def _write(self, submission: Submission) -> None:
        path = self.root / "submissions" / submission.digest
        if submission.problem or path.exists():
            return
        aside = path.with_suffix(".part")
        aside.write_bytes(submission.read())
        aside.rename(path)

    def add_chunk(self, name: str, submissions: Sequence[Submission]) -> Path:
        """Writes one chunk and returns its file."""
        path = self.root / "chunks" / f"{name}.json"
        _save(path, Chunk(items=[_item(submission) for submission in submissions]))
        return path

    def assignment(self) -> Assignment:
        return _load(self.root / "assignment.json", Assignment)

    def kit(self) -> Kit:
        """The kit, checked against the one that assignment.json names."""
        kit = load_kit(self.root / "kit")
        if kit.manifest.digest != self.assignment().kit:
            raise GraderError(f"{kit.root} is not the kit of {self.root}/assignment.json", _AGAIN)
        return kit

    def submissions(self, chunk: Path) -> list[Submission]:
        """Those of a chunk that have no result yet."""
        items = _load(chunk, Chunk).items
        return [self._submission(item) for item in items if not self.result(item.digest)]

    def _submission(self, item: Item) -> Submission:
        if item.verdict:
            return Submission("", "", item.digest, Problem(item.verdict, item.problem))
        folder = self.root / "submissions"
        try:
            size = (folder / item.digest).stat().st_size
        except OSError:
            size = 0  # reading it then says what is wrong
        entry = Entry((item.digest,), Kind.FILE, size)
        return Submission("", item.digest, item.digest, None, FolderTree(folder), entry)

    def put(self, result: Result) -> None:
        """Keeps one result."""
        _save(self.root / "results" / f"{result.key.submission}.json", result)

    def result(self, digest: str) -> Result | None:
        """The final result of one submission; None if there is none, or only a judge error."""
        found = self._read_result(self.root / "results" / f"{digest}.json")
        return found if found and found.verdict.is_final else None

    def results(self, wanted: set[str]) -> Iterator[Result]:
        """The results of those digests that are there, judge errors among them."""
        for path in sorted((self.root / "results").glob("*.json")):
            if path.stem in wanted and (found := self._read_result(path)):
                yield found

    def forget(self, *, everything: bool) -> None:
        """Removes judge errors, which are tried again, or all results."""
        for path in (self.root / "results").glob("*.json"):
            found = self._read_result(path)
            if everything or found is None or not found.verdict.is_final:
                path.unlink(missing_ok=True)

    def _read_result(self, path: Path) -> Result | None:
        """None for a file that is missing, damaged, or not of this work."""
        try:
            found = Result.model_validate_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        asked = self.assignment()
        key = (found.key.kit, found.key.submission, found.key.seed)
        return found if key == (asked.kit, path.stem, asked.seed) else None


def _item(submission: Submission) -> Item:
    problem = submission.problem
    if problem is None:
        return Item(digest=submission.digest)
    return Item(digest=submission.digest, verdict=problem.verdict, problem=problem.text)


def copy_kit(kit: Path, target: Path) -> None:
    """Whole or not at all; Bazel's own files may be links and are read-only."""
    aside = target.with_suffix(".part")
    shutil.rmtree(aside, ignore_errors=True)
    shutil.copytree(kit, aside)
    for path in (aside, *aside.rglob("*")):
        path.chmod(0o755 if path.is_dir() else path.stat().st_mode | 0o200)
    aside.rename(target)


def _save(path: Path, record: BaseModel) -> None:
    with replacing(path) as file:
        file.write(record.model_dump_json(by_alias=True))


def _load(path: Path, kind: type[_Model]) -> _Model:
    try:
        return kind.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GraderError(f"cannot read {path}: {error.strerror}", _AGAIN) from error
    except ValidationError as error:
        raise GraderError(f"{path}: {error.errors()[0]['msg']}", _AGAIN) from error
