"""Draws what the ranks of a lab's public test sent each other: one page.

show.py TRAFFIC --out FILE.html --title TITLE, where TRAFFIC has a line of JSON for each call.
"""

import argparse
import json
import sys
from pathlib import Path

from common.mpi.messages.drawing import Traffic, matrix, sentence
from common.pictures.page import Section, page

_LEAD = "The call of each function in which most ranks sent most bytes."


def main(arguments: list[str]) -> int:
    """Writes the page, prints a sentence for each function and the page's path."""
    parser = argparse.ArgumentParser()
    parser.add_argument("traffic", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--title", required=True)
    options = parser.parse_args(arguments)
    calls = largest(options.traffic.read_text(encoding="utf-8"))
    sections = [Section(call.function, [sentence(call), matrix(call)]) for call in calls]
    try:
        options.out.write_text(page(options.title, sections, [_LEAD]), encoding="utf-8")
    except OSError as error:
        print(f"error: cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        print("  next: name another file: --out=FILE.html", file=sys.stderr)
        return 1
    for call in calls:
        print(f"{call.function}: {sentence(call)}")
    print(f"Pictures: file://{options.out.resolve()}")
    return 0


def largest(text: str) -> list[Traffic]:
    """The largest call of each function, in the order of the first calls."""
    found: dict[str, Traffic] = {}
    for line in text.splitlines():
        call = Traffic(**json.loads(line))
        before = found.get(call.function)
        if before is None or _size(call) > _size(before):
            found[call.function] = call
    return list(found.values())


def _size(call: Traffic) -> tuple[int, int]:
    return call.ranks, call.total_bytes


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
