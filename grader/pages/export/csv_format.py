"""Comma-separated values: one line per student, for spreadsheets and scripts (RFC 4180, UTF-8)."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.model.files import replacing
from grader.model.lab import Lab
from grader.model.result import PartResult, Result
from grader.pages.export.place import single_file
from grader.pages.presentation.facts import flags, is_graded, part_of
from grader.pages.presentation.roofline import gpu_speeds
from grader.pages.presentation.text import clean

_FORMULA_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")

_ON_GPU = ("gpu", "gb_s", "gflop_s", "limit_share")


def cell(text: str) -> str:
    """Text that no spreadsheet runs as a formula: what looks like one gets an apostrophe."""
    text = clean(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA_STARTS) or text[:1].isspace() else text


def _number(value: float) -> str:
    return f"{round(value, 4):g}"


def _header(lab: Lab) -> Iterator[str]:
    yield from ("student", "verdict", "points", "max_points")
    for part in lab.parts:
        yield from (f"{part.function}_{what}" for what in ("verdict", "points", "max_points"))
        if part.timing:
            yield from (f"{part.function}_{what}" for what in ("ratio", "ratio_low", "ratio_high"))
        if part.timing and lab.programming.gpu:
            yield from (f"{part.function}_{what}" for what in _ON_GPU)
        if part.parallelism:
            yield from (f"{part.function}_parallelism{what}" for what in ("", "_share"))
        for threshold in part.counters:
            kernel = "" if threshold.kernel == "*" else f"_{threshold.kernel}"
            yield cell(f"{part.function}{kernel}_{threshold.counter}")
    yield from ("flags", "protections_lost", "source", "graded_at")
    yield from ("seed", "kit", "machine", "submission")


def _part_cells(part: PartResult | None, timed: bool) -> Iterator[str]:
    judged = part is not None and part.verdict.value != "judge_error"
    yield part.verdict.value if part else ""
    yield _number(part.points) if part and judged else ""
    yield _number(part.max_points) if part else ""
    if timed:
        timing = part.timing if part else None
        yield from (
            (_number(timing.ratio), _number(timing.low), _number(timing.high))
            if timing
            else ("", "", "")
        )


def _gpu_cells(part: PartResult | None) -> Iterator[str]:
    """Blank where the call was not timed on a GPU."""
    speeds = gpu_speeds(part.timing) if part and part.timing else None
    if speeds is None:
        yield from [""] * len(_ON_GPU)
        return
    yield cell(speeds.device)
    student = speeds.student
    yield from (_number(student.gb_s), _number(student.gflop_s), _number(student.share))


def _parallelism_cells(part: PartResult | None) -> Iterator[str]:
    parallelism = part.parallelism if part else None
    if parallelism is None or parallelism.value is None:
        yield from ("", "")
        return
    yield from (_number(parallelism.value), _number(parallelism.share))


def _row(result: Result, lab: Lab) -> Iterator[str]:
    yield cell(result.student)
    yield result.verdict.value
    yield _number(result.points) if is_graded(result) else ""
    yield _number(result.max_points)
    for part in lab.parts:
        found = part_of(result, part.function)
        yield from _part_cells(found, part.timing is not None)
        if part.timing and lab.programming.gpu:
            yield from _gpu_cells(found)
        if part.parallelism:
            yield from _parallelism_cells(found)
        counted = found.counters if found else []
        for number in range(len(part.counters)):
            value = counted[number].value if number < len(counted) else None
            yield _number(value) if value is not None else ""
    yield cell("; ".join(flags(result)))
    yield cell("; ".join(result.protections_lost))
    yield cell(result.source)
    yield cell(result.graded_at)
    yield str(result.key.seed)
    yield from (cell(result.key.kit), cell(result.key.machine), cell(result.key.submission))


def export(results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes `path` (or `results.csv` in it). Points that are not final are left blank."""
    target = single_file(path, "results.csv")
    with replacing(target) as file:
        rows = csv.writer(file, lineterminator="\r\n")
        rows.writerow(_header(lab))
        for result in results:
            rows.writerow(_row(result, lab))
    return [target]
