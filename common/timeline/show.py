"""Draws recordings of a lab's timed cases: a page, and a trace for Perfetto."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from common.pictures.markup import Markup
from common.pictures.page import Section, page
from common.pictures.picture import Picture
from common.timeline import drawing, trace
from common.timeline.bands import fine_enough
from common.timeline.columns import READY, RUN, Columns
from common.timeline.evidence import Evidence
from common.timeline.losses import losses
from common.timeline.places import Places
from common.timeline.record import read
from common.timeline.words import sentence

TEAM = 4
_MUCH = 0.05
_BUSY = 4
"""Times as long without a core as with one."""


def main(arguments: list[str]) -> int:
    """Writes both files, prints a sentence for each function and the files' paths."""
    options = _options(arguments)
    if options.out.suffix != ".html":
        print(f"error: --out={options.out}: no name of a page", file=sys.stderr)
        print("  next: use --out=FILE.html; the trace is FILE.json beside it", file=sys.stderr)
        return 1
    places = Places(options.program, options.source, options.symbolizer)
    figures = _figures(options.figures)
    sections: list[Section] = []
    events: list[dict[str, Any]] = []
    records = [read(path) for path in sorted(options.records, key=_number)]
    places.look_up(*records)
    for number, record in enumerate(records, 1):
        evidence = Evidence(record, places)
        section, said = draw(evidence, figures.get(record.function))
        sections.append(section)
        events += trace.events(number, evidence)
        print(f"{record.function}: {said}")
    text = page(f"Timeline of {options.source.name}", sections, [Markup(_LEAD)])
    out, trace_out = options.out, options.out.with_suffix(".json")
    try:
        out.write_text(text, encoding="utf-8")
        trace_out.write_text(json.dumps({"traceEvents": events}), encoding="utf-8")
    except OSError as error:
        print(f"error: cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        print("  next: name another file: --out=FILE.html", file=sys.stderr)
        return 1
    print(f"Pictures: file://{out.resolve()}")
    print(f"Trace, for ui.perfetto.dev: {trace_out}")
    return 0


def draw(evidence: Evidence, figures: dict[str, Any] | None) -> tuple[Section, str]:
    """The section of one call, and its first sentence."""
    columns = fine_enough(evidence)
    lost = losses(columns, TEAM)
    expected = figures["speedup"] if figures else None
    said = sentence(lost, evidence, expected)
    body: list[Picture | Markup | str] = [said]
    body += [drawing.speedup(lost, evidence, expected), drawing.timeline(evidence, columns)]
    body.append(drawing.balance(evidence, columns))
    uses = evidence.locks()
    if uses:
        body.append(drawing.locks(evidence, uses))
    body.append(" ".join(_notes(evidence, columns, figures)))
    return Section(evidence.record.function, body), said


_LEAD = (
    "<p>One call of each function with a team of four. Blue: the thread runs. Pale grey: it is "
    "ready to run but has no core, which costs nothing where each thread has one. In every other "
    "colour the thread does no useful work.</p>"
)


def _notes(evidence: Evidence, columns: Columns, figures: dict[str, Any] | None) -> Iterator[str]:
    record = evidence.record
    if figures:
        yield (
            f"As the grader measures: an expected speedup from {figures['low']:.1f} to "
            f"{figures['high']:.1f}; {figures['runnable']:.1f} threads ran or waited for a core on "
            f"average, the busiest ran {figures['balance']:.2f} times as long as the mean, and the "
            f"team needed {figures['inflation']:.2f} times the CPU time of one thread."
        )
    run, ready = columns.total(RUN), columns.total(READY)
    if ready > _BUSY * run:
        yield (
            "The machine was busy: of the time in which the threads could run they had a core for "
            f"{100 * run / (run + ready):.0f} %. The picture is clearer if no other program runs."
        )
    cores = len(os.sched_getaffinity(0))
    if cores < TEAM:
        yield (
            f"With {cores} cores for {TEAM} threads, waits for tasks and at barriers last longer "
            "than where each thread has one."
        )
    percent = 100 * max(0.01, record.overhead)
    yield f"Recording cost {percent:.0f} % of the CPU time."
    if record.overhead > _MUCH:
        yield "So this call differs from one that is not recorded: it locks or begins tasks often."
    if any(thread.is_openmp for thread in record.threads) and not record.openmp_tool:
        yield (
            "OpenMP's runtime does not report to tools here, so its barriers, tasks and chunks are "
            "not shown: install clang and its libomp with ./setup."
        )
    yield (
        "Not seen: what a thread waits for in a loop of its own without an atomic, a try of a lock "
        "or a pause; and what happens inside of libraries."
    )


def _figures(path: Path | None) -> dict[str, dict[str, Any]]:
    """By function: as show_parallelism.h writes them, a JSON object a line."""
    if path is None or not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {figures["function"]: figures for figures in map(json.loads, lines)}


def _number(path: Path) -> int:
    return int(path.stem) if path.stem.isdigit() else 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--program", type=Path, required=True, help="that was recorded")
    parser.add_argument("--source", type=Path, required=True, help="whose lines are named")
    parser.add_argument("--symbolizer", default="", help="LLVM's; without it, addr2line")
    parser.add_argument("--figures", type=Path, help="of show_parallelism.h")
    parser.add_argument("--out", type=Path, required=True, help="FILE.html")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
