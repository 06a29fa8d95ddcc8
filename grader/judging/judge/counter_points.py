"""Points for performance, from the simulator's counters and a part's thresholds."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from grader.judging.judge.evidence import own_paths
from grader.judging.judge.kernel_costs import kernel_costs
from grader.model.kernel_costs import KernelCosts
from grader.model.lab import CounterThreshold, Parallelism, Part
from grader.model.result import CounterResult, ParallelismResult
from grader.model.share import points_for, share, share_of_counter
from grader.model.verdict import Verdict
from grader.sandbox.call_profile import Launches, Profile, ProfileError, parse_profile
from grader.sandbox.checker_report import Case

_Calls = Sequence[tuple[Case, Sequence[Profile]]]
"""Counted cases, each with the profiles of its calls."""

_MOST_ADVICE = 3
_LONGEST_ADVICE = 400
_LIMITS = frozenset({Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT})
_CUT = "the counted calls use too many launch configurations: use one grid and block for a call"
_DAMAGED = "the simulator's counters are damaged: the program overwrote memory or files not its own"


def counter_result(calls: Sequence[Profile], threshold: CounterThreshold) -> CounterResult:
    """Points for one threshold; none if no launched kernel matches its pattern."""
    chosen = [
        entry
        for call in calls
        for entry in call.kernels
        if fnmatchcase(entry.kernel, threshold.kernel)
    ]
    if threshold.counted.per_call:
        value, worst = threshold.counted.of([call.call for call in calls]), None
    else:
        value, worst = _value(chosen, threshold)
    if value == 0 and not threshold.none_is_right:
        value = None
    points = points_for(threshold.points, share_of_counter(value, threshold))
    return CounterResult(
        counter=threshold.counter,
        kernel=threshold.kernel,
        value=value,
        worst=worst,
        at_least=threshold.at_least,
        at_most=threshold.at_most,
        zero=threshold.zero,
        points=points,
        max_points=threshold.points,
        why=threshold.why,
        advice=_advice(chosen, worst) if points < threshold.points else [],
    )


def nothing_counted(threshold: CounterThreshold) -> CounterResult:
    """The result for counted calls without a profile."""
    return counter_result([], threshold)


def _value(
    launches: Sequence[Launches], threshold: CounterThreshold
) -> tuple[float | None, str | None]:
    """The value that counts and, unless it is a sum, the kernel that it belongs to."""
    counter = threshold.counted
    if not launches:
        return None, None
    if counter.is_amount:
        return counter.of([entry.counters for entry in launches]), None
    values = []
    for kernel in sorted({entry.kernel for entry in launches}):
        value = counter.of([entry.counters for entry in launches if entry.kernel == kernel])
        if value is not None:
            values.append((value, kernel))
    if not values:
        # No such operation ran: there were no conflicts, but no efficient accesses either.
        return (0.0, None) if threshold.at_most is not None else (None, None)
    return min(values) if threshold.at_most is None else max(values)


def _advice(launches: Sequence[Launches], worst: str | None) -> list[str]:
    meant = (entry for entry in launches if worst in (None, entry.kernel))
    return list(dict.fromkeys(_advice_lines(meant)))[:_MOST_ADVICE]


def _advice_lines(launches: Iterable[Launches]) -> Iterator[str]:
    for entry in launches:
        for line in entry.lines:
            if line.advice:
                text = f"{own_paths(line.file)}:{line.line}: {line.advice}"
                yield " ".join(text.split())[:_LONGEST_ADVICE]
        for said in entry.advice:
            yield " ".join(said.split())[:_LONGEST_ADVICE]


def parallelism_result(calls: Sequence[Profile], asked: Parallelism) -> ParallelismResult:
    """The share of the performance points that work / span of these calls earns."""
    work = math.fsum(call.call.get("work", 0) for call in calls)
    span = math.fsum(call.call.get("span", 0) for call in calls)
    value = work / span if span > 0 else None
    earned = 0.0 if value is None else share(value, asked.full, asked.zero)
    return ParallelismResult(
        value=value,
        full=asked.full,
        zero=asked.zero,
        decision="full" if earned == 1 else "zero" if earned == 0 else "between",
        share=earned,
        points=points_for(asked.points, earned),
        max_points=asked.points,
    )


@dataclass(frozen=True)
class Counted:
    """The result of one part's counted calls."""

    results: list[CounterResult]
    parallelism: ParallelismResult | None = None
    verdict: Verdict = Verdict.ACCEPTED
    case: Case | None = None
    """The call that failed, if one did."""
    message: str = ""
    kernels: KernelCosts | None = None
    """For pictures; only where points were missed."""

    @property
    def is_right(self) -> bool:
        """Whether every answer was right, at whatever cost."""
        return self.verdict in (Verdict.ACCEPTED, Verdict.TOO_SLOW)


def _say_once(results: list[CounterResult]) -> None:
    said: set[str] = set()
    for result in results:
        result.advice = [text for text in result.advice if text not in said]
        said.update(result.advice)


def judge_counters(part: Part, cases: Sequence[Case]) -> Counted:
    """A wrong or crashing call counts like a failed test; one over a limit loses these points."""
    failed = next((case for case in cases if case.verdict not in (Verdict.ACCEPTED, None)), None)
    if failed and failed.verdict and failed.verdict not in _LIMITS:
        return Counted([], None, failed.verdict, failed, failed.message)
    cut = next((case for case in cases if case.profile_cut), None)
    if failed or cut:
        results = [nothing_counted(threshold) for threshold in part.counters]
        parallelism = parallelism_result([], part.parallelism) if part.parallelism else None
        case = failed or cut
        message = failed.message if failed else _CUT
        return Counted(results, parallelism, Verdict.TOO_SLOW, case, message)
    try:
        calls = [(case, [parse_profile(text) for text in case.profiles]) for case in cases]
    except ProfileError as error:
        return Counted([], None, Verdict.RUNTIME_ERROR, cases[0], f"{_DAMAGED}: {error}")
    if refusal := _refusal(part, calls):
        return Counted([], None, Verdict.POLICY, cases[0], refusal)
    results = [counter_result(_of(calls, t.suite), t) for t in part.counters]
    asked = part.parallelism
    parallelism = parallelism_result(_of(calls, asked.suite), asked) if asked else None
    _say_once(results)
    missed = any(result.points < result.max_points for result in results)
    missed = missed or (parallelism is not None and parallelism.share < 1)
    if not missed:
        return Counted(results, parallelism)
    return Counted(results, parallelism, Verdict.TOO_SLOW, kernels=kernel_costs(cases))


def _refusal(part: Part, calls: _Calls) -> str | None:
    """The reason if the work of these calls was not done on the device, else None."""
    moved = (call.call.get("host_device_bytes", 0) for _, called in calls for call in called)
    if (copied := max(moved, default=0)) > part.copied_bytes:
        return (
            f"{part.function} moves {copied:,.0f} bytes between host and device in a call, limit "
            f"{part.copied_bytes:,.0f}: the data is on the device, where the work must be done"
        )
    if part.parallelism is None:
        return None
    done = (call.call.get("work", 0) for call in _of(calls, part.parallelism.suite))
    if min(done, default=0) == 0:
        return (
            f"{part.function}: nothing that a kernel stores in a call reaches an output: kernels "
            "must do the work"
        )
    return None


def _of(calls: _Calls, suite: str) -> list[Profile]:
    return [call for case, called in calls if case.belongs_to(suite) for call in called]
