"""What a hunt's kit has besides its lab's."""

from pathlib import Path

from grader.judging.hunts.book import Book, read_book
from grader.judging.hunts.rules import Rules
from grader.model.errors import JudgeError
from grader.model.lab import load_lab
from grader.model.manifest import Kit, Manifest

FOLDER = "hunt"
BOOK = "hunts.json"
RULES = "hunt.json"
LAB = "lab"
TESTS = "tests"
KEPT = ("manifest.json", "lab.toml")
"""Files of the lab's kit, and of that of its tests, which are kept in folders of these names."""


def book_of(kit: Kit) -> Book:
    return read_book(kit.root / FOLDER / BOOK)


def rules_of(kit: Kit) -> Rules:
    return Rules.model_validate_json(_read(kit.root / FOLDER / RULES))


def lab_kit(kit: Kit) -> Kit:
    """The kit of the lab itself, with the same files."""
    return _kept(kit, LAB)


def tests_kit(kit: Kit) -> Kit:
    """The kit of tests of the lab, with the same files."""
    return _kept(kit, TESTS)


def _kept(kit: Kit, name: str) -> Kit:
    folder = kit.root / FOLDER / name
    manifest, lab = (folder / file for file in KEPT)
    update = {"manifest": Manifest.model_validate_json(_read(manifest)), "lab": load_lab(lab)}
    return kit.model_copy(update=update)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise JudgeError(f"cannot read {path}: {error.strerror}") from error
