"""What each phase is for: which parts it concerns, and what its cases mean for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from common.lab.programming_models.model import ProgrammingModel
from common.lab.programming_models.phases import Phase
from grader.judging.judge.builds import Refusal, policy_broken
from grader.judging.judge.counter_points import judge_counters
from grader.judging.judge.located import Located
from grader.judging.judge.memory_report import with_memory_report
from grader.judging.judge.parts import MEMORY_AFTER, RACES_AFTER, PartState, cases_of
from grader.judging.judge.race_report import is_misuse_of_mutex, with_race_report
from grader.model.errors import TooBusyError
from grader.model.lab import Part
from grader.model.verdict import Verdict
from grader.sandbox.checker_report import Case, Report

if TYPE_CHECKING:
    from grader.judging.judge.phases import Phases

LOOKS = 3
"""How often the race checker runs for what the order of the threads may hide."""
PAUSES_S = (1.0, 5.0)
"""Pauses before a part whose points are open is measured again: the machine may have been busy."""


class Step:
    """One phase of a submission: run with the parts that want it, whose states it changes."""

    tell: Callable[[Case, Located], Case] | None = None
    """Makes a case's message from the report of the build's sanitizer."""
    checker = ""
    """What students know the build by, if it is one that the tests' compiler does not make."""
    needs_clock = False
    judges = True
    """Whether it belongs to a grading."""
    bounds = False
    """Whether it takes points for performance away without a clock."""
    beside = ""
    """The phase just before this one, if both may run at the same time."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase

    def concerns(self, part: Part) -> bool:
        """Whether the phase has anything to run for the part."""
        return bool(part.suite)

    def wants(self, state: PartState) -> bool:
        """Whether the phase can still change the part's result."""
        raise NotImplementedError

    def take(self, state: PartState, report: Report) -> None:
        raise NotImplementedError

    def look(self, phases: Phases, states: Sequence[PartState]) -> None:
        if states:
            report = phases.measure(self, states)
            for state in states:
                self.take(state, report)

    def run(self, phases: Phases, states: Sequence[PartState]) -> Refusal | None:
        """A refusal ends the submission's grading."""
        with phases.context.lock.shared():
            self.look(phases, states)
        return None


class Tests(Step):
    def wants(self, state: PartState) -> bool:
        return not state.tests

    def take(self, state: PartState, report: Report) -> None:
        state.tests = cases_of(report, state.part.suite, "tests")

    def run(self, phases: Phases, states: Sequence[PartState]) -> Refusal | None:
        """Right answers count only with the constructs that the lab requires."""
        super().run(phases, states)
        found = phases.builds.found
        right = [state for state in states if state.verdict is Verdict.ACCEPTED]
        if found.lacking and right:
            return Refusal(Verdict.POLICY, policy_broken(list(found.lacking)))
        for state in right:
            if lacking := found.lacking_in.get(state.part.function):
                state.refused = True
                phases.diagnostics.append(policy_broken(list(lacking)))
        return None


class Memory(Step):
    tell = staticmethod(with_memory_report)
    checker = "memory checker"

    def wants(self, state: PartState) -> bool:
        return state.verdict_of_tests in MEMORY_AFTER

    def take(self, state: PartState, report: Report) -> None:
        state.memory = cases_of(report, state.part.suite, "races")


class Races(Step):
    tell = staticmethod(with_race_report)
    checker = "race checker"

    def wants(self, state: PartState) -> bool:
        return state.verdict_of_tests in RACES_AFTER and not state.is_explained

    def take(self, state: PartState, report: Report) -> None:
        state.races = cases_of(report, state.part.suite, "races")

    def look(self, phases: Phases, states: Sequence[PartState]) -> None:
        """Parts that never end are checked apart: they get no more time for a slow checker."""
        endless = [state for state in states if state.verdict is Verdict.TIME_LIMIT]
        others = [state for state in states if state.verdict is not Verdict.TIME_LIMIT]
        super().look(phases, others)
        super().look(phases, endless)
        for _ in range(LOOKS - 1):
            # Threads can lock each other out before the checker has seen both orders of the locks.
            super().look(phases, [state for state in endless if state.may_be_deadlocked])
        for _ in range(LOOKS):
            self._look_behind_misuses(phases, states)

    def _look_behind_misuses(self, phases: Phases, states: Sequence[PartState]) -> None:
        """A thread that unlocks another thread's mutex also races: a race that is found decides."""
        misused = [state for state in states if any(map(is_misuse_of_mutex, state.races))]
        if not misused:
            return
        report = phases.measure(self, misused, race_checker="report_mutex_bugs=0")
        for state in misused:
            behind = cases_of(report, state.part.suite, "races")
            if any(case.verdict is Verdict.DATA_RACE for case in behind):
                state.races = behind


class Counters(Step):
    bounds = True
    beside = "races"

    def concerns(self, part: Part) -> bool:
        return bool(part.counted_suites)

    def wants(self, state: PartState) -> bool:
        return state.verdict is Verdict.ACCEPTED and self.concerns(state.part)

    def take(self, state: PartState, report: Report) -> None:
        for suite in state.part.counted_suites:
            state.counted_cases += cases_of(report, suite, "counters")
        state.counted = judge_counters(state.part, state.counted_cases)


class Timing(Step):
    """Alone on the machine, and again while points are open."""

    needs_clock = True

    def concerns(self, part: Part) -> bool:
        return bool(part.timing or part.parallelism)

    def wants(self, state: PartState) -> bool:
        return state.may_be_timed(verdict_only=False)

    def take(self, state: PartState, report: Report) -> None:
        suites = state.clocked_suites
        state.timing = [case for suite in suites for case in cases_of(report, suite, "timing")]

    def run(self, phases: Phases, states: Sequence[PartState]) -> Refusal | None:
        for pause in (*PAUSES_S, None):
            phases.tell("waiting to be timed alone on the machine")
            with phases.context.lock.alone():
                self.look(phases, states)
            states = [state for state in states if state.is_undecided]
            if not states:
                break
            if pause is not None:
                phases.context.processes.pause(pause)
        for state in states:
            if state.disturbed:
                raise TooBusyError(state.part.function, state.disturbed.low, state.disturbed.high)
        return None


class Shares(Step):
    """The part of Timing that needs no clock: who used the inputs and outputs."""

    judges = False
    bounds = True

    def concerns(self, part: Part) -> bool:
        return part.parallelism is not None

    def wants(self, state: PartState) -> bool:
        return self.concerns(state.part)

    def take(self, state: PartState, report: Report) -> None:
        if asked := state.part.parallelism:
            state.timing = cases_of(report, asked.suite, "shares")


_STEPS: dict[str, type[Step]] = {
    "tests": Tests,
    "memory": Memory,
    "races": Races,
    "counters": Counters,
    "timing": Timing,
    "shares": Shares,
}


def steps_of(model: ProgrammingModel) -> list[Step]:
    return [_STEPS[phase.name](phase) for phase in model.phases]
