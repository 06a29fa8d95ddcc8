"""Finds what a release must not tell students: names of hidden files, and lines of hidden texts."""

import re
from collections.abc import Collection, Iterator
from itertools import groupby
from pathlib import Path, PurePosixPath

from common.lab.programming_models.models import ENDINGS
from grader.judging.sample.samples import lazy_samples, samples
from grader.people.release.tree import Tree

SHORTEST = 12
"""Characters of a line that can identify a text, white space aside: `return sum;` cannot."""
LONGEST_RUN = 24
"""Lines in a row that a public text may share with hidden ones: public and hidden tests call the
same helpers, which makes up to 19."""

_STAFF = re.compile(r"//(?:solutions|grader)\b|(?<![\w.-])(?:solutions|grader)/|\bhidden_test\b")
_SPACE = re.compile(r"\s+|\[\[maybe_unused\]\]")
_TEXTS = {".md", ".toml", ".h", ".py", ".bzl"} | ENDINGS


def hidden_lines(solutions: Path) -> dict[str, str]:
    """Every line of every hidden text that can identify it, normalised, with its file: references,
    hidden tests, notes, and samples of all kinds, patches expanded."""
    lines: dict[str, str] = {}
    for path, text in _hidden_texts(solutions):
        for line in map(normalised, text.splitlines()):
            if len(line) >= SHORTEST and not line.startswith("#include"):
                lines.setdefault(line, path.relative_to(solutions.parent).as_posix())
    return lines


def normalised(line: str) -> str:
    """The line without what an editor may change: white space, and the end of a declaration."""
    return _SPACE.sub("", line).rstrip("{;")


def leaks(tree: Tree, stubs: Collection[str], hidden: dict[str, str]) -> list[str]:
    """A sentence for each thing that a release must not have.

    A line of hidden text may stand in a student's file, or in a file of a lab that is of none of
    the usual kinds, only if a public text has it as well: the contract's declarations. Public texts
    may share lines with hidden ones, but not more than LONGEST_RUN in a row.
    """
    found: list[str] = []
    texts = {name: text for name, file in tree.items() if (text := file.text()) is not None}
    public = {name for name in texts if _is_public(name, stubs)}
    packed = "\n".join(normalised_text(texts[name]) for name in sorted(public))
    for name, text in texts.items():
        found += _names(name, text)
        found += _runs(name, text, hidden) if name in public else _lines(name, text, hidden, packed)
    return found


def normalised_text(text: str) -> str:
    """All of it in one line, so that it does not matter where its lines are broken."""
    return _SPACE.sub("", text)


def other_labs(tree: Tree, left_out: Collection[str]) -> list[str]:
    """A sentence for each line with the path of a lab that the release does not have."""
    if not left_out:
        return []
    names = re.compile(rf"\blabs/(?:{'|'.join(map(re.escape, left_out))})\b")
    return [
        f"{name}:{number}: names a lab that is left out: {found[0]}"
        for name, file in tree.items()
        for number, line in enumerate((file.text() or "").splitlines(), 1)
        if (found := names.search(line))
    ]


def _hidden_texts(solutions: Path) -> Iterator[tuple[Path, str]]:
    for folder in sorted(path for path in solutions.iterdir() if path.is_dir()):
        for path in sorted(folder.iterdir()):
            if path.is_file() and path.suffix in _TEXTS:
                yield path, path.read_text(encoding="utf-8", errors="replace")
        for sample in [*samples(folder), *lazy_samples(folder)]:
            yield sample.path, sample.read().decode(errors="replace")


def _is_public(name: str, stubs: Collection[str]) -> bool:
    """Whether it is a text that is written for students; not one that they edit, or that a lab does
    not need."""
    if not name.startswith("labs/"):
        return True
    path = PurePosixPath(name)
    usual = path.name in {"BUILD", "lab.toml"} or path.suffix in {".md", ".h"}
    return name not in stubs and (usual or path.stem.endswith("_test"))


def _names(name: str, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        if found := _STAFF.search(line):
            yield f"{name}:{number}: names what students do not get: {found[0]}"


def _lines(name: str, text: str, hidden: dict[str, str], public: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        key = normalised(line)
        if key in hidden and key not in public:
            yield f"{name}:{number}: a line of {hidden[key]}: {line.strip()}"


def _runs(name: str, text: str, hidden: dict[str, str]) -> Iterator[str]:
    keys = [(number, normalised(line)) for number, line in enumerate(text.splitlines(), 1)]
    long = [(number, key) for number, key in keys if len(key) >= SHORTEST]
    for is_hidden, group in groupby(long, key=lambda item: item[1] in hidden):
        run = list(group)
        if is_hidden and len(run) > LONGEST_RUN:
            first, source = run[0][0], hidden[run[0][1]]
            yield f"{name}:{first}: {len(run)} lines in a row of hidden texts such as {source}"
