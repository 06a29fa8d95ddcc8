"""`similar`: which submissions share text, from the store alone."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.cli import places
from grader.cli.document import print_document
from grader.judging.store import Store
from grader.model.errors import GraderError
from grader.model.lab import Lab
from grader.pages.presentation.text import one_line
from grader.people.similar.given import given_lines, handed_out, without
from grader.people.similar.page import Facts, write_page
from grader.people.similar.pairs import Pair, group, most_alike
from grader.people.similar.sim import Sim
from grader.sandbox.folders import work_folder

PAGE = "similar.html"


def show_similar(
    out: Path,
    to: Path | None,
    given: Sequence[Path],
    earlier: Sequence[Path],
    at_least: int,
    most: int,
    *,
    as_json: bool,
) -> None:
    """Compares the class's texts, writes the page, and prints the pairs.

    `earlier` are results of earlier terms, with whose texts the class's are compared, too.
    """
    with work_folder() as folder, Store(out, create=False) as store:
        _, lab = store.lab()
        mine = _texts(store)
        before = _earlier(earlier, out)
        texts = mine | before
        kit = store.kit(_newest_kit(store), folder / "kit")
        lines = given_lines(handed_out(kit, places.workspace() / "labs", given))
        own = {student: without(lines, text) for student, text in texts.items()}
        grouped = group(texts, own, before)
        sim = Sim(kit.jail, folder, grouped.own)
        pairs = most_alike(sim, grouped, at_least, most)
    facts = Facts(len(mine), len(grouped.students), at_least, len(before))
    page = write_page(pairs, lab, facts, lines, to or out / PAGE)
    same = [
        names
        for names, is_earlier in zip(grouped.students, grouped.is_earlier, strict=True)
        if len(names) > 1 and not is_earlier
    ]
    if as_json:
        print_document(_facts(pairs, same, facts))
    else:
        _print(pairs, same, facts, lab, page)


def _earlier(folders: Sequence[Path], out: Path) -> dict[str, str]:
    """The texts of other folders of results; whose they are says which folder's."""
    found: dict[str, str] = {}
    names = [folder.resolve().name for folder in folders]
    for folder, name in zip(folders, names, strict=True):
        if folder.resolve() == out.resolve():
            raise GraderError(f"--earlier {folder} is --out", "name the results of another term")
        label = name if names.count(name) == 1 and name != out.resolve().name else str(folder)
        with Store(folder, create=False) as store:
            found |= {f"{student} in {label}": text for student, text in _texts(store).items()}
    return found


def _texts(store: Store) -> dict[str, str]:
    texts = {student: store.text(student) for student in store.students()}
    kept = {student: text for student, text in texts.items() if text is not None}
    if not kept:
        raise GraderError(
            f"{store.path} keeps no texts",
            "run `grade` once more with the same kit and submissions: it keeps them then",
        )
    return kept


def _newest_kit(store: Store) -> str:
    last = max(store.results(texts=False), key=lambda result: result.graded_at)
    return last.key.kit


def _facts(pairs: Sequence[Pair], same: Sequence[tuple[str, ...]], facts: Facts) -> dict[str, Any]:
    return {
        "submissions": facts.submissions,
        "earlier": facts.earlier,
        "texts": facts.texts,
        "at_least": facts.at_least,
        "same_text": same,
        "pairs": [
            {
                "students": [pair.left, pair.right],
                "percent": [pair.left_percent, pair.right_percent],
                "runs": [
                    {"lines": [run.left, run.right], "tokens": run.tokens} for run in pair.runs
                ],
            }
            for pair in pairs
        ],
    }


def _print(
    pairs: Sequence[Pair], same: Sequence[tuple[str, ...]], facts: Facts, lab: Lab, page: Path
) -> None:
    console = Console()
    console.print(
        Text(
            f"{lab.title}: {facts.submissions} submissions, "
            + (f"{facts.earlier} of earlier terms, " if facts.earlier else "")
            + f"{facts.texts} different texts"
        ),
        soft_wrap=True,
    )
    for names in same:
        console.print(Text(f"the same text: {_names(names)}"), soft_wrap=True)
    if pairs:
        table = Table("one", "shared", "other", "shared", box=None, header_style="bold")
        for pair in pairs:
            table.add_row(
                Text(_names(pair.left)),
                f"{pair.left_percent} %",
                Text(_names(pair.right)),
                f"{pair.right_percent} %",
            )
        console.print(table)
        console.print("This accuses nobody: read both texts, and talk to the students.")
    else:
        console.print(f"no two texts share {facts.at_least} %")
    console.print(Text(f"page: {page.resolve().as_uri()}"), soft_wrap=True)


def _names(students: Sequence[str]) -> str:
    return ", ".join(one_line(name) for name in students)
