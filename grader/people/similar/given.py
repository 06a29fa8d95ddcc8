"""What students were given: its lines are taken out of submissions before they are compared."""

import re
from collections.abc import Iterable
from pathlib import Path

from grader.model.errors import GraderError
from grader.model.manifest import Kit

_SHORTEST = 8
"""Characters; shorter lines, such as a brace, are nobody's."""
_FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def given_lines(texts: Iterable[str]) -> frozenset[str]:
    """The lines of these texts, without their spacing."""
    lines = (_plain(line) for text in texts for line in text.splitlines())
    return frozenset(line for line in lines if len(line) >= _SHORTEST)


def without(given: frozenset[str], text: str) -> str:
    """The text with the given lines emptied, so that the others keep their numbers."""
    return "\n".join("" if _plain(line) in given else line for line in text.splitlines()) + "\n"


def handed_out(kit: Kit, labs: Path, more: Iterable[Path] = ()) -> list[str]:
    """The stub, the headers and the handout's code of a lab, and the files in `more`.

    A lab that the workspace has no more leaves the headers in its kit.
    """
    folder = labs / kit.manifest.folder
    texts = [_read(path) for path in sorted(kit.public.rglob("*.h*"))]
    if (folder / kit.manifest.file).is_file():
        texts.append(_read(folder / kit.manifest.file))
    for page in sorted(folder.glob("*.md")):
        texts += _FENCED.findall(_read(page))
    return texts + [_read(path) for path in more]


def _plain(line: str) -> str:
    return "".join(line.split())


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise GraderError(f"cannot read {path}: {error.strerror}", "name another file") from error
