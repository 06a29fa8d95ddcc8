"""What the checker program writes: the test cases of one run, as data."""

from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from grader.model.errors import JudgeError
from grader.model.result import GpuTiming
from grader.model.verdict import Verdict

MAX_RESULT_BYTES = 64 << 20
Decision = Literal["full", "zero", "between", "undecided"]
_AS_AGREED = ConfigDict(extra="forbid", allow_inf_nan=False)


@dataclass(frozen=True, config=_AS_AGREED)
class Device:
    """The GPU that a call was timed on, and the least work of the call; 0: not known."""

    name: str
    copy_gb_s: float
    fp32_gflop_s: float
    bytes: float
    operations: float

    def timing(self) -> GpuTiming | None:
        """For calls whose work is known."""
        if not self.bytes:
            return None
        return GpuTiming(
            device=self.name,
            copy_gb_s=self.copy_gb_s,
            fp32_gflop_s=self.fp32_gflop_s or None,
            bytes=self.bytes,
            operations=self.operations,
        )


@dataclass(frozen=True, config=_AS_AGREED)
class Control:
    """The reference measured in the student's place, in the same rounds."""

    low: float
    high: float
    decision: Decision


@dataclass(frozen=True, config=_AS_AGREED)
class Timed:
    """What a timing test measured: paired ratios student time / reference time."""

    ratio: float
    low: float
    high: float
    pairs: int
    decision: Decision
    student_ms: float
    reference_ms: float
    shortest_ms: float
    """Calls below that are hard to time."""
    short_calls: bool
    first: float = 0
    """The ratio of the pair before those that count; 0: none."""
    device: Device | None = None
    """None where the calls were not timed on a GPU."""
    control: Control | None = None
    """None where the ratio may earn all points."""


@dataclass(frozen=True, config=_AS_AGREED)
class TeamMeasured:
    """What the threads of a team did in a timing test's calls: medians over rounds."""

    value: float
    """The expected speedup of the team over one thread, with its interval."""
    low: float
    high: float
    rounds: int
    decision: Decision
    runnable: float
    inflation: float
    copies: float
    """Of the job that the team does, judged by how its CPU time grows with the team's size."""
    balance: float
    shared_by: float
    """How many threads shared the inputs and outputs at most; 0: not counted."""
    speedup: float
    """The measured one, on the cores that are there."""
    alone_ms: float
    """Wall time of one thread."""
    shortest_ms: float
    short_calls: bool
    control: Control | None = None
    """None where the value may earn all points."""


@dataclass(frozen=True, config=_AS_AGREED)
class TeamRun:
    """What a test of parallelism measured, where this machine can measure it."""

    team: int
    cores: int
    """Free cores, at most as many as the team has threads."""
    waits_counted: bool = True
    """Whether the kernel counts how long threads wait for a core."""
    measured: TeamMeasured | None = None


@dataclass(frozen=True, config=_AS_AGREED)
class Case:
    """One test that was chosen; `verdict` is None when it was skipped."""

    suite: str
    name: str
    verdict: Verdict | None
    message: str = ""
    stderr: str = ""
    timed: Timed | None = None
    profiles: tuple[str, ...] = ()
    """The simulator's counters of each call, as the submission's process reports them."""
    profile_cut: bool = False
    """The counters were too long and are left out."""
    team_run: TeamRun | None = None
    stacks: str = ""
    """The threads' stacks in a call that did not return, as reported: see judge/stacks.py."""
    findings: str = ""
    """The simulator's findings."""
    forged: bool = False
    """Whether among them was something else: judge/retold.py."""
    report: str = ""
    """A checker's report, edited for the student: see judge/race_report.py."""
    may_be_race: bool = False
    """Whether the memory checker's finding may be the consequence of a data race."""
    killed: bool = False
    """Whether the submission's process died of SIGKILL, and of no limit."""
    not_written: bool = False
    """Whether the wrong answer is that of an untouched stub."""

    @property
    def full_name(self) -> str:
        """SumTest.IsRight, which a parameterised suite calls SumTest/AnyPartTest.IsRight/0."""
        return f"{self.suite.split('/')[0]}.{self.name.removesuffix('/0')}"

    def belongs_to(self, suite: str) -> bool:
        """Parameterised suites are named Instance/Suite, typed ones Suite/0."""
        return suite in self.suite.split("/")


@dataclass(frozen=True, config=_AS_AGREED)
class Report:
    """The result of one run of the checker, as grader/sandbox/checker/result.h describes it."""

    cases: list[Case]
    protections_lost: list[str]
    schema: Literal[1] = 1


_REPORT = TypeAdapter(Report)


def read_report(path: Path) -> Report:
    """What the checker wrote; JudgeError if it does not match the schema."""
    try:
        with path.open("rb") as stream:
            return _REPORT.validate_json(stream.read(MAX_RESULT_BYTES))
    except (OSError, ValidationError) as error:
        raise JudgeError(f"the checker left no usable result: {error!r}") from error
