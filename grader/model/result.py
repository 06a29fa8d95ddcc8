"""The result of grading one submission: the record that is stored, reported and exported."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from grader.model.kernel_costs import KernelCosts
from grader.model.verdict import Verdict


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Failure(_Record):
    """The first failing case of a part."""

    test: str
    message: str
    """One or a few lines: expected, got, input size and seed."""
    not_written: bool = False
    """Whether the function is still the stub."""


class GpuTiming(_Record):
    """The GPU's peak rates and the minimum work of a timed call, from the same run."""

    device: str
    copy_gb_s: float = Field(gt=0, allow_inf_nan=False)
    """10⁹ bytes read and written per second by a copy on the device."""
    fp32_gflop_s: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """Peak of the device, by its cores and clock; None where unknown."""
    bytes: float = Field(gt=0, allow_inf_nan=False)
    """Minimum bytes that one call reads and writes."""
    operations: float = Field(ge=0, allow_inf_nan=False)
    """Minimum additions, multiplications and comparisons of one call; 0 if not given."""


class TimingResult(_Record):
    """The ratio student time / reference time of paired runs, with its confidence interval."""

    ratio: float
    first: float = 0
    """Of the pair before those that count, in which caches warm up; 0: not known."""
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
    """Why an instructor may want to review it: undecided, calls too short."""
    gpu: GpuTiming | None = None
    """None where the calls were not timed on a GPU."""


class ThreadsMeasurement(_Record):
    """How a team's threads shared the work of a call, by the operating system's accounting."""

    team: int
    runnable: float
    """Mean number of threads that ran or waited for a core during the call."""
    balance: float
    """The busiest thread's run time over the team's mean."""
    inflation: float
    """Run time of the team over that of one thread; 1 if the team does no extra work."""
    copies: float = 1
    """How many times the team does the job, judged by how its run time grows with its size."""
    shared_by: float | None = None
    """How many threads shared the inputs and outputs at most; None: not counted."""
    rounds: int
    cores: int = 1
    """Free cores, at most the team's size."""
    speedup: float | None = None
    """The team's measured speedup over one thread on these cores."""


class ParallelismResult(_Record):
    """A part's parallelism, and the share of its performance points that it earns."""

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
    """Only for CPU labs."""
    flagged: str | None = None
    """Why an instructor may want to review it: undecided, or no accounting by the kernel."""


class CounterResult(_Record):
    """A counter of the CUDA simulator compared with one threshold."""

    counter: str
    kernel: str
    """The threshold's pattern for the names of kernels."""
    value: float | None
    """None if there was nothing to count."""
    worst: str | None = None
    """The kernel that the value belongs to; None for a sum over all kernels."""
    at_least: float | None = None
    at_most: float | None = None
    zero: float | None = None
    points: float
    max_points: float
    why: str
    advice: list[str] = []
    """The simulator's advice, with the student's lines, if points were missed."""


CasePhase = Literal["tests", "races", "counters", "timing"]


class CaseResult(_Record):
    """One hidden case in one phase. For instructors: students get the first that failed."""

    phase: CasePhase
    test: str
    verdict: Verdict | None
    """None for a case that was skipped after another had failed."""


class PartResult(_Record):
    """One graded function."""

    function: str
    title: str
    of_kind: Literal["lab", "tests", "hunt"] = "lab"
    """That of the assignment, on which depends what a verdict means."""
    verdict: Verdict
    points: float
    max_points: float
    tests_passed: int = 0
    tests_total: int = 0
    failure: Failure | None = None
    timing: TimingResult | None = None
    parallelism: ParallelismResult | None = None
    """`timing` and `counters` have the points before multiplication by its share."""
    counters: list[CounterResult] = []
    kernels: KernelCosts | None = None
    """What lines cost in the counted calls; only where points were missed there."""
    forged_findings: bool = False
    """Whether the process wrote something else where the simulator writes its findings."""
    cases: list[CaseResult] = []
    """Empty where no case ran, and in results of older graders."""


class Diagnostic(_Record):
    """Text for the student: the compiler's, sanitizer's or simulator's lines, or the policy's.

    Of what was handed in: which file was graded where that is not clear, or why there was none.
    """

    phase: Literal[
        "handed_in",
        "policy",
        "compile",
        "tests",
        "memory",
        "races",
        "counters",
        "timing",
        "judge",
    ]
    text: str


class Key(_Record):
    """What a result depends on: a submission with a stored key is not graded again."""

    kit: str
    submission: str
    seed: int
    machine: str


class Result(_Record):
    """One student's submission, graded."""

    schema_version: Literal[1] = 1
    lab: str
    student: str
    name: str = ""
    """The student's name, where the platform's own key is a number."""
    source: str
    """The path of the submission in the instructor's folder or archive."""
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
