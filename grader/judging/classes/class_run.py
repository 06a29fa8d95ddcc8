"""One run over a class: its seed, each text graded once, each result stored when it is there."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass

from grader.judging.classes.found import record
from grader.judging.collect import Collection, Submission
from grader.judging.executors import Executor, Work
from grader.judging.store import Store
from grader.model.errors import JudgeError
from grader.model.manifest import Kit
from grader.model.verdict import Verdict
from grader.sandbox.machine import cores


@dataclass(frozen=True)
class HowToGrade:
    executor: Executor
    jobs: int | None = None
    """Submissions at a time; None: one a core."""
    seed: int | None = None
    """None: the store's, or a new one."""
    force: bool = False
    """Whether submissions with a stored result are graded again."""
    gpu: bool = False
    """Whether the lab's timing is taken on this machine's GPU."""


class ClassRun:
    """Grades submissions into a store that is bound to the kit's lab."""

    def __init__(self, store: Store, kit: Kit, how: HowToGrade) -> None:
        self._store = store
        self._kit = kit
        self._how = how
        self._seed = store.seed(how.seed)
        self._machine = how.executor.machine(gpu=how.gpu)
        self._groups: dict[str, list[Submission]] = {}
        """Submissions to be graded, by their text."""
        self.chosen: Sequence[Submission] = ()
        self.left = self.graded = self.judge_errors = 0
        """Submissions to be graded, and those that were, each student's."""

    def record(self, found: Collection, named: Sequence[str]) -> tuple[set[str], list[str]]:
        """Stores who was found; see found.record()."""
        return record(self._store, self._kit, found, named, self._seed, self._machine)

    def choose(self, chosen: Sequence[Submission]) -> None:
        """Keeps their texts and finds those that have no result."""
        self.chosen = chosen
        self._keep()
        stored = {} if self._how.force else self._stored()
        self._store.point(
            [(s.student, s.source, stored[s.digest]) for s in chosen if s.digest in stored]
        )
        for submission in chosen:
            if submission.digest not in stored:
                self._groups.setdefault(submission.digest, []).append(submission)
        self.left = sum(map(len, self._groups.values()))

    def grade(self, say: Callable[[str], None]) -> Generator[tuple[Verdict, str], None, None]:
        """Yields each student's verdict once it is stored."""
        if not self._groups:
            return
        how = self._how
        jobs = min(how.jobs or cores(), len(self._groups))
        firsts = [group[0] for group in self._groups.values()]
        secret = self._store.secret()
        work = Work(self._kit, self._seed, secret, firsts, jobs, how.gpu, how.force, say)
        with closing(how.executor.results(work)) as results:
            for submission, result in results:
                twins = self._groups[submission.digest]
                self._store.put(result, [(twin.student, twin.source) for twin in twins])
                for twin in twins:
                    self.graded += 1
                    self.judge_errors += result.verdict is Verdict.JUDGE_ERROR
                    yield result.verdict, twin.student

    def saved(self) -> int:
        """How many have a result, also after an interruption."""
        done = len(self.chosen) - self.left + self.graded
        if self._how.force:
            return done
        kept = self._stored()  # what was stored last may not be counted yet
        return max(done, sum(submission.digest in kept for submission in self.chosen))

    def _stored(self) -> dict[str, int]:
        return self._store.final_keys(self._kit.manifest.digest, self._seed, self._machine)

    def _keep(self) -> None:
        """Keeps what judges and what is judged for appeals, when neither folder exists any more."""
        known = self._store.archive.digests()
        self._store.archive.keep(
            self._kit, _texts(each for each in self.chosen if each.digest not in known)
        )


def _texts(submissions: Iterable[Submission]) -> Iterator[tuple[str, bytes]]:
    for submission in submissions:
        if submission.problem is None:
            with suppress(JudgeError):  # grading reports what cannot be read
                yield submission.digest, submission.read()
