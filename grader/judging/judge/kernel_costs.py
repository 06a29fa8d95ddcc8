"""What the lines of a part's kernels cost in its counted calls, for pictures."""

import re
from collections.abc import Iterable, Iterator, Sequence

from grader.judging.judge.evidence import own_paths
from grader.judging.judge.retold import Readable
from grader.model.kernel_costs import (
    LANES,
    DivergentBranch,
    KernelCosts,
    Lanes,
    LineCost,
    Request,
    lanes_of,
    rows_of,
)
from grader.sandbox.call_costs import Sample, SampledBranch, SampledKernel, SampledLine, parse_costs
from grader.sandbox.checker_report import Case

_MOST_LINES, _MOST_BRANCHES = 8, 2
_ROW = 128
"""Bytes: the simulator counts addresses from the row of the lowest one."""
_FARTHEST = 2**20
"""Bytes between two lanes: a larger number may be data."""


def kernel_costs(cases: Sequence[Case]) -> KernelCosts | None:
    """The sums over all calls of these cases; None if the simulator kept nothing for pictures."""
    kernels = [k for case in cases for text in case.profiles for k in parse_costs(text)]
    lines = list(_lines(kernels))
    branches = list(_branches(kernels))
    if not lines and not branches:
        return None
    return KernelCosts(
        cost=sum(line.cost for line in lines),
        branches_run=sum(kernel.counters.branches for kernel in kernels),
        lines=sorted(lines, key=lambda line: (-line.waste, -line.cost))[:_MOST_LINES],
        branches=sorted(branches, key=lambda branch: -branch.divergent)[:_MOST_BRANCHES],
    )


def readable_costs(costs: KernelCosts, student: Readable) -> KernelCosts:
    """Without lines and names that the student may not read: the process could forge them."""
    lines = [line for line in costs.lines if _is_readable(line, student)]
    named = [line.model_copy(update={"target": _readable_name(line, student)}) for line in lines]
    branches = [branch for branch in costs.branches if _is_readable(branch, student)]
    return costs.model_copy(update={"lines": named, "branches": branches})


def _is_readable(entry: LineCost | DivergentBranch, student: Readable) -> bool:
    lines = [entry.line, *(entry.lines if isinstance(entry, DivergentBranch) else ())]
    return all(student.has("place", f"{entry.file}:{line}") for line in lines)


def _readable_name(line: LineCost, student: Readable) -> str:
    name = line.target
    return name if re.fullmatch(r"[\w:<>~]*", name) and student.has("name", name) else ""


def _lines(kernels: Iterable[SampledKernel]) -> Iterator[LineCost]:
    alike: dict[tuple[object, ...], list[SampledLine]] = {}
    for kernel in kernels:
        for line in kernel.lines:
            key = (line.file, line.line, line.operation, line.target)
            alike.setdefault(key, []).append(line)
    for found in alike.values():
        first, cost = found[0], sum(line.cost for line in found)
        yield LineCost(
            file=own_paths(first.file),
            line=first.line,
            operation=first.operation,
            target=first.target,
            requests=sum(line.requests for line in found),
            cost=cost,
            waste=min(cost, sum(line.waste for line in found)),
            taken=sum(taken * count for line in found for taken, _, count in line.costs),
            ideal=sum(ideal * count for line in found for _, ideal, count in line.costs),
            worst=_worst(found),
        )


def _worst(lines: Iterable[SampledLine]) -> Request | None:
    samples = [sample for line in lines for sample in line.samples if sample is not None]
    worst = max(samples, key=lambda sample: (sample.cost - sample.ideal, sample.cost), default=None)
    return _request(worst) if worst else None


def _request(sample: Sample) -> Request | None:
    active = [lane for lane, address in enumerate(sample.addresses) if address >= 0]
    addresses = [sample.addresses[lane] for lane in active]
    lanes, rows = lanes_of(active), rows_of(addresses)
    if not active or lanes is None or rows is None or max(map(abs, rows)) > _FARTHEST:
        return None
    if min(addresses) >= _ROW:
        return None
    width, step, row = rows
    return Request(
        lanes=lanes,
        bytes=sample.bytes,
        base=addresses[0],
        width=width,
        step=step,
        row=row,
        cost=sample.cost,
        ideal=sample.ideal,
    )


def _branches(kernels: Iterable[SampledKernel]) -> Iterator[DivergentBranch]:
    alike: dict[tuple[object, ...], list[SampledBranch]] = {}
    for kernel in kernels:
        for branch in kernel.samples.branches:
            key = (branch.file, branch.line, branch.sides[0].line)
            alike.setdefault(key, []).append(branch)
    for found in alike.values():
        evenest = max(found, key=_evenness)
        yield DivergentBranch(
            file=own_paths(evenest.file),
            line=evenest.line,
            runs=sum(branch.runs for branch in found),
            divergent=sum(branch.divergent for branch in found),
            lines=(evenest.sides[0].line, evenest.sides[1].line),
            lanes=_sides(evenest),
        )


def _evenness(branch: SampledBranch) -> int:
    return min(side.lanes.bit_count() for side in branch.sides)


def _sides(branch: SampledBranch) -> tuple[Lanes, Lanes] | None:
    first, second = (
        lanes_of([lane for lane in range(LANES) if side.lanes >> lane & 1]) for side in branch.sides
    )
    return None if first is None or second is None else (first, second)
