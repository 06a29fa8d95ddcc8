"""A call's speed on a GPU as a sentence for students."""

from grader.model.result import TimingResult
from grader.pages.presentation.roofline import GpuSpeeds, gpu_speeds
from grader.pages.presentation.text import one_line
from grader.pages.presentation.words import timing_words

_STEPS = ((1e3, "T"), (1.0, "G"))


def rate_text(giga: float, unit: str) -> str:
    """A rate in units of 10⁹ to three significant digits: "57.3 GB/s", "2.98 TB/s"."""
    rounded = float(f"{giga:.3g}")
    size, letter = next((step for step in _STEPS if rounded >= step[0]), (1e-3, "M"))
    return f"{float(f'{giga / size:.3g}'):g} {letter}{unit}"


def share_text(share: float) -> str:
    """A share in whole percent: "57 %"."""
    percent = round(100 * share)
    return f"{percent} %" if percent else "less than 1 %"


def gpu_words(timing: TimingResult) -> str | None:
    """One sentence: the rate, its share of what the device allows, the reference's rate.

    None where the call was not timed on a GPU.
    """
    speeds = gpu_speeds(timing)
    if speeds is None:
        return None
    limit = "the peak rate of its cores" if speeds.computes else "the rate of a copy"
    student, reference = _rates(speeds)
    return (
        f"On the {one_line(speeds.device)}: {student}, {share_text(speeds.student.share)} of "
        f"{limit} (the reference: {reference})."
    )


def timing_lines(timing: TimingResult) -> list[str]:
    """The sentences about a part's timing."""
    on_gpu = gpu_words(timing)
    return [timing_words(timing), *([on_gpu] if on_gpu else [])]


def _rates(speeds: GpuSpeeds) -> tuple[str, str]:
    student, reference = speeds.student, speeds.reference
    if speeds.computes:
        return rate_text(student.gflop_s, "FLOP/s"), rate_text(reference.gflop_s, "FLOP/s")
    return rate_text(student.gb_s, "B/s"), rate_text(reference.gb_s, "B/s")
