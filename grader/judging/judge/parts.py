"""Each part's verdict and points, from the cases of each phase: causes outrank symptoms."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from grader.judging.judge.counter_points import Counted
from grader.judging.judge.evidence import cause, evidence
from grader.judging.judge.parallelism import threads_result
from grader.judging.judge.stacks import parse_stacks, threads_at_locks
from grader.judging.judge.timing import timing_result
from grader.model.errors import JudgeError
from grader.model.lab import Parallelism, Part, Timing
from grader.model.result import CasePhase, CaseResult, Diagnostic, Failure, PartResult
from grader.model.share import part_points, share
from grader.model.verdict import EVIDENCE, Verdict
from grader.sandbox.checker_report import Case, Control, Report, TeamMeasured, TeamRun, Timed

Measured = TypeVar("Measured", Timed, TeamRun)

# After these verdicts a run under the race checker may still find the cause, such as a lock-order
# inversion where a call did not return. After the others it would only hit the same limit again, or
# the cause is known already.
RACES_AFTER = frozenset(
    {Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR, Verdict.TIME_LIMIT}
)
# After these the memory checker may find the cause, or at least the line.
MEMORY_AFTER = (RACES_AFTER | {Verdict.OUT_OF_BOUNDS}) - {Verdict.TIME_LIMIT}
RESOLUTION = 0.02
"""The share of the points that a measurement may leave open, as common/timing/stopping_rule.h."""
_OUTRANKING = EVIDENCE | {Verdict.TAMPERING}


@dataclass
class PartState:
    """The state of one part during its phases."""

    part: Part
    tests: list[Case] = field(default_factory=list)
    races: list[Case] = field(default_factory=list)
    timing: list[Case] = field(default_factory=list)
    memory: list[Case] = field(default_factory=list)
    counted_cases: list[Case] = field(default_factory=list)
    counted: Counted | None = None
    refused: bool = False
    """The answers are right, but the part's function does not use a required construct."""
    needs_a_clock: bool = True
    """False if the requested result is decided without timing."""

    @property
    def decisive(self) -> Case | None:
        """The case that decides the verdict of tests, memory and races; None when all passed."""
        tests = _first_failure(self.tests)
        memory = _found_by_checker(self.memory)
        races = _found_by_checker(self.races)
        if tests and tests.verdict is Verdict.TAMPERING:
            return tests
        checked = [case for case in (memory, races) if case]
        if memory and memory.may_be_race and not (races and races.verdict is memory.verdict):
            checked.reverse()
        for case in checked:
            if case.verdict in _OUTRANKING:
                return case
        for case in checked:
            is_explained = case.report or cause(case.findings)
            if tests and is_explained and case.verdict is tests.verdict:
                return case  # the same crash with its line, or the same wait with its cause
        checked.sort(key=lambda case: not case.report)
        return tests or (checked[0] if checked else None)

    @property
    def checked(self) -> list[Case]:
        """The cases under the checker that found more."""
        races_found = _first_failure(self.races)
        return self.memory if _first_failure(self.memory) and not races_found else self.races

    @property
    def is_explained(self) -> bool:
        """Whether the memory checker found an error that no data race can have caused."""
        found = _found_by_checker(self.memory)
        return found is not None and bool(found.report) and not found.may_be_race

    @property
    def may_be_deadlocked(self) -> bool:
        """Whether threads wait for locks in a call that did not return; the cause is unknown."""
        return self.verdict is Verdict.TIME_LIMIT and any(
            threads_at_locks(parse_stacks(case.stacks)) > 1 for case in self.tests
        )

    @property
    def verdict_of_tests(self) -> Verdict:
        if self.refused:
            return Verdict.POLICY
        case = _first_failure(self.tests)
        return case.verdict if case and case.verdict else Verdict.ACCEPTED

    @property
    def verdict(self) -> Verdict:
        if self.refused:
            return Verdict.POLICY
        case = self.decisive
        return case.verdict if case and case.verdict else Verdict.ACCEPTED

    @property
    def verdict_without_a_clock(self) -> Verdict:
        """The verdict of tests, races and counters."""
        verdict = self.verdict
        return self.counted.verdict if self.counted and verdict is Verdict.ACCEPTED else verdict

    @property
    def clocked_suites(self) -> list[str]:
        """Suites whose calls are timed; parallelism that the simulator counts needs no timing."""
        asked: list[Timing | Parallelism | None] = [self.part.timing]
        asked += [self.part.parallelism] if self.counted is None else []
        return list(dict.fromkeys(thresholds.suite for thresholds in asked if thresholds))

    @property
    def _measurements(self) -> list[tuple[Timed | TeamMeasured, float, float]]:
        """What was measured, each with its thresholds for all points and none."""
        found: list[tuple[Timed | TeamMeasured, float, float]] = []
        for case in self.timing:
            if case.timed and self.part.timing:
                timing = self.part.timing.chosen(gpu=case.timed.device is not None)
                found.append((case.timed, timing.full, timing.zero))
            if case.team_run and case.team_run.measured and (asked := self.part.parallelism):
                found.append((case.team_run.measured, asked.full, asked.zero))
        return found

    @property
    def is_undecided(self) -> bool:
        """Whether the part is to be measured again: the machine was too busy, or on which side of a
        threshold the value lies is open. More precision between the thresholds is not worth it."""
        return self.disturbed is not None or any(
            entry.decision == "undecided" and any(entry.low <= t <= entry.high for t in thresholds)
            for entry, *thresholds in self._measurements
        )

    @property
    def disturbed(self) -> Control | None:
        """The control that shows that the machine was too busy to take points, or None."""
        return next(
            (
                entry.control
                for entry, full, zero in self._measurements
                if entry.control and _may_excuse(entry.control, entry, full, zero)
            ),
            None,
        )

    def may_be_timed(self, verdict_only: bool) -> bool:
        """Whether timing can still change the requested result."""
        if not self.clocked_suites or self.verdict is not Verdict.ACCEPTED:
            return False
        if verdict_only:
            return self.verdict_without_a_clock is Verdict.ACCEPTED
        return self.counted is None or self.counted.is_right


def _may_excuse(control: Control, measured: Timed | TeamMeasured, full: float, zero: float) -> bool:
    """Whether the student would earn more with a value as much better as the control's is to be.

    The control falls short of `full` by the machine alone, so nothing more can be its doing.
    """
    if full < zero:
        value, short = measured.low, min(1.0, full / control.high)
    else:
        value, short = measured.high, max(1.0, full / control.low)
    gain = share(value * short, full, zero) - share(value, full, zero)
    return gain > RESOLUTION


def cases_of(report: Report, suite: str, phase: str) -> list[Case]:
    """A suite's cases; JudgeError if there are none, or one is the checker's own failure."""
    cases = [case for case in report.cases if case.belongs_to(suite)]
    if not any(case.verdict for case in cases):
        raise JudgeError(f"no test of suite {suite} ran in {phase}")
    for case in cases:
        if case.verdict is Verdict.JUDGE_ERROR:
            raise JudgeError(f"{case.full_name} in {phase}: {case.message}")
    if all(case.verdict in (Verdict.ACCEPTED, None) for case in cases):
        skipped = [case.full_name for case in cases if case.verdict is None]
        if skipped and phase != "races":
            raise JudgeError(f"{skipped[0]} was skipped in {phase} though none before it failed")
    return cases


def conclude(state: PartState) -> PartResult:
    """A part's result: all or no points for right answers, plus those for performance."""
    result = _judged(state)
    return result.model_copy(
        update={"points": part_points(result, state.part), "cases": _case_results(state)}
    )


def _case_results(state: PartState) -> list[CaseResult]:
    return [
        CaseResult(phase=phase, test=case.full_name, verdict=case.verdict)
        for phase, cases in _phases(state)
        for case in cases
    ]


def _phases(state: PartState) -> list[tuple[CasePhase, list[Case]]]:
    return [
        ("tests", state.tests),
        ("races", state.checked),
        ("counters", state.counted_cases),
        ("timing", state.timing),
    ]


def _judged(state: PartState) -> PartResult:
    part = state.part
    verdict, case = state.verdict, state.decisive
    result = PartResult(
        function=part.function,
        title=part.title,
        verdict=verdict,
        points=0,
        max_points=part.max_points,
        tests_passed=sum(case.verdict is Verdict.ACCEPTED for case in state.tests),
        tests_total=len(state.tests),
        failure=_failure(case) if case else None,
        forged_findings=any(case.forged for _, cases in _phases(state) for case in cases),
    )
    if verdict is not Verdict.ACCEPTED:
        return result
    result = _with_counters(result, state.counted)
    return result if state.counted and not state.counted.is_right else _with_timing(result, state)


def _failure(case: Case) -> Failure:
    """What failed, behind what the simulator found: it is the cause of the rest."""
    found = cause(case.findings)
    message = case.message if found in case.message else f"{found}\n{case.message}"
    return Failure(test=case.full_name, message=message, not_written=case.not_written)


def _with_counters(result: PartResult, counted: Counted | None) -> PartResult:
    if counted is None:
        return result
    update: dict[str, object] = {
        "verdict": counted.verdict,
        "counters": counted.results,
        "parallelism": counted.parallelism,
        "kernels": counted.kernels,
    }
    if counted.case:
        update["failure"] = Failure(test=counted.case.full_name, message=counted.message)
    return result.model_copy(update=update)


def _with_timing(result: PartResult, state: PartState) -> PartResult:
    if not (state.timing or (state.needs_a_clock and state.may_be_timed(verdict_only=True))):
        return result
    failed = _first_failure(state.timing)
    if failed is None:
        return _with_speed(result, state)
    failure = _failure(failed)
    if failed.verdict in (Verdict.TOO_SLOW, Verdict.TIME_LIMIT):
        # The answers were right at the tests' sizes: only the points for speed are lost.
        lost = {"verdict": Verdict.TOO_SLOW, "failure": failure}
        return _with_speed(result.model_copy(update=lost), state)
    # A wrong or crashing timed call counts like a failed test.
    wrong: dict[str, object] = {"verdict": failed.verdict, "counters": []}
    return result.model_copy(update=wrong | {"failure": failure})


def _with_speed(result: PartResult, state: PartState) -> PartResult:
    """The result with the points for what was measured: everything, unless a timed call failed."""
    part = state.part
    update: dict[str, object] = {}
    slow = False
    if part.timing and (timed := _measured(state, part.timing, lambda c: c.timed)):
        update["timing"] = timing = timing_result(timed, part.timing)
        slow |= timing.decision == "zero"
    if part.parallelism and state.counted is None:
        run = _measured(state, part.parallelism, lambda c: c.team_run)
        if run:
            update["parallelism"] = parallelism = threads_result(run, part.parallelism)
            slow |= parallelism.share == 0
    if slow:
        update["verdict"] = Verdict.TOO_SLOW
    return result.model_copy(update=update)


def _measured(
    state: PartState, thresholds: Timing | Parallelism, pick: Callable[[Case], Measured | None]
) -> Measured | None:
    cases = [case for case in state.timing if case.belongs_to(thresholds.suite)]
    found = next((measured for case in cases if (measured := pick(case))), None)
    if found is None and not _first_failure(cases):
        raise JudgeError(f"suite {thresholds.suite} measured nothing")
    return found


def overall(parts: list[PartResult]) -> Verdict:
    """A submission's verdict is that of its first part that is not accepted."""
    return first_refusal(part.verdict for part in parts)


def first_refusal(verdicts: Iterable[Verdict]) -> Verdict:
    """The first verdict that is not ACCEPTED, or ACCEPTED if there is none."""
    return next(
        (verdict for verdict in verdicts if verdict is not Verdict.ACCEPTED), Verdict.ACCEPTED
    )


def reports(states: list[PartState]) -> list[Diagnostic]:
    """Reports of sanitizer, simulator or run-time library on parts that failed."""
    found: dict[str, Diagnostic] = {}
    for state in states:
        decisive = state.decisive or _first_failure([*state.counted_cases, *state.timing])
        # A checker may know the cause of a wrong answer without a verdict that outranks it.
        checked = (_found_by_checker(state.memory), _found_by_checker(state.races))
        for case in filter(None, (decisive, *checked)):
            if said := case.report or evidence(case.findings, case.stderr):
                text = f"{case.full_name}:\n{said}"
                diagnostic = {"phase": _phase_of(case, state), "text": text}
                found.setdefault(said, Diagnostic.model_validate(diagnostic))
    return list(found.values())


def _phase_of(case: Case, state: PartState) -> str:
    phases = [("memory", state.memory), ("races", state.races), *_phases(state)[2:]]
    return next((phase for phase, cases in phases if case in cases), "tests")


def _first_failure(cases: list[Case]) -> Case | None:
    failing = (case for case in cases if case.verdict not in (Verdict.ACCEPTED, None))
    return next(failing, None)


def _found_by_checker(cases: list[Case]) -> Case | None:
    """A part has several suites, whose cases run in any schedule: one may miss the cause."""
    outranking = (case for case in cases if case.verdict in _OUTRANKING)
    return next(outranking, _first_failure(cases))
