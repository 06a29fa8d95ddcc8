"""The roofline model of a timed call on a GPU (Williams et al., Roofline, 2009)."""

import math
from dataclasses import dataclass

from grader.model.result import GpuTiming, TimingResult


@dataclass(frozen=True, slots=True)
class Roof:
    """A device's limits: the bandwidth of a copy and the peak rate of its cores."""

    copy_gb_s: float
    fp32_gflop_s: float | None
    """None where unknown: then the copy is the only limit."""

    def gflop_s(self, intensity: float) -> float:
        """The attainable rate at an arithmetic intensity, in operations per byte moved."""
        slope = intensity * self.copy_gb_s
        return slope if self.fp32_gflop_s is None else min(slope, self.fp32_gflop_s)

    @property
    def ridge(self) -> float | None:
        """The arithmetic intensity above which the peak is the limit instead of the copy."""
        return None if self.fp32_gflop_s is None else self.fp32_gflop_s / self.copy_gb_s


@dataclass(frozen=True, slots=True)
class Speed:
    """The least data a call must move and the least operations it needs, over its time."""

    gb_s: float
    gflop_s: float
    share: float
    """Fraction of the roof; above 1 where a cache held the data."""


@dataclass(frozen=True, slots=True)
class GpuSpeeds:
    """A part's timed call by the student and by the reference, under the roof of the device."""

    device: str
    roof: Roof
    intensity: float
    """Operations per byte; 0 where there are none to count."""
    student: Speed
    reference: Speed

    @property
    def computes(self) -> bool:
        """Whether the peak is the limit; at the ridge the copy is."""
        return self.roof.ridge is not None and self.intensity > self.roof.ridge


def gpu_speeds(timing: TimingResult) -> GpuSpeeds | None:
    """None where the call was not timed on a GPU, or a time is not positive and finite."""
    times = (timing.student_ms, timing.reference_ms)
    if timing.gpu is None or not all(0 < ms < math.inf for ms in times):
        return None
    gpu = timing.gpu
    return GpuSpeeds(
        gpu.device,
        Roof(gpu.copy_gb_s, gpu.fp32_gflop_s),
        gpu.operations / gpu.bytes,
        *(_speed(gpu, ms) for ms in times),
    )


def _speed(gpu: GpuTiming, ms: float) -> Speed:
    gb_s, gflop_s = gpu.bytes / ms / 1e6, gpu.operations / ms / 1e6
    shares = [gb_s / gpu.copy_gb_s]
    if gpu.fp32_gflop_s is not None:
        shares.append(gflop_s / gpu.fp32_gflop_s)
    return Speed(gb_s, gflop_s, max(shares))
