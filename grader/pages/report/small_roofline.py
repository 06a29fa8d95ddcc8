"""Roofline of a student's call and the reference's, as SVG.

Written without matplotlib: each part of each student has one, so it must be small.
"""

import math

from grader.pages.presentation.gpu_words import rate_text
from grader.pages.presentation.roofline import GpuSpeeds
from grader.pages.report.drawing import label, polyline

_LEFT, _RIGHT, _TOP, _BOTTOM = 8, 302, 20, 138
_STUDENT = 'fill="var(--bar)"'
_REFERENCE = 'fill="var(--card)" stroke="var(--ink)"'


def small_roofline(speeds: GpuSpeeds) -> str:
    """The chart; empty where there are no operations to count."""
    if not speeds.intensity:
        return ""
    roof, x = speeds.roof, speeds.intensity
    ridge = roof.ridge or x
    first, last = min(x, ridge) / 4, max(x, ridge) * 4
    student, reference = speeds.student.gflop_s, speeds.reference.gflop_s
    low = min(student, reference, roof.gflop_s(first)) / 2
    high = max(student, reference, roof.gflop_s(last))

    def place(intensity: float, gflop_s: float) -> tuple[float, float]:
        across = math.log(intensity / first) / math.log(last / first)
        up = math.log(gflop_s / low) / math.log(high / low)
        x, y = _LEFT + (_RIGHT - _LEFT) * across, _BOTTOM - (_BOTTOM - _TOP) * up
        return round(x, 1), round(y, 1)

    corners = [place(at, roof.gflop_s(at)) for at in (first, ridge, last)]
    drawn = [
        polyline([(_LEFT, _TOP), (_LEFT, _BOTTOM), (_RIGHT, _BOTTOM)], 'stroke="var(--line)"'),
        polyline(corners, 'stroke="var(--ink)"'),
        _dot(place(x, reference), _REFERENCE),
        _dot(place(x, student), _STUDENT),
    ]
    drawn += _words(speeds)
    head = '<svg class="curve" viewBox="0 0 312 162" aria-hidden="true" focusable="false">'
    return f"{head}{''.join(drawn)}</svg>"


def _words(speeds: GpuSpeeds) -> list[str]:
    """The legend and the two limits of the roof."""
    roof = speeds.roof
    found = [label(14, 12, f"a copy: {rate_text(roof.copy_gb_s, 'B/s')}")]
    if roof.fp32_gflop_s is not None:
        found.append(label(_RIGHT, 12, f"cores: {rate_text(roof.fp32_gflop_s, 'FLOP/s')}", "end"))
    found += [_dot((12, 150), _STUDENT), label(20, 154, "student")]
    found += [_dot((72, 150), _REFERENCE), label(80, 154, "reference")]
    found.append(label(_RIGHT, 154, f"{speeds.intensity:.3g} operations per byte", "end"))
    return found


def _dot(place: tuple[float, float], look: str) -> str:
    return f'<circle cx="{place[0]:g}" cy="{place[1]:g}" r="4" {look}/>'
