"""Grades one submission's text in phases: compile, tests, races, counters, timing."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

from grader.judging.compile.build import Workspace
from grader.judging.judge.builds import Builds, EarlyVerdictError, is_counted, policy_broken
from grader.judging.judge.checker_reports import with_reports
from grader.judging.judge.context import GradingContext
from grader.judging.judge.counter_points import judge_counters
from grader.judging.judge.evidence import own_failure
from grader.judging.judge.parts import (
    MEMORY_AFTER,
    RACES_AFTER,
    PartState,
    cases_of,
    conclude,
    first_refusal,
    overall,
    reports,
    start,
)
from grader.judging.judge.stacks import with_lines
from grader.model.errors import TooBusyError
from grader.model.lab import Part
from grader.model.result import Diagnostic, PartResult
from grader.model.verdict import Verdict
from grader.sandbox.part_by_part import run_part_by_part
from grader.sandbox.run_checker import CheckerRun, Mode, Report, build_of, run_checker

PARTS_AT_A_TIME = 2
LOOKS_FOR_A_DEADLOCK = 3
PAUSES_S = (1.0, 5.0)
"""Pauses before a part whose points are open is measured again: the machine may have been busy."""


@dataclass
class Phases:
    """The state of one submission while it is graded."""

    context: GradingContext
    work: Workspace
    seed: int
    builds: Builds = field(init=False)
    seconds: dict[str, float] = field(default_factory=dict)
    parts_pool: ThreadPoolExecutor | None = None
    """Where cores are spare: parts that are not timed run several at a time."""

    def __post_init__(self) -> None:
        self.builds = Builds(self.context, self.work)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return self.builds.diagnostics

    @property
    def lost(self) -> set[str]:
        """What the jails could not protect against."""
        return self.builds.lost

    def run(self) -> tuple[Verdict, list[PartResult]]:
        """The verdict and every part's result; no results where no part was tested."""
        with ThreadPoolExecutor(PARTS_AT_A_TIME) as pool:
            if self._may_work_side_by_side:
                self.parts_pool = pool
            try:
                parts = self._run_parts()
                return overall(parts), [_own_failure(part) for part in parts]
            except EarlyVerdictError as early:
                self.diagnostics.append(early.diagnostic)
                return early.verdict, []

    def _run_parts(self) -> list[PartResult]:
        parts = self.context.kit.lab.parts
        if self.context.verdict_only:
            states = self._run_for_the_verdict(parts)
        else:
            states = self._run_without_a_clock(parts)
            self._time([state for state in states if state.may_be_timed(verdict_only=False)])
        self.diagnostics.extend(reports(states))
        return [conclude(state) for state in states]

    def _run_for_the_verdict(self, parts: Sequence[Part]) -> list[PartState]:
        """Parts up to the first that is not accepted; timing, which takes longest, comes last.

        If a part fails without timing, earlier parts are not timed, even if one would be too slow.
        After a part that misses points for counters, later parts with counters still run: the check
        for thresholds that no sample misses needs all counters.
        """
        states: list[PartState] = []
        verdict = Verdict.ACCEPTED
        for part in parts:
            if verdict is Verdict.ACCEPTED or (
                verdict is Verdict.TOO_SLOW and self._is_counted(part)
            ):
                states += self._run_without_a_clock([part])
                verdict = first_refusal(state.verdict_without_a_clock for state in states)
        for state in states:
            timed = self.context.clock and state.may_be_timed(verdict_only=True)
            if timed and verdict is Verdict.ACCEPTED:
                self._time([state])
                verdict = conclude(state).verdict
            else:
                state.needs_a_clock = False
        return states

    def _run_without_a_clock(self, parts: Sequence[Part]) -> list[PartState]:
        self._compile("tests")
        with self.context.lock.shared(), self._phase("tests"):
            states = start(parts, self._check("tests", parts))
        lacking = self.builds.found.lacking
        if lacking and any(state.verdict is Verdict.ACCEPTED for state in states):
            raise EarlyVerdictError(Verdict.POLICY, policy_broken(list(lacking)))
        self._refuse([state for state in states if state.verdict is Verdict.ACCEPTED])
        racing = [state for state in states if state.verdict in RACES_AFTER]
        self._check_memory([state for state in states if state.verdict in MEMORY_AFTER])
        racing = [state for state in racing if not state.is_explained]
        if self._may_check_side_by_side and self._counted(states):
            self._check_side_by_side(racing, self._counted(states))
        else:
            self._races(racing)
            self._count(self._counted(states))
        return states

    @property
    def _may_work_side_by_side(self) -> bool:
        return self.context.spare_cores and not self.context.verdict_only

    @property
    def _may_check_side_by_side(self) -> bool:
        return self._may_work_side_by_side and "races" in self.context.kit.manifest.builds

    def _counted(self, states: list[PartState]) -> list[PartState]:
        return [s for s in states if s.verdict is Verdict.ACCEPTED and self._is_counted(s.part)]

    def _check_side_by_side(self, racing: list[PartState], counted: list[PartState]) -> None:
        """Both checks of the simulator at once. What races is counted in vain."""
        for build in ("races", "counters"):
            self._compile(build)
        with self.context.lock.shared(), ThreadPoolExecutor(1) as pool:
            counts = pool.submit(self._measure, "counters", counted)
            self._check_races(racing)
            self._take_counts(self._counted(counted), counts.result())

    def _compile(self, build: str) -> None:
        if build in self.builds.libraries:
            return
        with self.context.lock.shared(), self._phase("compile"):
            self.builds.make(build, others=self._may_work_side_by_side)

    def _is_counted(self, part: Part) -> bool:
        return is_counted(self.context, part)

    def _refuse(self, states: list[PartState]) -> None:
        """Refuses parts with right answers that do not use a required construct."""
        for state in states:
            if lacking := self.builds.found.lacking_in.get(state.part.function):
                state.refused = True
                self.diagnostics.append(policy_broken(list(lacking)))

    def _check_memory(self, states: list[PartState]) -> None:
        if not states or "memory" not in self.context.kit.manifest.builds:
            return
        self._compile("memory")
        with self.context.lock.shared():
            report = self._measure("memory", states)
        for state in states:
            state.memory = cases_of(report, state.part.suite, "races")

    def _races(self, states: list[PartState]) -> None:
        if not states or "races" not in self.context.kit.manifest.builds:
            return
        self._compile("races")
        with self.context.lock.shared():
            self._check_races(states)

    def _check_races(self, states: list[PartState]) -> None:
        """Parts that never end are checked apart: they get no more time for a slow checker."""
        endless = [state for state in states if state.verdict is Verdict.TIME_LIMIT]
        others = [state for state in states if state.verdict is not Verdict.TIME_LIMIT]
        self._look_for_races(others)
        self._look_for_races(endless)
        for _ in range(LOOKS_FOR_A_DEADLOCK - 1):
            # Threads can lock each other out before the checker has seen both orders of the locks.
            self._look_for_races([state for state in endless if state.may_be_deadlocked])

    def _look_for_races(self, states: list[PartState]) -> None:
        if states:
            self._take_races(states, self._measure("races", states))

    def _count(self, states: list[PartState]) -> None:
        if not states:
            return
        self._compile("counters")
        with self.context.lock.shared():
            report = self._measure("counters", states)
        self._take_counts(states, report)

    def _measure(self, mode: Mode, states: list[PartState]) -> Report:
        # If the tests failed already, waiting for a call that never returns adds nothing.
        patient = any(state.verdict is Verdict.ACCEPTED for state in states)
        with self._phase(mode):
            return self._check(mode, [state.part for state in states], patient=patient)

    @staticmethod
    def _take_races(states: list[PartState], report: Report) -> None:
        for state in states:
            state.races = cases_of(report, state.part.suite, "races")

    @staticmethod
    def _take_counts(states: list[PartState], report: Report) -> None:
        for state in states:
            for suite in state.part.counted_suites:
                state.counted_cases += cases_of(report, suite, "counters")
            state.counted = judge_counters(state.part, state.counted_cases)

    def _time(self, states: list[PartState]) -> None:
        if not states:
            return
        self._compile(build_of("timing", gpu=self.context.gpu))
        for pause in (*PAUSES_S, None):
            with self.context.lock.alone(), self._phase("timing"):
                report = self._check("timing", [state.part for state in states])
            for state in states:
                suites = state.clocked_suites
                state.timing = [c for suite in suites for c in cases_of(report, suite, "timing")]
            states = [state for state in states if state.is_undecided]
            if not states:
                return
            if pause is not None:
                self.context.processes.pause(pause)
        for state in states:
            if state.disturbed:
                raise TooBusyError(state.part.function, state.disturbed.low, state.disturbed.high)

    def _check(self, mode: Mode, parts: Sequence[Part], *, patient: bool = True) -> Report:
        context = self.context
        library = self.builds.libraries[build_of(mode, gpu=context.gpu)]
        run = CheckerRun(
            context.kit,
            mode,
            parts,
            library,
            self.seed,
            self.work.folder / f"{mode}.json",
            patient=patient,
            verdict_only=context.verdict_only,
            gpu=context.gpu,
            counted=self.builds.libraries.get("races"),
        )
        pool = self.parts_pool if mode != "timing" else None
        report = (
            run_part_by_part(context.processes, run, pool)
            if pool
            else run_checker(context.processes, run)
        )
        self.lost.update(report.protections_lost)
        report = with_lines(context, report, library, self.work.folder)
        return with_reports(context, mode, report, library, self.work.folder)

    @contextmanager
    def _phase(self, name: str) -> Iterator[None]:
        before = time.monotonic()
        try:
            yield
        finally:
            spent = time.monotonic() - before
            self.seconds[name] = round(self.seconds.get(name, 0) + spent, 3)


def _own_failure(part: PartResult) -> PartResult:
    if part.failure is None:
        return part
    failure = part.failure.model_copy(update={"message": own_failure(part.failure.message)})
    return part.model_copy(update={"failure": failure})
