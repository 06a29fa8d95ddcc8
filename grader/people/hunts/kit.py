"""The kit of a hunt: its lab's kit, with the class's hunts beside it."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.judging.executors.handover import copy_kit
from grader.judging.hunts.book import Book
from grader.judging.hunts.grading import PROGRAM, fault_part
from grader.judging.hunts.kit import BOOK, FOLDER, KEPT, LAB, RULES, TESTS
from grader.judging.hunts.rules import Rules
from grader.judging.student_tests.programs import FOLDER as PROGRAMS
from grader.model import kind
from grader.model.files import write_error, write_text
from grader.model.kind import SHOWS_TEST
from grader.model.manifest import Kit


@contextmanager
def kit_aside(lab: Kit, tests: Kit, target: Path) -> Iterator[Path]:
    """A folder with what runs a lab's programs and tests, which takes the place of `target` at the
    end. Only instructors may read it: it tells all faults. Nobody else has those of `target`, so
    that is kept until the other is in its place."""
    aside, before = (target.with_name(f".{target.name}{end}") for end in ("", ".before"))
    try:
        shutil.rmtree(aside, ignore_errors=True)
        copy_kit(lab.root, aside)
        made = aside / "public"
        shutil.copytree(tests.public, made, copy_function=shutil.copyfile, dirs_exist_ok=True)
        for path in (made, *made.rglob("*")):
            path.chmod(0o755)
        (aside / PROGRAMS).mkdir()
        for kit, name in ((lab, LAB), (tests, TESTS)):
            (aside / FOLDER / name).mkdir(parents=True)
            for file in KEPT:
                text = (kit.root / file).read_text(encoding="utf-8")
                text = text.replace(tests.manifest.file, SHOWS_TEST)
                (aside / FOLDER / name / file).write_text(text, encoding="utf-8")
        aside.chmod(0o700)
        yield aside
        if target.exists():
            shutil.rmtree(before, ignore_errors=True)
            target.rename(before)
        aside.rename(target)
    except (OSError, shutil.Error) as error:
        first = error if isinstance(error, OSError) and error.strerror else OSError(str(error))
        raise write_error(target, first) from error
    finally:
        if before.exists() and not target.exists():
            before.rename(target)
        for folder in (aside, before):
            shutil.rmtree(folder, ignore_errors=True)


def describe(aside: Path, lab: Kit, book: Book, rules: Rules, count: int) -> None:
    """Writes what makes that folder the kit of a hunt."""
    write_text(aside / FOLDER / BOOK, book.model_dump_json(indent=1))
    write_text(aside / FOLDER / RULES, rules.model_dump_json(indent=1))
    name = kind.assignment(lab.manifest.folder, kind.HUNT)
    manifest = lab.manifest.model_copy(
        update={"lab": name, "kind": kind.HUNT, "digest": _digest(lab, book, rules)}
    )
    write_text(aside / KEPT[0], manifest.model_dump_json(by_alias=True))
    write_text(aside / KEPT[1], _lab_toml(lab, rules, count))


def _digest(lab: Kit, book: Book, rules: Rules) -> str:
    """Who else has a hunt changes no result, so students may be added to a book."""
    said = (
        lab.manifest.digest,
        rules.model_dump_json(),
        book.model_dump_json(exclude={"students"}),
    )
    return hashlib.sha256("\0".join(said).encode()).hexdigest()


def _lab_toml(lab: Kit, rules: Rules, count: int) -> str:
    parts = [(PROGRAM, "The fixed program", rules.points.program)]
    each = (100 - rules.points.program) / count
    parts += [(fault_part(number), f"Fault {number}", each) for number in range(1, count + 1)]
    title = json.dumps(f"{lab.lab.title}: a hunt", ensure_ascii=False)
    head = f'title = {title}\nfile = "{lab.lab.file}"\nmodel = "{lab.lab.model}"\n'
    return head + "".join(
        f'\n[[parts]]\nfunction = "{function}"\ntitle = "{shown}"\npoints = {points!r}\n'
        for function, shown, points in parts
    )
