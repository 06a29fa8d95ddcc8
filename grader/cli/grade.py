"""`grade`: collect a class, grade what is new, store each result, show where things stand."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.cli.found import record
from grader.cli.kits import find_kit
from grader.judging.collect import Collection, Submission, collect
from grader.judging.executors import Executor, LocalExecutor, Work
from grader.judging.store import FILE_NAME, Store
from grader.model.errors import GraderError, JudgeError
from grader.model.manifest import Kit
from grader.model.verdict import Verdict
from grader.pages.report.progress import GradingProgress

REPORT = "report"
_MOST_NOTES = 10


@dataclass(frozen=True)
class Request:
    """What the user asked for."""

    lab: str
    submissions: Path
    out: Path
    jobs: int | None = None
    students: tuple[str, ...] = ()
    seed: int | None = None
    force: bool = False
    kit: Path | None = None
    gpu: bool = False
    """Whether the lab's timing is taken on this machine's GPU."""
    executor: Executor = field(default_factory=LocalExecutor)
    said: set[str] = field(default_factory=set)
    """Lost protections that the user knows of; those that are told are added."""


@dataclass
class Outcome:
    """What was done, in submissions (a student's each)."""

    chosen: int
    graded: int = 0
    judge_errors: int = 0


def grade_class(request: Request, console: Console | None = None) -> Outcome:
    """Grades a class into request.out; GraderError for wrong input, KeyboardInterrupt passes."""
    console = console or Console()
    kit = find_kit(request.lab, request.kit, gpu=request.gpu)
    if request.gpu:
        _require_gpu_build(kit)
    collection = find_submissions(request, kit)
    chosen = _choose(collection, request.students)
    _announce(console, kit, collection, len(chosen))
    _require_its_results(request.out)
    with Store(request.out, create=True) as store:
        store.bind(request.lab, kit.lab)
        chosen = _record(request, kit, collection, chosen, store, console)
        outcome = grade_new(request, kit, chosen, store, console)
        _show(store, kit, request, outcome, console)
    return outcome


def find_submissions(request: Request, kit: Kit) -> Collection:
    """The class that was handed in; GraderError if there is none."""
    limit = kit.lab.limits.source_kb << 10
    # Another run may name the same folder from elsewhere.
    return collect(request.submissions.resolve(), kit.manifest.file, request.lab, limit)


def _require_its_results(out: Path) -> None:
    """A database of 0 bytes is what a killed grader leaves, but not beside a page of results."""
    database = out / FILE_NAME
    page = page_of(out)
    if page.exists() and database.exists() and not database.stat().st_size:
        raise GraderError(
            f"{database} is damaged: it has 0 bytes, and {page} shows results",
            "put a copy of it back, or choose another --out",
        )


def page_of(out: Path) -> Path:
    """The class page of a folder of results."""
    return out / REPORT / "index.html"


def _require_gpu_build(kit: Kit) -> None:
    if not kit.lab.programming.gpu:
        raise GraderError(f"--gpu: {kit.manifest.lab} is no CUDA lab", "leave --gpu out")
    if "gpu" not in kit.manifest.builds:
        raise GraderError(
            f"--gpu: the kit of {kit.manifest.lab} is built for the simulator alone",
            f"build it for a GPU, too: bazel build --config=gpu //solutions:{kit.manifest.lab}_kit",
        )


def _choose(collection: Collection, students: tuple[str, ...]) -> list[Submission]:
    by_name = {submission.student: submission for submission in collection.submissions}
    for student in students:
        if student not in by_name:
            close = difflib.get_close_matches(student, by_name, 3) or list(by_name)[:3]
            raise GraderError(f"no submission of {student!r}", f"there is {', '.join(close)}")
    return [by_name[name] for name in dict.fromkeys(students)] or collection.submissions


def _announce(console: Console, kit: Kit, collection: Collection, chosen: int) -> None:
    total = len(collection.submissions)
    count = f"{chosen} of {total}" if chosen != total else f"{total}"
    line = f"{kit.lab.title}: {count} submissions, found as {collection.shape}"
    console.print(Text(line), soft_wrap=True)
    _print_notes(console, collection.notes)


def _print_notes(console: Console, notes: Sequence[str]) -> None:
    for note in notes[:_MOST_NOTES]:
        console.print(Text(f"  note: {note}"), soft_wrap=True)
    if len(notes) > _MOST_NOTES:
        console.print(Text(f"  note: and {len(notes) - _MOST_NOTES} more"))


def _record(
    request: Request,
    kit: Kit,
    collection: Collection,
    chosen: Sequence[Submission],
    store: Store,
    console: Console,
) -> list[Submission]:
    """Records who was found; returns those of `chosen` that no correction replaced."""
    seed, machine = store.seed(request.seed), request.executor.machine(gpu=request.gpu)
    kept, notes = record(store, kit, collection, request.students, seed, machine)
    _print_notes(console, notes)
    return [submission for submission in chosen if submission.student not in kept]


def grade_new(
    request: Request,
    kit: Kit,
    chosen: Sequence[Submission],
    store: Store,
    console: Console,
    progress: GradingProgress | None = None,
) -> Outcome:
    """Grades those that have no stored result and stores theirs; advances `progress`, if given.

    Submissions of the same text are graded once.
    """
    from grader.sandbox.machine import cores

    _keep(store, kit, chosen)
    seed, machine = store.seed(request.seed), request.executor.machine(gpu=request.gpu)
    stored = {} if request.force else store.final_keys(kit.manifest.digest, seed, machine)
    store.point([(s.student, s.source, stored[s.digest]) for s in chosen if s.digest in stored])
    groups: dict[str, list[Submission]] = {}
    for submission in chosen:
        if submission.digest not in stored:
            groups.setdefault(submission.digest, []).append(submission)
    left = sum(map(len, groups.values()))
    outcome = Outcome(len(chosen))
    if not groups:
        return outcome
    jobs = min(request.jobs or cores(), len(groups))
    firsts = [group[0] for group in groups.values()]
    work = Work(kit, seed, firsts, jobs, request.gpu, request.force, _say_on(console))
    try:
        if isinstance(request.executor, LocalExecutor):
            _say_what_is_lost(kit, console, request.said)
        with (
            nullcontext(progress) if progress else GradingProgress(left, console) as shown,
            closing(request.executor.results(work)) as results,
        ):
            for submission, result in results:
                twins = groups[submission.digest]
                store.put(result, [(twin.student, twin.source) for twin in twins])
                for twin in twins:
                    outcome.graded += 1
                    outcome.judge_errors += result.verdict is Verdict.JUDGE_ERROR
                    shown.advance(result.verdict, twin.student)
    except (KeyboardInterrupt, GraderError):
        done = outcome.chosen - left + outcome.graded
        if not request.force:  # what was stored last may not be counted yet
            kept = store.final_keys(kit.manifest.digest, seed, machine)
            done = max(done, sum(submission.digest in kept for submission in chosen))
        _say_on(console)(
            f"stopped: {done} of {outcome.chosen} are graded and saved in {store.path}\n"
            "  next: run the same command again; it goes on from there"
        )
        raise
    return outcome


def _keep(store: Store, kit: Kit, chosen: Sequence[Submission]) -> None:
    """Keeps what judges and what is judged: for appeals, when neither folder exists any more."""
    known = store.archive.digests()
    store.archive.keep(kit, _texts(each for each in chosen if each.digest not in known))


def _texts(submissions: Iterable[Submission]) -> Iterator[tuple[str, bytes]]:
    for submission in submissions:
        if submission.problem is None:
            with suppress(JudgeError):  # grading reports what cannot be read
                yield submission.digest, submission.read()


def _say_on(console: Console) -> Callable[[str], None]:
    return lambda words: console.print(Text(words), soft_wrap=True)


def _say_what_is_lost(kit: Kit, console: Console, said: set[str]) -> None:
    from grader.sandbox.run_in_jail import probe

    for line in probe(kit.jail):
        if line not in said:
            console.print(Text(f"protection lost on this machine: {line}"), soft_wrap=True)
            said.add(line)


def _show(store: Store, kit: Kit, request: Request, outcome: Outcome, console: Console) -> None:
    from grader.pages.report.terminal import print_student, print_summary

    if request.students:
        for student in dict.fromkeys(request.students):
            print_student(store.load(student, texts=True), kit.lab, console)
    else:
        print_summary(store.results(texts=False), kit.lab, console, protections=not outcome.graded)
    already = outcome.chosen - outcome.graded
    if already:
        console.print(Text(f"{already} of {outcome.chosen} were graded already (--force repeats)"))
    page = page_of(request.out)
    if not (store.page_is_current() and page.exists()):
        from grader.cli.pages import write_class_page

        page = write_class_page(store, kit.lab, page.parent)
        store.page_was_written()
    console.print(Text(f"report: {page.resolve().as_uri()}"), soft_wrap=True)
    if outcome.judge_errors:
        console.print(
            Text(f"{outcome.judge_errors} could not be graded through no fault of the students\n")
            + Text("  next: see the report for the reason, then run the same command again"),
            soft_wrap=True,
        )
