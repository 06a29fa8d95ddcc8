"""The checker program as a function: one phase of one submission, its test cases as data."""

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from common.lab.programming_models.phases import Phase
from grader.model.errors import JudgeError
from grader.model.lab import Parallelism, Part, Timing
from grader.model.manifest import Kit
from grader.model.result import GpuTiming
from grader.model.verdict import Verdict
from grader.sandbox.processes import Processes

Decision = Literal["full", "zero", "between", "undecided"]
MAX_RESULT_BYTES = 64 << 20
DEADLINE_S = 900.0
# A correct program must stay within the limits of slow phases.
SLOW_MEMORY_FACTOR = 8
SLOW_CALL_FACTOR = 4
# When only the verdict is asked for: an endless call spends its whole limit, on several cores and
# under each checker. The labs' limits leave right answers far more time than they need.
_VERDICT_CALL_S = 2.0
# Enough for every lab.
_FILE_MB, _TMP_MB, _STACK_MB = 16, 32, 64
# Puts the threshold for all points next to that for none: what is not too slow is decided at once.
_JUST_BELOW = 0.999
LIBRARY = "submission.so"
"""The name under which the checker shows the submission's library to the worker in its jail."""
TEAM = 4
"""Threads of the team whose parallelism is measured."""
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

    @property
    def is_quiet(self) -> bool:
        """Whether the machine let the reference earn all points, so that others may lose some."""
        return self.decision == "full"


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


@dataclasses.dataclass(frozen=True)
class CheckerRun:
    """Some parts of a submission in one phase."""

    kit: Kit
    phase: Phase
    parts: Sequence[Part]
    library: Path
    seed: int
    output: Path
    patient: bool = True
    """A patient slow phase gives calls more time."""
    verdict_only: bool = False
    """A timing then decides only whether a part is too slow, and other calls get less time."""
    gpu: bool = False
    """A timing uses this machine's GPU."""
    team: int = TEAM
    """Threads of the team whose parallelism is measured."""
    budget_s: float | None = None
    """The time that the submission may take in all; None: what the lab's limits say."""
    counted: Path | None = None
    """The library of the phase's sharing build."""

    def command(self) -> list[str | Path]:
        kit, mode, model = self.kit, self.phase.mode, self.kit.lab.programming
        build = self.phase.build_for(gpu=self.gpu)
        on_gpu = build == self.phase.gpu_build
        env = kit.manifest.builds[build].env
        command: list[str | Path] = [
            *(kit.checker, f"--mode={mode}"),
            *(f"--seed={self.seed}", f"--output={self.output}"),
            *(f"--worker={kit.worker(build)}", f"--student={self.library}"),
            f"--reference={kit.reference(gpu=on_gpu)}",
            *(["--gpu"] if on_gpu else []),
            *(["--allow-unjailed"] if kit.unjailed else []),
            *([f"--reserved-mb={model.runtime_mb}"] if model.runtime_mb else []),
            *self._limits(),
            *(f"--env={name}={value}" for name, value in env.items()),
        ]
        if model.schedule_variable:
            command.append(f"--env={model.schedule_variable}={self.seed % 2**32 + 1}")
        if model.counters and mode in ("races", "counters"):
            command += [
                f"--host-bytes={part.function}:{part.host_bytes:g}" for part in kit.lab.parts
            ]
        if mode == "timing":
            timings = [part.timing.chosen(gpu=on_gpu) for part in self.parts if part.timing]
            teams = [p for p in self.parts if p.parallelism and not model.counters]
            command += [_timing_option(timing, self.verdict_only) for timing in timings]
            command += [f"--team={self.team}"]
            command += [
                _parallelism_option(part.parallelism, self.verdict_only)
                for part in teams
                if part.parallelism
            ]
            if self.counted and teams:
                worker = kit.public / "worker_shares"
                command += [f"--counted={self.counted}", f"--counted-worker={worker}"]
            suites = {timing.suite for timing in timings}
            suites |= {part.parallelism.suite for part in teams if part.parallelism}
        elif mode == "counters":
            suites = {suite for part in self.parts for suite in part.counted_suites}
        else:
            suites = {part.suite for part in self.parts}
        command += [f"--suites={','.join(sorted(suites))}"]
        return command

    def _limits(self) -> list[str]:
        limits = self.kit.lab.limits
        slow = self.phase.is_slow
        call_s = limits.call_s
        if self.verdict_only and self.phase.mode != "timing":
            call_s = min(call_s, _VERDICT_CALL_S)
        call_s *= SLOW_CALL_FACTOR if slow and self.patient else 1
        memory_mb = limits.memory_mb * (SLOW_MEMORY_FACTOR if slow else 1)
        return [
            *(f"--call-seconds={call_s:g}", f"--run-seconds={self.run_s:g}"),
            f"--memory-mb={memory_mb}",
            *(f"--pids={limits.pids}", f"--output-kb={limits.output_kb}"),
            *(f"--file-mb={_FILE_MB}", f"--tmp-mb={_TMP_MB}", f"--stack-mb={_STACK_MB}"),
        ]

    @property
    def run_s(self) -> float:
        """The time that the submission may take in all."""
        return self.kit.lab.limits.run_s if self.budget_s is None else self.budget_s


def run_checker(processes: Processes, run: CheckerRun) -> Report:
    """Runs the checker; JudgeError if the checker itself fails."""
    report = _run(processes, run)
    if any(case.killed for case in report.cases):
        # By the kernel, where memory is short, or by hand: then a second run may succeed.
        report = _run(processes, run)
    return _named_as_in_a_jail(report, run.library.name) if run.kit.unjailed else report


def _named_as_in_a_jail(report: Report, library: str) -> Report:
    """Race checkers name libraries; without a jail the submission's has its own name."""
    own = re.compile(rf"\((?:/\S*/)?{re.escape(library)}\+0x")
    cases = [
        dataclasses.replace(case, stderr=own.sub(f"({LIBRARY}+0x", case.stderr))
        for case in report.cases
    ]
    return dataclasses.replace(report, cases=cases)


def _run(processes: Processes, run: CheckerRun) -> Report:
    finished = processes.run(run.command(), deadline_s=DEADLINE_S)
    if finished.code != 0:
        text = " ".join(finished.stderr.split())[-400:] or "it said nothing"
        raise JudgeError(f"the checker ended with code {finished.code} in {run.phase.name}: {text}")
    return read_report(run.output)


def _timing_option(timing: Timing, verdict_only: bool) -> str:
    full = timing.zero * _JUST_BELOW if verdict_only else timing.full
    numbers = (full, timing.zero, timing.budget_s, timing.confidence)
    return f"--timing={timing.suite}:" + ":".join(f"{number:g}" for number in numbers)


def _parallelism_option(asked: Parallelism, verdict_only: bool) -> str:
    full = asked.zero / _JUST_BELOW if verdict_only else asked.full
    numbers = (full, asked.zero, asked.budget_s, asked.confidence)
    return f"--parallelism={asked.suite}:" + ":".join(f"{number:g}" for number in numbers)


def read_report(path: Path) -> Report:
    """What the checker wrote; JudgeError if it does not match the schema."""
    try:
        with path.open("rb") as stream:
            return _REPORT.validate_json(stream.read(MAX_RESULT_BYTES))
    except (OSError, ValidationError) as error:
        raise JudgeError(f"the checker left no usable result: {error!r}") from error
