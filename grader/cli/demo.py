"""`demo`: grades sample submissions like any class and compares each verdict with the expected."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from grader.cli.grade import find_submissions, say_what_is_lost, show_progress
from grader.cli.kits import find_kits, require_known
from grader.cli.pages import REPORT
from grader.cli.places import lab_names, sample_root
from grader.judging.classes.class_run import ClassRun, HowToGrade
from grader.judging.executors import LocalExecutor
from grader.judging.sample.choice import choose, has_demo, short_demo
from grader.judging.sample.classes import SampleClass, build_class
from grader.judging.sample.samples import Sample, samples
from grader.judging.store import Store
from grader.model.manifest import Kit
from grader.model.result import Result
from grader.pages.presentation.facts import is_graded
from grader.pages.report.html import write_report
from grader.pages.report.progress import GradingProgress
from grader.pages.report.sample_table import SampleRow, print_samples
from grader.people.checks.verdicts import cannot_tell
from grader.sandbox.machine import cores

_KIT_S = 40
_SUBMISSION_S = 16
"""Core seconds to build a kit, beyond what all share, and to grade a sample: medians over labs."""


@dataclass(frozen=True)
class Demo:
    """What the user asked for: these labs, or all of them, or else those of the short demo."""

    out: Path
    jobs: int | None = None
    labs: tuple[str, ...] = ()
    all_labs: bool = False


@dataclass
class Findings:
    """What became of the samples so far."""

    rows: list[SampleRow] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    pages: list[Path] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    classes: dict[str, SampleClass] = field(default_factory=dict)
    kits: list[Kit] = field(default_factory=list)

    def facts(self) -> dict[str, Any]:
        """For --json."""
        return {
            "samples": [
                {
                    "lab": row.lab,
                    "sample": row.handed_in,
                    "student": row.result.student,
                    "verdict": row.result.verdict,
                    "points": row.result.points if is_graded(row.result) else None,
                }
                for row in self.rows
            ],
            "wrong": self.wrong,
            "undecided": self.untold,
            "reports": [page.resolve() for page in self.pages],
        }


def grade_samples(demo: Demo, console: Console | None = None) -> Findings:
    """Grades the samples below demo.out; `wrong` are those with another verdict than expected."""
    console = console or Console()
    chosen = _choose(demo)
    total = sum(map(len, chosen.values()))
    _announce(len(chosen), total, console)
    findings = Findings(kits=find_kits(list(chosen)))
    with GradingProgress(total, console) as progress:
        for turn, kit in enumerate(findings.kits):
            _grade(demo, kit, chosen[kit.manifest.lab], turn, findings, progress, console)
    print_samples(findings.rows, console)
    _conclude(total, findings, _next_steps(demo, list(chosen)), console)
    return findings


def _choose(demo: Demo) -> dict[str, list[Sample]]:
    root = sample_root()
    if not demo.labs and not demo.all_labs:
        return {lab: short_demo(root / lab) for lab in lab_names() if has_demo(root / lab)}
    labs = lab_names() if demo.all_labs else list(dict.fromkeys(demo.labs))
    require_known(labs)
    return {lab: choose(samples(root / lab)) for lab in labs}


def _announce(labs: int, total: int, console: Console) -> None:
    seconds = (_KIT_S * labs + _SUBMISSION_S * total) / cores()
    plural = "" if labs == 1 else "s"
    console.print(
        f"{total} sample submissions to {labs} lab{plural}: about {max(1, round(seconds / 60))} "
        f"minutes on {cores()} free cores, with the build",
        soft_wrap=True,
    )


def _grade(
    demo: Demo,
    kit: Kit,
    chosen: Sequence[Sample],
    turn: int,
    findings: Findings,
    progress: GradingProgress,
    console: Console,
) -> None:
    lab = kit.manifest.lab
    handed_in = build_class(chosen, kit.manifest.file, demo.out / lab / "class", turn)
    findings.classes[lab] = handed_in
    _keep_out_of_git(demo.out)
    results = demo.out / lab / "results"
    submissions = find_submissions(kit, handed_in.submissions).submissions
    with Store(results, create=True) as store:
        store.bind(lab, kit.lab)
        run = ClassRun(store, kit, HowToGrade(LocalExecutor(), demo.jobs))
        run.choose(submissions)
        if run.left:
            say_what_is_lost(kit, console, findings.lost)
        show_progress(run, store, console, progress)
        # Another demo's class may have had more students.
        found = [store.load(student, texts=True) for student in handed_in.samples]
    for result in found[: len(run.chosen) - run.graded]:
        progress.advance(result.verdict, result.student)
    findings.pages.append(write_report(found, kit.lab, results / REPORT))
    for result in found:
        _compare(kit, handed_in, result, findings)


def _compare(kit: Kit, handed_in: SampleClass, result: Result, findings: Findings) -> None:
    sample = handed_in.samples[result.student]
    findings.rows.append(SampleRow(kit.lab.title, sample.path.stem, result))
    if reason := cannot_tell(sample, result):
        findings.untold.append(reason)
    elif result.verdict is not sample.expected:
        findings.wrong.append(
            f"{kit.manifest.lab}: {result.student} ({sample.name}) got {result.verdict}"
        )


def _conclude(total: int, findings: Findings, next_steps: list[str], console: Console) -> None:
    def say(words: str, style: str = "") -> None:
        console.print(Text(words, style=style), soft_wrap=True)

    told = total - len(findings.untold)
    good = told - len(findings.wrong)
    say(
        f"{good} of {told} submissions got exactly the verdict they should",
        "bold red" if findings.wrong else "bold green",
    )
    for line in findings.wrong:
        say(f"  {line}", "red")
    for line in findings.untold:
        say(f"  no verdict without free cores, and no failure: {line}", "yellow")
    say("Each was compiled and run in a jail, tested on hidden cases, checked for races")
    say("and bounds, and timed. Its page gives the reason for every point, with lines:")
    for page in findings.pages:
        say(f"  {page.resolve().as_uri()}")
    for line in next_steps:
        say(line)


def _next_steps(demo: Demo, shown: list[str]) -> list[str]:
    labs = lab_names()
    other = next((lab for lab in labs if lab not in shown), labs[0])
    steps = [f"demo --lab {other}", "demo --all"] if not demo.all_labs else []
    steps.append("grade --lab LAB --submissions DIR --out DIR")
    head = (
        f"another lab, all {len(labs)}, or a class of your own" if steps[1:] else "your own class"
    )
    return [f"next: {head}", *(f"  bazel run //grader -- {step}" for step in steps)]


def _keep_out_of_git(out: Path) -> None:
    """The class may be written into a working copy; it is nothing to commit."""
    ignore = out / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
