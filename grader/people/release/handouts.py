"""Markdown for students: no links to files that they do not get, and no labs that are left out."""

import os
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import PurePosixPath

from grader.model.lab import Lab

INDEX = "labs/README.md"

# Code first: what looks like a link in it is none.
_CODE_OR_LINK = re.compile(
    r"(?P<fence>^[ \t]*(?P<marks>`{3,}|~{3,})[^\n]*\n.*?^[ \t]*(?P=marks)[ \t]*$)"
    r"|(?P<ticks>(?<!`)`+(?!`))(?:.+?)(?<!`)(?P=ticks)(?!`)"
    r"|!?\[(?P<text>[^\[\]]*)\]\(<?(?P<target>[^()<>\s]+)>?(?:\s+\"[^\"]*\")?\)",
    re.MULTILINE | re.DOTALL,
)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_NAMES = re.compile(r"`\w+`(?:, `\w+`)*")


def rewrite(
    name: str,
    text: str,
    files: AbstractSet[str],
    labs: Mapping[str, Lab],
    left_out: Mapping[str, Lab],
) -> str:
    """The Markdown file `name` as a release with these files and labs has it."""
    text = _CODE_OR_LINK.sub(partial(_plain_if_dead, PurePosixPath(name).parent, files), text)
    if name == INDEX and left_out:
        text = _without_rows(text, frozenset(left_out))
        text = _examples(text, labs, left_out)
    return text


def _plain_if_dead(folder: PurePosixPath, files: AbstractSet[str], found: re.Match[str]) -> str:
    target = found["target"]
    if target is None or target.startswith("#") or _SCHEME.match(target):
        return found[0]
    file = os.path.normpath(folder / target.partition("#")[0])
    return found[0] if file in files else found["text"]


def _without_rows(text: str, left_out: AbstractSet[str]) -> str:
    """Tables without the rows of these labs, and without their names in other rows."""
    lines = []
    for line in text.splitlines(keepends=True):
        cells = line.split("|")
        if line.startswith("|"):
            if cells[1].strip().strip("`") in left_out:
                continue
            line = "|".join(_without_names(cell, left_out) for cell in cells)
        lines.append(line)
    return "".join(lines)


def _without_names(cell: str, left_out: AbstractSet[str]) -> str:
    if not _NAMES.fullmatch(cell.strip()):
        return cell
    names = [name for name in cell.strip().split(", ") if name.strip("`") not in left_out]
    return f" {', '.join(names)} " if names else " "


def _examples(text: str, labs: Mapping[str, Lab], left_out: Mapping[str, Lab]) -> str:
    """Commands that name a lab that is left out name one of the same kind instead."""
    for lab, missing in left_out.items():
        name = next((name for name, it in labs.items() if it.model == missing.model), None)
        if name is None or not re.search(rf"\blabs/{lab}\b", text):
            text = re.sub(rf"\blabs/{lab}\b", "labs/LAB", text)
            continue
        present = labs[name]
        words = {f"labs/{lab}": f"labs/{name}", _test(missing): _test(present)}
        for number, part in enumerate(missing.parts):
            words[part.suite] = present.parts[min(number, len(present.parts) - 1)].suite
        for old, new in words.items():
            text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, text)
    return text


def _test(lab: Lab) -> str:
    return f"{PurePosixPath(lab.file).stem}_test"
