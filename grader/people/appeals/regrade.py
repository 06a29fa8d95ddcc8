"""What a changed kit means for stored results: computed anew where stored measurements suffice,
graded again where a test changed, and shown before it counts."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field

from grader.judging.executors import LocalExecutor, Work
from grader.judging.store import Store
from grader.model.manifest import Kit
from grader.model.result import Key, Result
from grader.model.verdict import Verdict
from grader.people.appeals.changes import OtherKit, lab_changes
from grader.people.appeals.kept import kept_submission
from grader.people.appeals.recompute import GradeAgainError, recomputed
from grader.sandbox.folders import work_folder


@dataclass(frozen=True)
class Regraded:
    """One student's result by the old kit and by the new one."""

    old: Result
    new: Result
    why: str
    """What changed, or why it was graded again."""

    @property
    def differs(self) -> bool:
        return (self.old.points, self.old.verdict) != (self.new.points, self.new.verdict)


@dataclass
class Plan:
    """What is to be done with a class's results."""

    unaffected: int = 0
    """Results of the new kit already."""
    ungradable: int = 0
    """Results of those who handed in no file that can be graded: no kit changes that."""
    computed: list[Regraded] = field(default_factory=list)
    again: list[tuple[Result, str]] = field(default_factory=list)
    """Results whose submissions must be graded again, and why."""


def plan(store: Store, kit: Kit) -> Plan:
    """Compares the new kit, which the store gets to keep, with those of the stored results."""
    store.archive.keep(kit, [])
    made, others = Plan(), dict[str, OtherKit]()
    for result in store.results():
        digest = result.key.kit
        if digest == kit.manifest.digest:
            made.unaffected += 1
            continue
        if result.verdict is Verdict.NOTHING_GRADABLE:
            made.ungradable += 1
            continue
        if digest not in others:
            others[digest] = OtherKit(store, digest, kit)
        try:
            made.computed.append(_computed(result, others[digest], kit))
        except GradeAgainError as error:
            made.again.append((result, str(error)))
    return made


def _computed(result: Result, other: OtherKit, kit: Kit) -> Regraded:
    if not result.verdict.is_final:
        raise GradeAgainError("it was not judged")
    if other.lab is None:
        raise GradeAgainError("its kit is not kept")
    if other.other_files:
        raise GradeAgainError(f"changed: {', '.join(other.other_files)}")
    new = recomputed(result, other.lab, kit.lab, kit.manifest.digest)
    return Regraded(result, new, "; ".join(lab_changes(other.lab, kit.lab)) or "other texts")


def grade_again(
    store: Store, kit: Kit, made: Plan, jobs: int, say: Callable[[str], None]
) -> Iterator[Regraded]:
    """Grades each text of `made.again` once and keeps its result, which counts for nobody yet.

    What an earlier run kept is not graded again. A submission without a text is left out.
    """
    machine = LocalExecutor().machine(gpu=False) or ""
    seed = store.seed(None)
    waiting: dict[str, list[tuple[Result, str]]] = {}
    for result, why in made.again:
        waiting.setdefault(result.key.submission, []).append((result, why))
    for digest in list(waiting):
        key = Key(kit=kit.manifest.digest, submission=digest, seed=seed, machine=machine)
        if found := store.find(key):
            yield from _of_each(found, waiting.pop(digest))
    with work_folder() as folder:
        submissions = [
            kept_submission(group[0][0], kit.manifest.file, text, folder / digest)
            for digest, group in waiting.items()
            if (text := store.archive.content(digest)) is not None
        ]
        if not submissions:
            return
        jobs = min(jobs, len(submissions))
        work = Work(kit, seed, store.secret(), submissions, jobs, False, True, say)
        with closing(LocalExecutor().results(work)) as results:
            for submission, result in results:
                store.put(result, [])
                yield from _of_each(result, waiting[submission.digest])


def _of_each(found: Result, group: list[tuple[Result, str]]) -> Iterator[Regraded]:
    for old, why in group:
        named = {"student": old.student, "source": old.source}
        yield Regraded(old, found.model_copy(update=named), why)


def apply(store: Store, kit: Kit, lab: str, done: list[Regraded]) -> None:
    """Makes the new results count; the old ones are kept as the students' earlier ones."""
    by_key: dict[str, list[Regraded]] = {}
    for entry in done:
        if entry.new.verdict.is_final:
            by_key.setdefault(entry.new.key.model_dump_json(), []).append(entry)
    for group in by_key.values():
        store.put(group[0].new, [(entry.old.student, entry.old.source) for entry in group])
    store.bind(lab, kit.lab)
