"""A class's points under nicknames: a page that may be published by itself."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.model.files import make_folder, write_text
from grader.model.lab import Lab, Part
from grader.model.result import Result
from grader.pages.presentation.facts import is_graded, part_of
from grader.pages.report.templating import environment, style


@dataclass(frozen=True)
class _Row:
    nickname: str
    points: float
    ratios: list[float | None]
    """Time over the reference's, for each timed part."""


@dataclass(frozen=True)
class _Ranked:
    rank: int
    row: _Row


@dataclass(frozen=True)
class Ranking:
    """Nicknames in their order, and the parts whose times are shown."""

    timed: list[Part]
    ranked: list[_Ranked]


def write_leaderboard(
    results: Iterable[Result],
    lab: Lab,
    nicknames: Mapping[str, str],
    folder: Path,
    top: int | None = None,
) -> Path:
    """Writes `folder/index.html` and returns it. It holds nothing else of the students."""
    found = ranking(((nicknames[result.student], result) for result in results), lab)
    html = (
        environment()
        .get_template("leaderboard.html.j2")
        .render(
            lab=lab,
            timed=found.timed,
            ranked=found.ranked[:top],
            left_out=len(found.ranked) - len(found.ranked[:top]),
            css=style("base", "leaderboard"),
        )
    )
    return write_text(make_folder(folder) / "index.html", html)


def ranking(results: Iterable[tuple[str, Result]], lab: Lab) -> Ranking:
    """Results with their nicknames, best first.

    Who was not judged is left out. Equal points are an equal rank; among them the faster come
    first, then nicknames in alphabetical order, so that the order tells nothing.
    """
    timed = [part for part in lab.parts if part.timing]
    rows = [
        _Row(nickname, result.points, [_ratio(result, part.function) for part in timed])
        for nickname, result in results
        if is_graded(result)
    ]
    return Ranking(timed, _ranked(rows))


def _ratio(result: Result, function: str) -> float | None:
    part = part_of(result, function)
    return part.timing.ratio if part and part.timing else None


def _ranked(rows: list[_Row]) -> list[_Ranked]:
    def key(row: _Row) -> tuple[float, int, float, str]:
        ratios = [ratio for ratio in row.ratios if ratio is not None]
        return (-round(row.points, 2), -len(ratios), sum(ratios), row.nickname.casefold())

    ranked: list[_Ranked] = []
    for place, row in enumerate(sorted(rows, key=key), start=1):
        equal = ranked and round(ranked[-1].row.points, 2) == round(row.points, 2)
        ranked.append(_Ranked(ranked[-1].rank if equal else place, row))
    return ranked
