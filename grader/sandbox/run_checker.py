"""The checker program as a function: one phase of one submission."""

import dataclasses
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from common.lab.programming_models.phases import Phase
from grader.model.errors import JudgeError
from grader.model.lab import Parallelism, Part, Timing
from grader.model.manifest import Kit
from grader.sandbox.checker_report import Report, read_report
from grader.sandbox.processes import Processes

DEADLINE_S = 900.0
# A correct program must stay within the limits of slow phases.
SLOW_MEMORY_FACTOR = 8
SLOW_CALL_FACTOR = 4
# When only the verdict is asked for: an endless call spends its whole limit, on several cores and
# under each checker. The labs' limits leave right answers far more time than they need.
_VERDICT_CALL_S = 2.0
# Enough for every lab.
_FILE_MB, _TMP_MB, _STACK_MB = 16, 32, 64
_RANKS_TMP_MB = 128
"""Where ranks pass messages."""
# Puts the threshold for all points next to that for none: what is not too slow is decided at once.
_JUST_BELOW = 0.999
_RACE_CHECKER = "TSAN_OPTIONS"
LIBRARY = "submission.so"
"""The name under which the checker shows the submission's library to the worker in its jail."""
TEAM = 4
"""Threads of the team whose parallelism is measured."""


@dataclasses.dataclass(frozen=True)
class CheckerRun:
    """Some parts of a submission in one phase."""

    kit: Kit
    phase: Phase
    parts: Sequence[Part]
    library: Path
    key: str
    """Of the tests' inputs: 32 hexadecimal digits."""
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
    race_checker: str = ""
    """Options of the race checker behind those of its build."""

    def command(self) -> list[str | Path]:
        kit, mode, model = self.kit, self.phase.mode, self.kit.lab.programming
        build = self.phase.build_for(gpu=self.gpu)
        on_gpu = build == self.phase.gpu_build
        env = dict(kit.manifest.builds[build].env)
        if self.race_checker:
            env[_RACE_CHECKER] = f"{env.get(_RACE_CHECKER, '')} {self.race_checker}"
        command: list[str | Path] = [
            *(kit.checker, f"--mode={mode}"),
            f"--output={self.output}",
            *(f"--worker={kit.worker(build)}", f"--student={self.library}"),
            f"--reference={kit.reference(gpu=on_gpu)}",
            *(["--gpu"] if on_gpu else []),
            *(["--allow-unjailed"] if kit.unjailed else []),
            *(["--ranks"] if model.ranks else []),
            *([f"--reserved-mb={model.runtime_mb}"] if model.runtime_mb else []),
            *self._limits(),
            *(f"--env={name}={value}" for name, value in env.items()),
        ]
        if model.schedule_variable:
            command.append(f"--env={model.schedule_variable}={self._schedule()}")
        if model.counters and mode in ("races", "counters"):
            command += [
                f"--host-bytes={part.function}:{part.host_bytes:g}" for part in kit.lab.parts
            ]
        if mode == "timing":
            timings = [part.timing.chosen(gpu=on_gpu) for part in self.parts if part.timing]
            teams = [p for p in self.parts if p.parallelism and not model.counters]
            command += [_timing_option(timing, self.verdict_only) for timing in timings]
            command += self._team_options(teams)
            suites = {timing.suite for timing in timings}
            suites |= {part.parallelism.suite for part in teams if part.parallelism}
        elif mode == "shares":
            command += self._team_options(self.parts)
            suites = {part.parallelism.suite for part in self.parts if part.parallelism}
        elif mode == "counters":
            suites = {suite for part in self.parts for suite in part.counted_suites}
        else:
            suites = {part.suite for part in self.parts}
        command += [f"--suites={','.join(sorted(suites))}"]
        return command

    def _team_options(self, teams: Sequence[Part]) -> list[str | Path]:
        options: list[str | Path] = [f"--team={self.team}"]
        options += [
            _parallelism_option(part.parallelism, self.verdict_only)
            for part in teams
            if part.parallelism
        ]
        if self.counted and teams:
            worker = self.kit.public / "worker_shares"
            options += [f"--counted={self.counted}", f"--counted-worker={worker}"]
        return options

    def environment(self) -> dict[str, str]:
        """The checker's, beside what all programs get. A command line is for all to read."""
        return {"RANDOM_KEY": self.key}

    def _schedule(self) -> int:
        """The submission sees it, and must not learn the key from it."""
        return 1 + int.from_bytes(hashlib.sha256(self.key.encode()).digest()[:4], "big")

    def _limits(self) -> list[str]:
        limits = self.kit.lab.limits
        slow = self.phase.is_slow
        call_s = limits.call_s
        if self.verdict_only and self.phase.mode != "timing":
            call_s = min(call_s, _VERDICT_CALL_S)
        call_s *= SLOW_CALL_FACTOR if slow and self.patient else 1
        memory_mb = limits.memory_mb * (SLOW_MEMORY_FACTOR if slow else 1)
        tmp_mb = _RANKS_TMP_MB if self.kit.lab.programming.ranks else _TMP_MB
        return [
            *(f"--call-seconds={call_s:g}", f"--run-seconds={self.run_s:g}"),
            f"--memory-mb={memory_mb}",
            *(f"--pids={limits.pids}", f"--output-kb={limits.output_kb}"),
            *(f"--file-mb={_FILE_MB}", f"--tmp-mb={tmp_mb}", f"--stack-mb={_STACK_MB}"),
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
    finished = processes.run(
        run.command(),
        deadline_s=DEADLINE_S,
        yields=run.phase.mode != "timing",
        environment=run.environment(),
    )
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
