"""failure_page FOLDER PAGE END: what went wrong in a test as a page of pictures; prints its path.

FOLDER has what the test left there: race* of ThreadSanitizer, pauses of the race checker, the
simulator's findings.json, and errors of comparisons. END says how the test ended: time_limit, crash
or wrong_answer. Writes nothing where there is nothing to draw. Needs no packages.
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from common.lab.failure_pictures.errors import errors_of
from common.lab.failure_pictures.pictures import pictures_of
from common.lab.failure_pictures.report import Source
from common.lab.race_checker.tsan_summary import pause_summary, summary
from common.pictures.markup import Markup, tag
from common.pictures.page import Section, page

_ENDS = ("time_limit", "crash", "wrong_answer")


def failure_page(folder: Path, source: Source, end: str = "", lab: str = "") -> str:
    """The page; empty where nothing is to be drawn. `lab`: a folder that names of files omit."""
    sections = list(_sections(folder, source, end, lab))
    return page("What went wrong", sections) if sections else ""


def _sections(folder: Path, source: Source, end: str, lab: str) -> Iterator[Section]:
    texts = [summary(_read(file)) for file in sorted(folder.glob("race*"))]
    if end in _ENDS and not any(texts):
        texts.append(pause_summary(_read(folder / "pauses"), end))
    texts += _findings(folder / "findings.json")
    for text in filter(None, texts):
        text = text.replace(f"{lab}/", "") if lab else text
        if drawn := list(pictures_of(text, source)):
            yield Section("What is not ordered", [*drawn, _verbatim(text)])
    for written in map(_parsed, _read(folder / "errors").split("\n")):
        if written and (errors := errors_of(written)):
            yield Section(written["test"], [errors.picture(), _verbatim(errors.message)])


def _findings(file: Path) -> Iterator[str]:
    """The simulator's findings as its text has them."""
    for finding in _parsed(_read(file)).get("findings", []):
        rows = [f"cudasim: {finding['kind']}: {finding['message']}"]
        yield "\n".join([*rows, *(f"  {detail}" for detail in finding.get("details", []))])


def _parsed(text: str) -> dict[str, Any]:
    """What a test wrote; empty if it ended before it had written all."""
    try:
        written: dict[str, Any] = json.loads(text)
    except ValueError:
        return {}
    return written


def _verbatim(text: str) -> Markup:
    return tag("pre", text, style="white-space: pre-wrap; overflow-wrap: anywhere")


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def _lab() -> str:
    """The folder of the test, `labs/LAB`."""
    return re.sub(r"^(?:@[^/]*)?//|:.*", "", os.environ.get("TEST_TARGET", ""))


def _source_of(lab: str) -> Source:
    """The lab's files, in the folders around the one where the test runs."""
    files: dict[str, list[str]] = {}
    for root in (Path.cwd(), *Path.cwd().parents) if lab else ():
        for path in sorted((root / lab).glob("*")):
            if path.suffix in (".cc", ".cpp", ".cu", ".cxx", ".h"):
                files.setdefault(path.name, _read(path).split("\n"))
    return Source(files)


def _shown(file: Path) -> str:
    """As one reaches it from the workspace."""
    _, found, rest = str(file).partition("/testlogs/")
    return f"bazel-testlogs/{rest}" if found else str(file)


if __name__ == "__main__":
    written = failure_page(Path(sys.argv[1]), _source_of(_lab()), sys.argv[3], _lab())
    if written:
        Path(sys.argv[2]).write_text(written, encoding="utf-8")
        print(f"  next: see it as a picture: {_shown(Path(sys.argv[2]))}")
