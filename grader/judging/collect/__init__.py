"""Finds each student's file in a class's submissions, in any of the supported layouts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.judging.collect.gradescope import METADATA, created
from grader.judging.collect.shapes import recognise, students_folder
from grader.judging.collect.submission import Found, Problem, Submission, refused, settle
from grader.judging.collect.tree import open_tree
from grader.model.errors import GraderError
from grader.model.verdict import Verdict

__all__ = ["Collection", "Problem", "Submission", "collect", "hand_in_times"]


@dataclass(frozen=True)
class Collection:
    """A class's submissions, sorted by student, each student once."""

    shape: str
    root: Path
    submissions: list[Submission]
    notes: list[str]
    names: dict[str, str] = field(default_factory=dict)
    """Student -> name, where the platform's own key is a number."""


def collect(
    path: Path, expected: str, lab: str, limit_bytes: int, beside: Sequence[str] = ()
) -> Collection:
    """Finds the submissions below a folder or in a zip archive; `beside` as in settle().

    GraderError if there are none. A problem with one student's submission is recorded in its
    `problem` and does not affect the others. Reads each file once, up to the limit.
    """
    tree = open_tree(path)
    shape = recognise(tree, expected)
    settled: dict[str, list[Submission]] = {}
    for found in shape.found:
        submission = settle(found, tree, expected, lab, limit_bytes, beside)
        settled.setdefault(submission.student, []).append(submission)
    submissions = [_one_of(settled[student]) for student in sorted(settled)]
    return Collection(shape.name, path, submissions, tree.notes, shape.names)


def hand_in_times(path: Path) -> dict[str, str]:
    """When each student of a download from Gradescope handed in, in Gradescope's words.

    The names are those of `collect`. GraderError if `path` is no such download.
    """
    tree = open_tree(path)
    top = students_folder(tree)
    if all(entry.name != METADATA for entry in tree.children(top)):
        step = "give Gradescope's download of submissions; write other times to handed_in.csv"
        raise GraderError(f"{path} has no {METADATA}", step)
    return created(tree, top)


def _one_of(candidates: list[Submission]) -> Submission:
    first = candidates[0]
    if all(other.digest == first.digest for other in candidates):
        return first
    text = f"{len(candidates)} submissions by one student: " + " and ".join(
        other.source for other in candidates[:3]
    )
    return refused(Found(first.student, first.source, ()), Problem(Verdict.NOTHING_GRADABLE, text))
