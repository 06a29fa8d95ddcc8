"""Points by changed thresholds, computed from stored measurements without running anything.

A stored interval suffices for other thresholds if both its ends earn the same share by them, or if
it was narrow enough for partial points and the new thresholds are no closer together. Anything else
that changed in lab.toml, and every other file of a kit, needs a new grading.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from grader.judging.judge.parts import overall
from grader.model import kind
from grader.model.lab import CounterThreshold, Lab, Parallelism, Part, Timing
from grader.model.result import CounterResult, ParallelismResult, PartResult, Result, TimingResult
from grader.model.share import RIGHT, part_points, points_for, share, share_of_counter
from grader.model.verdict import Verdict
from grader.sandbox.machine import has_gpu

Measured = TypeVar("Measured", TimingResult, ParallelismResult)

_UNDECIDED = "undecided after"


class GradeAgainError(Exception):
    """The stored facts do not suffice; the text says why."""


def recomputed(result: Result, old: Lab, new: Lab, kit: str) -> Result:
    """The result by the thresholds and points of `new`; GradeAgainError if it must be run."""
    if any(part.of_kind != kind.LAB for part in result.parts):
        raise GradeAgainError("only a lab's points follow from what is stored")
    measured = {part.function for part in result.parts if part.verdict in RIGHT}
    _require_same_judging(old, new, measured)
    gpu = has_gpu(result.key.machine)
    planned = {part.function: part for part in new.parts}
    before = {part.function: part for part in old.parts}
    parts = [
        _part(part, before[part.function], planned[part.function], gpu) for part in result.parts
    ]
    return result.model_copy(
        update={
            "key": result.key.model_copy(update={"kit": kit}),
            "verdict": overall(parts) if parts else result.verdict,
            "points": round(sum(part.points for part in parts), 2),
            "max_points": new.max_points,
            "parts": parts,
        }
    )


def _require_same_judging(old: Lab, new: Lab, measured: set[str]) -> None:
    """GradeAgainError if more than points, thresholds and texts changed.

    How parts are measured matters to those that were `measured`, because their answers are right.
    """
    for name in ("file", "model", "limits", "policy"):
        if getattr(old, name) != getattr(new, name):
            raise GradeAgainError(f"{name} changed in lab.toml")
    if [part.function for part in old.parts] != [part.function for part in new.parts]:
        raise GradeAgainError("the parts changed in lab.toml")
    for before, after in zip(old.parts, new.parts, strict=True):
        matters = _FACTS | _MEASURED if after.function in measured else _FACTS
        for name, facts in matters.items():
            if not facts(after) <= facts(before):
                raise GradeAgainError(f"{after.function}: {name} changed in lab.toml")


def _rules(part: Part) -> set[Any]:
    needed = tuple(map(tuple, part.needed))
    return {(part.suite, part.host_bytes, part.copied_bytes, needed)}


def _timed(part: Part) -> set[Any]:
    timing = part.timing
    return {(timing.suite, timing.budget_s, timing.confidence)} if timing else set()


def _threads(part: Part) -> set[Any]:
    asked = part.parallelism
    if asked is None:
        return set()
    return {(asked.suite, asked.budget_s, asked.confidence)}


def _cap(part: Part) -> set[Any]:
    """The time of one thread counts up to the timing's `full`: see CheckerRun."""
    return {part.timing.full} if part.parallelism and part.timing else set()


def _identity(asked: CounterThreshold) -> tuple[object, ...]:
    at_least = asked.at_most is None
    return (asked.suite, asked.counter, asked.kernel, at_least, asked.none_is_right)


def _counted(part: Part) -> set[Any]:
    return {_identity(asked) for asked in part.counters}


_FACTS: dict[str, Callable[[Part], set[Any]]] = {
    "what is required of it": _rules,
    "what is counted": _counted,
}
"""What decides verdicts. A part may lose some of it, but nothing may be added."""
_MEASURED: dict[str, Callable[[Part], set[Any]]] = {
    "how it is timed": _timed,
    "how its parallelism is measured": _threads,
    "timing.full, up to which one thread's time counts in its parallelism,": _cap,
}
"""The same for measurements."""


def _part(result: PartResult, old: Part, new: Part, gpu: bool) -> PartResult:
    update: dict[str, object] = {"title": new.title, "max_points": new.max_points}
    if result.verdict in RIGHT:
        update |= {
            "timing": _timing(result, old, new, gpu),
            "parallelism": _parallelism(result, old, new),
            "counters": _counters(result, old, new),
        }
    changed = result.model_copy(update=update)
    changed = changed.model_copy(update={"verdict": _verdict(changed)})
    return changed.model_copy(update={"points": part_points(changed, new)})


def _verdict(part: PartResult) -> Verdict:
    """TOO_SLOW where time or parallelism earns nothing, or a counter not everything."""
    if part.verdict not in RIGHT:
        return part.verdict
    slow = part.failure is not None or (part.timing is not None and part.timing.decision == "zero")
    slow |= any(counter.points < counter.max_points for counter in part.counters)
    if part.parallelism:
        on_simulator = part.parallelism.threads is None and part.parallelism.value is not None
        slow |= part.parallelism.share < 1 if on_simulator else part.parallelism.share == 0
    return Verdict.TOO_SLOW if slow else Verdict.ACCEPTED


def _timing(result: PartResult, old: Part, new: Part, gpu: bool) -> TimingResult | None:
    if result.timing is None or new.timing is None or old.timing is None:
        return None
    before, asked = old.timing.chosen(gpu=gpu), new.timing.chosen(gpu=gpu)
    changed = _decided(result.timing, before, asked, f"{result.function}: its ratio")
    earned = share(changed.low, asked.full, asked.zero)
    update = {"points": points_for(asked.points, earned), "max_points": asked.points}
    return changed.model_copy(update=update)


def _parallelism(result: PartResult, old: Part, new: Part) -> ParallelismResult | None:
    stored, asked = result.parallelism, new.parallelism
    if stored is None or asked is None or old.parallelism is None:
        return None
    changed, earned = stored, stored.share
    if stored.low is not None and stored.high is not None:
        name = f"{result.function}: its parallelism"
        changed = _decided(stored, old.parallelism, asked, name)
        earned = share(stored.high, asked.full, asked.zero)
    elif stored.threads is None and stored.value is not None:
        earned = share(stored.value, asked.full, asked.zero)
        decision = "full" if earned == 1 else "zero" if earned == 0 else "between"
        changed = stored.model_copy(update={"decision": decision})
    return changed.model_copy(
        update={
            "full": asked.full,
            "zero": asked.zero,
            "share": earned,
            "points": points_for(asked.points, earned),
            "max_points": asked.points,
        }
    )


def _decided(
    stored: Measured, old: Timing | Parallelism, new: Timing | Parallelism, name: str
) -> Measured:
    """The measurement with the decision that it gives by new thresholds."""
    if (old.full, old.zero) == (new.full, new.zero):
        return stored
    low, high = stored.low, stored.high
    assert low is not None
    assert high is not None
    ends = {share(end, new.full, new.zero) for end in (low, high)}
    if len(ends) == 1 and ends <= {0.0, 1.0}:
        decision = "full" if ends == {1.0} else "zero"
    elif stored.decision == "between" and abs(new.zero - new.full) >= abs(old.zero - old.full):
        decision = "between"
    else:
        raise GradeAgainError(
            f"{name}, {low:.2f} to {high:.2f}, is undecided between {new.full:g} and {new.zero:g}"
        )
    flags = [text for text in (stored.flagged or "").split("; ") if _UNDECIDED not in text]
    update = {"full": new.full, "zero": new.zero, "decision": decision}
    return stored.model_copy(update=update | {"flagged": "; ".join(flags) or None})


def _counters(result: PartResult, old: Part, new: Part) -> list[CounterResult]:
    if not new.counters:
        return []
    if len(result.counters) != len(old.counters):
        raise GradeAgainError(f"{result.function}: not all counters of its kit are stored")
    stored = {
        _identity(asked): counter
        for asked, counter in zip(old.counters, result.counters, strict=True)
    }
    return [_counter(stored[_identity(asked)], asked) for asked in new.counters]


def _counter(stored: CounterResult, asked: CounterThreshold) -> CounterResult:
    points = points_for(asked.points, share_of_counter(stored.value, asked))
    return stored.model_copy(
        update={
            "at_least": asked.at_least,
            "at_most": asked.at_most,
            "zero": asked.zero,
            "points": points,
            "max_points": asked.points,
            "why": asked.why,
            "advice": stored.advice if points < asked.points else [],
        }
    )
