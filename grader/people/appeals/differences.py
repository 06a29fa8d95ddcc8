"""Compares a stored result with a repeated one, field by field.

What the seed determines must be equal: verdicts of parts and cases, counters, parallelism on the
simulator. What was measured agrees if it earns the same points or the intervals overlap.
"""

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

from grader.model.result import ParallelismResult, PartResult, Result, TimingResult
from grader.model.verdict import Verdict


class Field(BaseModel):
    """One field of both results, as text."""

    model_config = ConfigDict(frozen=True)
    name: str
    stored: str
    repeated: str
    agrees: bool
    note: str = ""


def compare(stored: Result, repeated: Result) -> list[Field]:
    """All fields that decide points, in the order of the parts."""
    fields = [_exact("verdict", _verdict(stored.verdict), _verdict(repeated.verdict))]
    others = {part.function: part for part in repeated.parts}
    for part in stored.parts:
        other = others.pop(part.function, None)
        if other is None:
            fields.append(_exact(f"part {part.function}", "present", "missing"))
        else:
            fields += _part(part, other)
    fields += [_exact(f"part {name}", "missing", "present") for name in others]
    all_agree = all(field.agrees for field in fields)
    fields.append(_points(stored.points, repeated.points, all_agree))
    return fields


def _part(stored: PartResult, repeated: PartResult) -> Iterator[Field]:
    name = stored.function
    yield _exact(f"{name}: verdict", _verdict(stored.verdict), _verdict(repeated.verdict))
    yield _exact(f"{name}: tests passed", _tests(stored), _tests(repeated))
    yield from _cases(stored, repeated)
    yield from _measured(f"{name}: time ratio", stored.timing, repeated.timing)
    yield from _measured(f"{name}: parallelism", stored.parallelism, repeated.parallelism)
    yield from _counters(stored, repeated)


def _tests(part: PartResult) -> str:
    return f"{part.tests_passed} of {part.tests_total}"


def _cases(stored: PartResult, repeated: PartResult) -> Iterator[Field]:
    """The cases that ended otherwise; older graders did not store cases."""
    if not stored.cases:
        return
    before = {(case.phase, case.test): case.verdict for case in stored.cases}
    after = {(case.phase, case.test): case.verdict for case in repeated.cases}
    for phase, test in dict.fromkeys([*before, *after]):
        old, new = before.get((phase, test)), after.get((phase, test))
        if old is not new:
            name = f"{stored.function}: {test} in {phase}"
            yield _exact(name, _verdict(old), _verdict(new))


def _counters(stored: PartResult, repeated: PartResult) -> Iterator[Field]:
    for number in range(max(len(stored.counters), len(repeated.counters))):
        old, new = (
            part.counters[number] if number < len(part.counters) else None
            for part in (stored, repeated)
        )
        known = old or new
        assert known is not None
        kernel = "" if known.kernel == "*" else f" in {known.kernel}"
        name = f"{stored.function}: {known.counter}{kernel}"
        yield _exact(name, _number(old.value if old else None), _number(new.value if new else None))


def _measured(
    name: str,
    stored: TimingResult | ParallelismResult | None,
    repeated: TimingResult | ParallelismResult | None,
) -> Iterator[Field]:
    if stored is None and repeated is None:
        return
    if stored is None or repeated is None:
        yield _exact(name, _interval(stored), _interval(repeated))
        return
    overlap = _overlap(stored, repeated)
    if overlap is None:
        yield _exact(name, _interval(stored), _interval(repeated))
        return
    same_points = stored.points == repeated.points
    note = "intervals overlap" if overlap else "intervals do not overlap"
    if overlap or same_points:
        note += ", same points" if same_points else ", points within what they leave open"
    yield Field(
        name=name,
        stored=_interval(stored),
        repeated=_interval(repeated),
        agrees=overlap or same_points,
        note=note,
    )


def _overlap(
    one: TimingResult | ParallelismResult, other: TimingResult | ParallelismResult
) -> bool | None:
    """None where there are no intervals: the simulator's parallelism is exact."""
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return None
    return one.low <= other.high and other.low <= one.high


def _interval(measured: TimingResult | ParallelismResult | None) -> str:
    if measured is None:
        return "not measured"
    value = measured.ratio if isinstance(measured, TimingResult) else measured.value
    if measured.low is None or measured.high is None:
        return f"{_number(value)}: {measured.points:g} points"
    interval = f"{measured.low:.3f} to {measured.high:.3f}"
    return f"{value or 0:.3f} ({interval}): {measured.points:g} points"


def _points(stored: float, repeated: float, all_agree: bool) -> Field:
    """Points follow from the fields above: they differ only if one of those does."""
    note = "" if stored == repeated else "follows from the fields above"
    return Field(
        name="points", stored=f"{stored:g}", repeated=f"{repeated:g}", agrees=all_agree, note=note
    )


def _exact(name: str, stored: str, repeated: str) -> Field:
    return Field(name=name, stored=stored, repeated=repeated, agrees=stored == repeated)


def _number(value: float | None) -> str:
    return "nothing" if value is None else f"{value:.12g}"


def _verdict(verdict: Verdict | None) -> str:
    return "not run" if verdict is None else verdict.value
