"""Nicknames for a page that is public: drawn at random, and kept beside the results.

Nothing of a name goes into its nickname, so only who has the file can tell whose it is.
"""

import csv
import io
import json
import secrets
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

from grader.model.errors import GraderError
from grader.model.files import write_text
from grader.pages.presentation.text import one_line

_KINDS = (
    "amber azure bold brave bright brisk calm clever copper coral cosmic crimson curious eager "
    "electric fabled gentle gilded golden happy hidden humble indigo ivory jade jolly keen lively "
    "lucky lunar mellow merry mighty nimble noble olive pearl plucky polar proud quiet rapid royal "
    "ruby rustic scarlet silent silver sleek snowy solar steady swift teal velvet vivid wise witty"
)
_ANIMALS = (
    "badger beaver bison bobcat buffalo camel condor coyote crane deer dolphin eagle egret elk "
    "falcon ferret finch fox gazelle gecko goose hare hawk heron ibex jackal jaguar kestrel koala "
    "lemur leopard lynx marten mole moose newt ocelot orca osprey otter owl panda panther parrot "
    "pelican penguin puffin puma quail raven robin salmon seal sparrow stork swan tapir tiger"
)
_LONGEST = 40
_STEP = "correct that line, or leave --nicknames out"


def nicknames(students: Iterable[str], kept: Path, given: Path | None = None) -> dict[str, str]:
    """A nickname for each student: that of the file `given`, else the one in `kept`, else a
    new one.

    New ones are added to `kept`, so that the next page has the same. GraderError if a file cannot
    be read, or gives two students one nickname.
    """
    chosen = _given(given) if given else {}
    known = _kept(kept)
    taken = {nickname.casefold() for nickname in [*chosen.values(), *known.values()]}
    everyone = list(students)
    given_names = {nickname.casefold() for nickname in chosen.values()}
    new = [
        student
        for student in everyone
        if student not in chosen and known.get(student, "").casefold() in given_names | {""}
    ]
    if new:
        known |= dict(zip(new, _draw(len(new), taken), strict=True))
        write_text(kept, json.dumps(known, ensure_ascii=True, indent=1) + "\n").chmod(0o600)
    return {student: chosen.get(student) or known[student] for student in everyone}


def _draw(count: int, taken: set[str]) -> list[str]:
    """Names that nobody has; with a number where all are taken."""
    names = [f"{kind} {animal}" for kind, animal in product(_KINDS.split(), _ANIMALS.split())]
    free = [name for name in names if name not in taken]
    number = 2
    while len(free) < count:
        more = [f"{name} {number}" for name in names]
        free += [name for name in more if name not in taken]
        number += 1
    return secrets.SystemRandom().sample(free, count)


def _kept(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(path) from error
    if not isinstance(known, dict) or not all(isinstance(each, str) for each in known.values()):
        raise _damaged(path)
    return known


def _damaged(path: Path) -> GraderError:
    return GraderError(
        f"{path} cannot be read", "put a copy of it back, or move it away: then new names are drawn"
    )


def _given(path: Path) -> dict[str, str]:
    """A CSV file's first two columns: student, nickname."""
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
        rows = [row for row in csv.reader(io.StringIO(text, newline="")) if any(row)]
    except (OSError, csv.Error) as error:
        raise GraderError(f"cannot read {path}: {error}", "check --nicknames") from error
    if rows and [cell.strip().casefold() for cell in rows[0][:2]] == ["student", "nickname"]:
        del rows[0]
    found: dict[str, str] = {}
    for number, row in enumerate(rows, start=1):
        nickname = one_line(row[1])[:_LONGEST] if len(row) > 1 else ""
        if not nickname:
            raise GraderError(f"{path}: row {number} is not: student, nickname", _STEP)
        found[row[0].strip()] = nickname
    _require_distinct(path, found)
    return found


def _require_distinct(path: Path, found: Mapping[str, str]) -> None:
    owners: dict[str, str] = {}
    for student, nickname in found.items():
        owner = owners.setdefault(nickname.casefold(), student)
        if owner != student:
            raise GraderError(f"{path}: {owner} and {student} have one nickname, {nickname}", _STEP)
