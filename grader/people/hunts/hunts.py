"""Draws the hunts of a class and writes what students and instructors get."""

import secrets
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.judging.hunts.book import Book, read_book
from grader.judging.hunts.kit import BOOK, FOLDER
from grader.judging.hunts.rules import Rules, rules_for
from grader.judging.student_tests.programs import FOLDER as PROGRAMS
from grader.model.errors import GraderError
from grader.model.files import FileNames
from grader.model.manifest import Kit, load_kit
from grader.people.hunts.draw import draw
from grader.people.hunts.faults import Pool, mutants_of, pool
from grader.people.hunts.folder import write_folder
from grader.people.hunts.kit import describe, kit_aside
from grader.people.hunts.proof import Judge, built, proven

KIT = "kit"
STUDENTS = "students"


@dataclass(frozen=True)
class Wanted:
    """What an instructor asked for."""

    kit: Kit
    tests: Kit
    """That of the lab's tests."""
    root: Path
    """Of the workspace."""
    roster: Sequence[str]
    faults: int
    mutants: int
    out: Path


@dataclass(frozen=True)
class Made:
    """What was drawn."""

    book: Book
    kit: Kit
    new: list[str]
    """Students who had no hunt before."""


def make_hunts(wanted: Wanted, judge: Judge, advance: Callable[[str], None]) -> Made:
    """GraderError where the lab has too few faults, or the folder has other hunts.

    A second run into the same folder adds students, and changes nothing for those who have theirs.
    """
    lab = wanted.kit.manifest.lab
    rules = rules_for(wanted.root / "labs" / lab)
    earlier = _earlier(wanted)
    target = wanted.out / KIT
    with kit_aside(wanted.kit, wanted.tests, target) as aside:
        if earlier:
            shutil.copytree(target / PROGRAMS, aside / PROGRAMS, dirs_exist_ok=True)
        book = earlier or _begun(wanted, rules, aside, judge, advance)
        new = [name for name in wanted.roster if name not in book.students]
        roster = [*book.students, *new]
        faults = list(book.faults.values())
        students = draw(book.key, roster, faults, wanted.faults, book.students)
        book = book.model_copy(update={"students": students})
        describe(aside, wanted.kit, book, rules, wanted.faults)
    names = FileNames()
    for student in students:
        folder = wanted.out / STUDENTS / names.of(student)
        if hunt := book.hunt(student):
            write_folder(folder, lab, wanted.kit.manifest.file, hunt)
    return Made(book, load_kit(target), new)


def _begun(
    wanted: Wanted, rules: Rules, aside: Path, judge: Judge, advance: Callable[[str], None]
) -> Book:
    """A book without students."""
    kit, key = wanted.kit, secrets.token_hex(32)
    lab = kit.manifest.lab
    found = pool(wanted.root / "solutions" / lab, rules)
    more = mutants_of(found, rules, key, wanted.mutants)
    found = proven(Pool(found.programs, (*found.faults, *more)), judge, advance)
    made = built(aside, kit, wanted.tests, found)
    return Book(
        lab=lab,
        key=key,
        programs=found.programs,
        libraries=made.libraries,
        faults={fault.name: fault for fault in made.faults},
    )


def _earlier(wanted: Wanted) -> Book | None:
    path = wanted.out / KIT / FOLDER / BOOK
    if not path.exists():
        return None
    book = read_book(path)
    count = len(next(iter(book.students.values()), ()))
    if (book.lab, count) != (wanted.kit.manifest.lab, wanted.faults):
        raise GraderError(
            f"{wanted.out} has hunts of {book.lab} with {count} faults each",
            "choose another --out, or the same --lab and --faults",
        )
    return book
