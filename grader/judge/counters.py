"""Points for what kernels do: from the simulator's counters and a part's thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from grader.judge.evidence import own_paths
from grader.model.lab import CounterThreshold, Part
from grader.model.result import CounterResult
from grader.model.verdict import Verdict
from grader.run.checker import Case
from grader.run.profile import Launches, ProfileError, parse_profile

_MOST_ADVICE = 3
_LONGEST_ADVICE = 400
_LIMITS = frozenset({Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT})
_CUT = "the counted calls launch kernels in too many ways: use one grid and block for a call"
_DAMAGED = "the simulator's counters are damaged: the program wrote over memory or files of others"


def share(value: float, threshold: CounterThreshold) -> float:
    """1 on the right side of the threshold, 0 beyond `zero`, straight between; NaN earns 0."""
    full, zero = threshold.full, threshold.zero
    if threshold.at_least is not None:
        if value >= full:
            return 1.0
    elif value <= full:
        return 1.0
    if zero is None:
        return 0.0
    return max(0.0, (value - zero) / (full - zero)) if value == value else 0.0


def counted(cases: Iterable[Case]) -> list[Launches]:
    """All launches of all calls of these cases; ProfileError if one says anything else."""
    texts = (text for case in cases for text in case.profiles)
    return [launches for text in texts for launches in parse_profile(text)]


def counter_result(launches: Sequence[Launches], threshold: CounterThreshold) -> CounterResult:
    """Points for one threshold; none where no launched kernel has that name."""
    chosen = [entry for entry in launches if fnmatchcase(entry.kernel, threshold.kernel)]
    value, worst = _value(chosen, threshold)
    if threshold.occurs and value == 0:
        value = None
    points = 0.0 if value is None else round(threshold.points * share(value, threshold), 2)
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
    """Where the counted calls told nothing."""
    return counter_result([], threshold)


def _value(
    launches: Sequence[Launches], threshold: CounterThreshold
) -> tuple[float | None, str | None]:
    """The value that counts and, unless it is a sum, the kernel that it is of."""
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
        # Nothing of the kind was done: that is no conflict, and no efficient access either.
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


@dataclass(frozen=True)
class Counted:
    """What the counted calls of one part gave."""

    results: list[CounterResult]
    verdict: Verdict = Verdict.ACCEPTED
    case: Case | None = None
    """The call that failed, if one did."""
    message: str = ""

    @property
    def is_right(self) -> bool:
        """Whether every answer was right, whatever it cost."""
        return self.verdict in (Verdict.ACCEPTED, Verdict.TOO_SLOW)

    @property
    def points(self) -> float:
        return sum(result.points for result in self.results)


def _say_once(results: list[CounterResult]) -> None:
    said: set[str] = set()
    for result in results:
        result.advice = [text for text in result.advice if text not in said]
        said.update(result.advice)


def judge_counters(part: Part, cases: Sequence[Case]) -> Counted:
    """A wrong or dying counted call counts like any test; one over a limit costs these points."""
    failed = next((case for case in cases if case.verdict not in (Verdict.ACCEPTED, None)), None)
    if failed and failed.verdict and failed.verdict not in _LIMITS:
        return Counted([], failed.verdict, failed, failed.message)
    cut = next((case for case in cases if case.profile_cut), None)
    if failed or cut:
        results = [nothing_counted(threshold) for threshold in part.counters]
        case = failed or cut
        return Counted(results, Verdict.TOO_SLOW, case, failed.message if failed else _CUT)
    try:
        results = [
            counter_result(counted(c for c in cases if c.belongs_to(t.suite)), t)
            for t in part.counters
        ]
    except ProfileError as error:
        return Counted([], Verdict.RUNTIME_ERROR, cases[0], f"{_DAMAGED}: {error}")
    _say_once(results)
    missed = any(result.points < result.max_points for result in results)
    return Counted(results, Verdict.TOO_SLOW if missed else Verdict.ACCEPTED)
