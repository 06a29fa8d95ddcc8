"""Charts for a class that was timed on GPUs, with captions."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from grader.pages.presentation.gpu_words import share_text
from grader.pages.presentation.roofline import GpuSpeeds, Roof
from grader.pages.presentation.text import one_line
from grader.pages.report.roofline_chart import Strip, memory_plot, roofline_plot
from grader.pages.report.summary import PartSummary

_NEAR_THE_LINE = "a call near the line is near the limit of the GPU"


@dataclass(frozen=True)
class GpuFigure:
    """A chart of one device."""

    title: str
    svg: str
    note: str
    """How to read it."""
    key: list[tuple[int, str]]
    """Number and caption of each strip."""
    wide: bool


def gpu_figures(parts: Iterable[PartSummary]) -> list[GpuFigure]:
    """Each device has its own charts, because each has its own roof."""
    devices: defaultdict[str, list[Strip]] = defaultdict(list)
    for number, part in enumerate(parts, start=1):
        # Only newer kits count operations, so a part may have calls with and without them.
        calls: defaultdict[tuple[str, bool], list[GpuSpeeds]] = defaultdict(list)
        for call in part.gpu_calls:
            calls[one_line(call.device), call.intensity > 0].append(call)
        for (device, _), found in calls.items():
            devices[device].append(Strip(number, part.title, found))
    return [
        figure
        for number, (device, strips) in enumerate(sorted(devices.items()))
        for figure in _figures(device, strips, f"gpu{number}")
    ]


def _figures(device: str, strips: list[Strip], name: str) -> list[GpuFigure]:
    roof = _roof([call for strip in strips for call in strip.calls])
    counted = [strip for strip in strips if strip.intensity > 0]
    moved = [strip for strip in strips if strip.intensity == 0]
    figures = []
    if counted:
        svg = roofline_plot(counted, roof, f"{name}roofline")
        note = _roofline_note(counted, roof)
        figures.append(GpuFigure(f"Roofline: {device}", svg, note, _key(counted), wide=True))
    if moved:
        svg = memory_plot(moved, roof.copy_gb_s, f"{name}memory")
        note = (
            f"{_mark(moved)}, each diamond the reference: {_NEAR_THE_LINE}, because these parts "
            "only move data and can hardly be faster than a copy."
        )
        figures.append(GpuFigure(f"Memory: {device}", svg, note, _key(moved), wide=False))
    return figures


def _roof(calls: list[GpuSpeeds]) -> Roof:
    peaks = [call.roof.fp32_gflop_s for call in calls if call.roof.fp32_gflop_s is not None]
    return Roof(median(call.roof.copy_gb_s for call in calls), median(peaks) if peaks else None)


def _mark(strips: list[Strip]) -> str:
    marks = []
    if not all(strip.banded for strip in strips):
        marks.append("each dot is a student's call")
    if any(strip.banded for strip in strips):
        marks.append("each bar is a whole class, thick for the middle 80 %, a dash at the median")
    text = ", ".join(marks)
    return text[0].upper() + text[1:]


def _roofline_note(strips: list[Strip], roof: Roof) -> str:
    limits = "memory bandwidth on the slope, the peak rate of the cores on the flat part"
    if roof.fp32_gflop_s is None:
        limits = "memory bandwidth (the peak rate of the cores is not known here)"
    return (
        f"{_mark(strips)}, each diamond the reference: {_NEAR_THE_LINE}, which is {limits}. "
        "Above the line a cache held the data."
    )


def _key(strips: list[Strip]) -> list[tuple[int, str]]:
    return [(strip.number, _strip_words(strip)) for strip in strips]


def _strip_words(strip: Strip) -> str:
    student = median(call.student.share for call in strip.calls)
    reference = median(call.reference.share for call in strip.calls)
    counted = f" ({strip.intensity:.3g} operations per byte)" if strip.intensity else ""
    return (
        f"{strip.title}{counted}: median {share_text(student)} of the limit, "
        f"reference {share_text(reference)}"
    )
