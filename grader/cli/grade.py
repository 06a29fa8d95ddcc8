"""`grade`: collect a class, grade what is new, store each result, show where things stand."""

import difflib
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.cli.kits import find_kit
from grader.cli.pages import current_page, page_of
from grader.judging.classes.class_run import ClassRun, HowToGrade
from grader.judging.collect import Collection, Submission, collect
from grader.judging.executors import LocalExecutor
from grader.judging.store import FILE_NAME, Store
from grader.model.errors import GraderError
from grader.model.kind import BESIDE
from grader.model.manifest import Kit
from grader.pages.report.progress import GradingProgress

_MOST_NOTES = 10


@dataclass(frozen=True)
class Request:
    """What the user asked for."""

    lab: str
    submissions: Path
    out: Path
    how: HowToGrade
    students: tuple[str, ...] = ()
    kit: Path | None = None


@dataclass
class Outcome:
    """What was done, in submissions (a student's each)."""

    chosen: int
    graded: int
    judge_errors: int


def grade_class(request: Request, console: Console | None = None) -> Outcome:
    """Grades a class into request.out; GraderError for wrong input, KeyboardInterrupt passes."""
    console = console or Console()
    kit = find_kit(request.lab, request.kit, gpu=request.how.gpu)
    if request.how.gpu:
        _require_gpu_build(kit)
    collection = find_submissions(kit, request.submissions)
    chosen = _choose(collection, request.students)
    _announce(console, kit, collection, len(chosen))
    _require_its_results(request.out)
    with Store(request.out, create=True) as store:
        store.bind(request.lab, kit.lab)
        run = ClassRun(store, kit, request.how)
        corrected, notes = run.record(collection, request.students)
        _print_notes(console, notes)
        run.choose([each for each in chosen if each.student not in corrected])
        if run.left:
            if isinstance(request.how.executor, LocalExecutor):
                say_what_is_lost(kit, console, set())
            with GradingProgress(run.left, console) as progress:
                show_progress(run, store, console, progress)
        _show(store, kit, request, run, console)
    return Outcome(len(run.chosen), run.graded, run.judge_errors)


def find_submissions(kit: Kit, place: Path) -> Collection:
    """The class that was handed in; GraderError if there is none."""
    limit = kit.lab.limits.source_kb << 10
    # Another run may name the same folder from elsewhere.
    manifest = kit.manifest
    beside = BESIDE.get(manifest.kind, ())
    return collect(place.resolve(), manifest.file, manifest.folder, limit, beside)


def _require_its_results(out: Path) -> None:
    """A database of 0 bytes is what a killed grader leaves, but not beside a page of results."""
    database = out / FILE_NAME
    page = page_of(out)
    if page.exists() and database.exists() and not database.stat().st_size:
        raise GraderError(
            f"{database} is damaged: it has 0 bytes, and {page} shows results",
            "put a copy of it back, or choose another --out",
        )


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


def show_progress(run: ClassRun, store: Store, console: Console, progress: GradingProgress) -> None:
    """Grades those that have no result; tells what is saved if that is interrupted."""
    say = _say_on(console)
    try:
        with closing(run.grade(say)) as verdicts:
            for verdict, student in verdicts:
                progress.advance(verdict, student)
    except (KeyboardInterrupt, GraderError):
        say(
            f"stopped: {run.saved()} of {len(run.chosen)} are graded and saved in {store.path}\n"
            "  next: run the same command again; it goes on from there"
        )
        raise


def _say_on(console: Console) -> Callable[[str], None]:
    return lambda words: console.print(Text(words), soft_wrap=True)


def say_what_is_lost(kit: Kit, console: Console, said: set[str]) -> None:
    """Tells of lost protections that are not in `said`, and adds them."""
    from grader.sandbox.run_in_jail import probe

    for line in probe(kit.jail):
        if line not in said:
            console.print(Text(f"protection lost on this machine: {line}"), soft_wrap=True)
            said.add(line)


def _show(store: Store, kit: Kit, request: Request, run: ClassRun, console: Console) -> None:
    from grader.pages.report.terminal import print_student, print_summary

    if request.students:
        for student in dict.fromkeys(request.students):
            print_student(store.load(student, texts=True), kit.lab, console)
    else:
        print_summary(store.results(texts=False), kit.lab, console, protections=not run.graded)
    already = len(run.chosen) - run.graded
    if already:
        console.print(Text(f"{already} of {len(run.chosen)} were graded already (--force repeats)"))
    page = current_page(store, kit.lab, request.out)
    console.print(Text(f"report: {page.resolve().as_uri()}"), soft_wrap=True)
    if run.judge_errors:
        console.print(
            Text(f"{run.judge_errors} could not be graded through no fault of the students\n")
            + Text("  next: see the report for the reason, then run the same command again"),
            soft_wrap=True,
        )
