"""Which of the files that a student handed in is the one that the lab asks for."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from grader.judging.collect.archives import INSIDE, File, is_archive, look_inside
from grader.judging.collect.tree import Kind

_CPP = frozenset({".cc", ".cpp", ".cxx", ".c++", ".cp"})
_COPY = re.compile(r"(?:[ _-]?\(\d+\)|[ _-]copy|[ _-]kopie|[ _-]v?\d{1,2})$")
"""What browsers and people add to the name of a copy: sum (1).cc, sum-2.cc, sum_v2.cc."""
_KINDS = {
    ".pdf": "a PDF document",
    ".doc": "a Word document",
    ".docx": "a Word document",
    ".odt": "a text document",
    ".ipynb": "a notebook",
    ".rar": "an archive of a kind that is not opened here",
    ".7z": "an archive of a kind that is not opened here",
    ".o": "a compiled file",
    ".so": "a compiled file",
    ".exe": "a compiled file",
    ".out": "a compiled file",
    ".png": "a picture",
    ".jpg": "a picture",
}
_FIRST_BYTES = {
    b"%PDF": "a PDF document",
    b"Rar!": "a rar archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"\x1f\x8b": "a compressed file",
    b"{\\rtf": "a document in rich text",
    b"\xd0\xcf\x11\xe0": "an Office document",
    b"\x89PNG": "a picture",
    b"PK\x03\x04": "a zip archive",
}
_SHOWN = 4


@dataclass(frozen=True)
class Choice:
    """The file, and what the student should know of how it was chosen."""

    file: File
    note: str = ""


def choose(files: Sequence[File], expected: str, lab: str) -> Choice | str:
    """The file of the expected name, or else the only one that can be meant.

    If there is none, the text says why. Looks into archives only if that file is not outside.
    """
    plain = [file for file in files if not file.name.startswith("._")]
    named = _in_place([file for file in plain if file.name == expected], lab)
    if len(named) > 1:
        return _several(named, expected)
    kind = _kind_of(named[0]) if named else None
    if named and kind is None:
        return Choice(named[0])
    inside = look_inside(plain, expected)
    every = [file for file in [*plain, *inside.files] if file not in named]
    for fits in (_is(expected), _is_alike(expected), _is_copy(expected), _is_source(expected)):
        found = [file for file in every if file.kind is Kind.FILE and fits(file.name)]
        picked = _in_place(found, lab)
        if len(picked) == 1:
            return Choice(picked[0], _note(picked[0], expected))
        if picked:
            return _several(picked, expected)
    if kind is not None:
        return f"{expected} is {kind}, not source text"
    return _missing(plain, inside.unread, expected)


def _kind_of(file: File) -> str | None:
    """What a file is by its first bytes, if that is no source text."""
    if file.kind is not Kind.FILE:
        return None
    try:
        start = file.read(8)
    except OSError:
        return None  # reading it in full says why
    return next((kind for magic, kind in _FIRST_BYTES.items() if start.startswith(magic)), None)


def _in_place(found: list[File], lab: str) -> list[File]:
    """The one in the lab's own folder, where a whole course was handed in; else all."""
    placed = [f for f in found if f.path[-2:-1] == (lab,) or f.path[-3:-1] == ("labs", lab)]
    return placed if len(placed) == 1 else found


_Fits = Callable[[str], bool]


def _is(expected: str) -> _Fits:
    return lambda name: name == expected


def _is_alike(expected: str) -> _Fits:
    """The name in another case, with another suffix of its language, or with .txt behind it."""
    stem, suffix = _split(expected)
    suffixes = _CPP | {".c", suffix}

    def fits(name: str) -> bool:
        plain = name.strip().casefold().removesuffix(".txt")
        own, ending = _split(plain)
        return own == stem.casefold() and ending in suffixes

    return fits


def _is_copy(expected: str) -> _Fits:
    """The same, with what marks a copy in its name."""
    alike = _is_alike(expected)

    def fits(name: str) -> bool:
        stem, suffix = _split(name.strip().casefold().removesuffix(".txt"))
        return alike(_COPY.sub("", stem) + suffix)

    return fits


def _is_source(expected: str) -> _Fits:
    """Any file of the lab's language, but no test."""
    suffix = _split(expected)[1]
    suffixes = _CPP if suffix in _CPP else {suffix}

    def fits(name: str) -> bool:
        stem, own = _split(name.casefold())
        return own in suffixes and not stem.endswith("_test")

    return fits


def _split(name: str) -> tuple[str, str]:
    stem, dot, suffix = name.rpartition(".")
    return (stem, dot + suffix) if stem else (name, "")


def _note(file: File, expected: str) -> str:
    step = f"hand in {expected} itself" if INSIDE in file.shown else f"name it {expected}"
    return f"graded was {file.shown}, the only file that can be meant; next time, {step}"


def _several(files: list[File], expected: str) -> str:
    names = " and ".join(file.shown for file in files[:3])
    if all(file.name == expected for file in files):
        return f"{len(files)} files named {expected}, expected one: {names}"
    return (
        f"{expected} is missing, and {len(files)} files can be meant: {names}; name one {expected}"
    )


def _missing(files: list[File], unread: list[str], expected: str) -> str:
    if not files:
        return f"{expected} is missing: the submission holds no files"
    shown = [_described(file) for file in files[:_SHOWN]]
    more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
    text = f"{expected} is missing; handed in: {', '.join(shown)}{more}"
    return text + "".join(f"; {line}" for line in unread[:3])


def _described(file: File) -> str:
    if file.kind is not Kind.FILE:
        return f"{file.shown} (a {file.kind.value})"
    suffix = PurePosixPath(file.name.casefold()).suffix
    kind = _KINDS.get(suffix) or ("an archive without it" if is_archive(file.name) else "")
    return f"{file.shown} ({kind})" if kind else file.shown
