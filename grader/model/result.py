"""What grading one submission gives: the record that is stored, reported and exported."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from grader.model.verdict import Verdict


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Failure(_Record):
    """The first failing case of a part."""

    test: str
    message: str
    """One or a few lines: expected, got, input size and seed."""
    not_written: bool = False
    """Whether the function is still as it was handed out."""


class GpuTiming(_Record):
    """What a GPU could do at most in a timed call, measured in the same run."""

    device: str
    copy_gb_s: float = Field(gt=0, allow_inf_nan=False)
    """10⁹ bytes read and written per second by a copy on the device."""
    fp32_gflop_s: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """Peak of the device, by its cores and clock; None where unknown."""
    bytes: float = Field(gt=0, allow_inf_nan=False)
    """What one call must read and write, at least."""
    operations: float = Field(ge=0, allow_inf_nan=False)
    """Additions, multiplications and comparisons of one call, at least; 0: nothing to count."""


class TimingResult(_Record):
    """Paired ratios student time / reference time, with their confidence interval."""

    ratio: float
    low: float
    high: float
    pairs: int
    full: float
    zero: float
    decision: Literal["full", "zero", "between", "undecided"]
    student_ms: float
    reference_ms: float
    points: float
    max_points: float
    flagged: str | None = None
    """Why an instructor may want to look: undecided, calls too short, noisy machine."""
    gpu: GpuTiming | None = None
    """None where the calls were not timed on a GPU."""


class ThreadsMeasurement(_Record):
    """How the threads of a team shared the work of a call, by the kernel's accounting."""

    team: int
    runnable: float
    """Threads that ran or waited for a core, on average over the call."""
    balance: float
    """The busiest thread's run time over the team's mean."""
    inflation: float
    """Run time of the team over that of one thread; 1 where the team does no more."""
    rounds: int
    cores: int = 1
    """That were free, at most as many as the team has threads."""
    speedup: float | None = None
    """How many times as fast as one thread the team was on these cores."""


class ParallelismResult(_Record):
    """How parallel a part is, and so which share of its performance points counts."""

    value: float | None
    """Work / span, or the expected speedup; None where nothing was measured."""
    low: float | None = None
    high: float | None = None
    full: float
    zero: float
    decision: Literal["full", "zero", "between", "undecided"]
    share: float = Field(ge=0, le=1)
    """What the points for time and counters are multiplied by."""
    points: float
    max_points: float
    threads: ThreadsMeasurement | None = None
    """Of a CPU lab."""
    flagged: str | None = None
    """Why an instructor may want to look: undecided, or no accounting by the kernel."""


class CounterResult(_Record):
    """What the CUDA simulator counted, against one threshold."""

    counter: str
    kernel: str
    """The pattern of the threshold: which kernels it is about."""
    value: float | None
    """None where there was nothing to count."""
    worst: str | None = None
    """The kernel that the value is of; None for a sum over all of them."""
    at_least: float | None = None
    at_most: float | None = None
    zero: float | None = None
    points: float
    max_points: float
    why: str
    advice: list[str] = []
    """The simulator's own words, with the student's lines, where points were missed."""


class PartResult(_Record):
    """One graded function."""

    function: str
    title: str
    verdict: Verdict
    points: float
    max_points: float
    tests_passed: int = 0
    tests_total: int = 0
    failure: Failure | None = None
    timing: TimingResult | None = None
    parallelism: ParallelismResult | None = None
    """Points of timing and counters are those before they are multiplied by its share."""
    counters: list[CounterResult] = []


class Diagnostic(_Record):
    """Text for the student: the compiler's, sanitizer's or simulator's lines, or the policy's."""

    phase: Literal["policy", "compile", "tests", "races", "counters", "timing", "judge"]
    text: str


class Key(_Record):
    """Same key, same result: nothing to do again."""

    kit: str
    submission: str
    seed: int
    machine: str


class Result(_Record):
    """One student's submission, graded."""

    schema_version: Literal[1] = 1
    lab: str
    student: str
    source: str
    """Where the submission was found, as a path that the instructor knows."""
    key: Key
    verdict: Verdict
    points: float
    max_points: float
    parts: list[PartResult] = []
    diagnostics: list[Diagnostic] = []
    protections_lost: list[str] = []
    seconds: dict[str, float] = Field(default_factory=dict)
    """Wall time per phase."""
    graded_at: str = ""
    """UTC, ISO 8601."""
