"""`demo`: the sample class, graded like any other, each verdict compared with the expected one."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.cli.grade import REPORT, Request, grade_class
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
    said: set[str] = set()
    wrong: list[str] = []
    total = 0
    for turn, lab in enumerate(chosen):
        kit = find_kit(lab)
        samples = build_class(sample_root() / lab, kit.manifest.file, out / lab / "class", turn)
        _keep_out_of_git(out)
        results = out / lab / "results"
        grade_class(Request(lab, samples.submissions, results, jobs, said=said), console)
        wrong += [f"{lab}: {line}" for line in _differences(samples, results)]
        total += len(samples.expected)
        console.print()
    _conclude(total, wrong, [out / lab / "results" for lab in chosen], console)
    return not wrong


def _differences(samples: SampleClass, results: Path) -> list[str]:
    with Store(results, create=False) as store:
        got = {result.student: result.verdict for result in store.results(texts=False)}
    return [
        f"{student} ({samples.defects[student]}) should get {expected}, got {got[student]}"
        for student, expected in samples.expected.items()
        if got[student] is not expected
    ]


def _conclude(total: int, wrong: list[str], folders: list[Path], console: Console) -> None:
    style = "bold red" if wrong else "bold green"
    line = f"{total - len(wrong)} of {total} submissions got exactly the verdict they should"
    console.print(Text(line, style=style))
    for line in wrong:
        console.print(Text(f"  {line}", style="red"), soft_wrap=True)
    for folder in folders:
        page = (folder / REPORT / "index.html").resolve()
        console.print(Text(f"report: {page.as_uri()}"), soft_wrap=True)


def _keep_out_of_git(out: Path) -> None:
    """The class may be written into a working copy; it is nothing to commit."""
    ignore = out / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")
