"""`demo`: the sample class, graded like any other, each verdict compared with the expected one."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.cli.grade import Request, grade_class
from grader.cli.places import find_kit, kit_folders, sample_root
from grader.model.errors import GraderError
from grader.sample.classes import SampleClass, build_class
from grader.store import Store


def grade_sample_class(
    out: Path, jobs: int | None, labs: tuple[str, ...], console: Console | None = None
) -> bool:
    """Grades every lab's samples below `out`; whether each got its verdict."""
    console = console or Console()
    chosen = list(labs) or sorted(kit_folders())
    if not chosen:
        raise GraderError("no kits are built", "build them with: bazel build //solutions:kits")
    right = total = 0
    for turn, lab in enumerate(chosen):
        kit = find_kit(lab)
        samples = build_class(sample_root() / lab, kit.manifest.file, out / lab / "class", turn)
        _keep_out_of_git(out)
        results = out / lab / "results"
        grade_class(Request(lab, samples.submissions, results, jobs), console)
        right += _compare(samples, results, console)
        total += len(samples.expected)
        console.print()
    style = "bold green" if right == total else "bold red"
    console.print(Text(f"{right} of {total} submissions got the expected verdict", style=style))
    for lab in chosen:
        page = out / lab / "results" / "report" / "index.html"
        console.print(Text(f"report: {page.resolve()}"), soft_wrap=True)
    return right == total


def _compare(samples: SampleClass, results: Path, console: Console) -> int:
    right = 0
    with Store(results, create=False) as store:
        got = {result.student: result.verdict for result in store.results(texts=False)}
    for student, expected in samples.expected.items():
        if got.get(student) is expected:
            right += 1
            continue
        line = f"{student} ({samples.defects[student]}) should get {expected}, got {got[student]}"
        console.print(Text(line, style="red"), soft_wrap=True)
    return right


def _keep_out_of_git(out: Path) -> None:
    """The class may be written into a working copy; it is nothing to commit."""
    ignore = out / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
