"""What `grade` asks of whoever grades for it."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

from grader.judging.collect import Submission
from grader.model.manifest import Kit
from grader.model.result import Result
from grader.sandbox.processes import Processes


@dataclass(frozen=True)
class Work:
    """Submissions of different texts to one lab, to be graded with one seed."""

    kit: Kit
    seed: int
    secret: str
    """Of the store: see GradingContext."""
    submissions: Sequence[Submission]
    jobs: int
    """Submissions that one machine grades at a time."""
    gpu: bool
    """Whether CUDA labs are timed on a GPU."""
    again: bool
    """Whether results that an executor still has are graded again."""
    say: Callable[[str], None]
    """Tells the user something, in whole lines."""
    on_phase: Callable[[str, str], None] | None = None
    """See GradingContext; only the local executor knows phases."""
    processes: Processes | None = None
    """Whoever stops them ends the work, with StoppedError; the local executor's alone."""


class Executor(Protocol):
    """Grades submissions somewhere."""

    def machine(self, *, gpu: bool) -> str | None:
        """The class of the machines that grade; None if results of any class count."""

    def results(self, work: Work) -> Generator[tuple[Submission, Result], None, None]:
        """Yields each submission's result when it is ready, in any order.

        Closing the generator early ends all work under way. GraderError if none can be done.
        """
