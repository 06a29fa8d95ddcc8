"""`regrade`: what a changed lab means for stored results, shown before it counts."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.cli.kits import find_kit
from grader.cli.pages import page_of, write_class_page
from grader.judging.store import FILE_NAME, Store
from grader.model.errors import GraderError
from grader.model.result import Result
from grader.pages.presentation.text import one_line
from grader.pages.presentation.words import points_text, result_words
from grader.pages.report.progress import GradingProgress
from grader.people.appeals.regrade import Plan, Regraded, apply, grade_again, plan
from grader.sandbox.machine import cores

_MOST_REASONS = 5


@dataclass(frozen=True)
class Regrading:
    """What the user asked for."""

    lab: str
    out: Path
    kit: Path | None
    jobs: int | None
    is_applied: bool


def regrade_class(asked: Regrading, facts: dict[str, Any]) -> bool:
    """Whether everything could be judged; prints whose points change, and fills `facts`."""
    console = Console()
    kit = find_kit(asked.lab, asked.kit)
    if not (asked.out / FILE_NAME).exists():
        raise GraderError(f"no results in {asked.out}", "grade into it first: grade --out")
    with Store(asked.out, create=True) as store:
        name, _ = store.lab()
        if name != asked.lab:
            raise GraderError(f"{store.path} holds results of {name}", f"use --lab {name}")
        made = plan(store, kit)
        done = [*made.computed]
        if made.again:
            for why, count in Counter(why for _, why in made.again).most_common(_MOST_REASONS):
                _say(console, f"to be graded again: {count}, as {why}")
            with GradingProgress(len(made.again), console) as progress:
                for entry in grade_again(store, kit, made, asked.jobs or cores(), progress.note):
                    progress.advance(entry.new.verdict, entry.new.student)
                    done.append(entry)
        if asked.is_applied and done:
            apply(store, kit, name, done)
            write_class_page(store, kit.lab, page_of(asked.out).parent)
            store.page_was_written()
    left = len(made.again) + len(made.computed) - len(done)
    _show(console, made, done, left, is_applied=asked.is_applied)
    facts.update(_facts(made, done, left, is_applied=asked.is_applied))
    return not left and all(entry.new.verdict.is_final for entry in done)


def _show(
    console: Console, made: Plan, done: list[Regraded], left: int, *, is_applied: bool
) -> None:
    changed = sorted((entry for entry in done if entry.differs), key=lambda e: e.old.student)
    if changed:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
        for column in ("student", "before", "after", "why"):
            table.add_column(column, overflow="fold")
        for entry in changed:
            cells = (entry.old.student, _result(entry.old), _result(entry.new), entry.why)
            table.add_row(*(Text(one_line(cell)) for cell in cells))
        console.print(table)
    graded = len(done) - len(made.computed)
    everyone = len(done) + made.unaffected + made.ungradable + left
    _say(
        console,
        f"{len(changed)} of {everyone} students' points or verdicts "
        f"change: {len(made.computed)} computed from stored measurements, {graded} graded again, "
        f"{made.unaffected} unaffected",
    )
    if made.ungradable:
        _say(console, f"{made.ungradable} handed in nothing that can be graded: left as they are")
    if left:
        _say(console, f"{left} have no text in the store: grade their folder again with `grade`")
    if done and not is_applied:
        _say(console, "nothing counts yet\n  next: run it again with --apply")


def _result(result: Result) -> str:
    return f"{points_text(result.points)} {result_words(result).label}"


def _facts(made: Plan, done: list[Regraded], left: int, *, is_applied: bool) -> dict[str, Any]:
    return {
        "is_applied": is_applied,
        "unaffected": made.unaffected,
        "computed": len(made.computed),
        "graded_again": len(done) - len(made.computed),
        "without_text": left,
        "ungradable": made.ungradable,
        "changes": [
            {
                "student": entry.old.student,
                "before": {"points": entry.old.points, "verdict": entry.old.verdict},
                "after": {"points": entry.new.points, "verdict": entry.new.verdict},
                "why": entry.why,
            }
            for entry in done
            if entry.differs
        ],
    }


def _say(console: Console, words: str) -> None:
    console.print(Text(words), soft_wrap=True)
