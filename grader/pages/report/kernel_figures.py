"""Pictures of what a part's kernels cost on a GPU, as the simulator counted it in hidden tests."""

from collections.abc import Iterator
from dataclasses import replace

from common.cudasim.pictures.access_map import access_map, legend, mean_cost, unit_of
from common.cudasim.pictures.branches import divergence
from common.cudasim.pictures.evidence import Branch, Line, Request, Side
from common.cudasim.pictures.line_costs import CostlyLine, line_costs
from common.lab.failure_pictures.report import Source
from common.pictures.picture import Picture
from grader.model.kernel_costs import DivergentBranch, KernelCosts, LineCost
from grader.model.lab import Lab
from grader.model.result import PartResult

_MOST_BARS, _MOST_MAPS = 5, 2
_WORTH_DRAWING = 0.02
"""Shares of all accesses, or of all branches, below this are not drawn."""


def kernel_figures(part: PartResult, lab: Lab, source: Source) -> Iterator[Picture]:
    """What `feedback.hidden` allows: lanes only where it allows values of hidden tests."""
    costs = part.kernels
    if costs is None or lab.feedback.hidden == "verdict":
        return
    wasteful = [line for line in costs.lines if line.waste >= _WORTH_DRAWING * costs.cost > 0]
    if wasteful:
        yield line_costs([_bar(line, costs, source) for line in costs.lines[:_MOST_BARS]])
    if lab.feedback.hidden != "first_difference":
        return
    for line in [line for line in wasteful if line.worst][:_MOST_MAPS]:
        yield _map(line)
    for branch in costs.branches:
        if branch.lanes and branch.divergent >= _WORTH_DRAWING * costs.branches_run:
            yield _sides(branch)
            return


def _bar(line: LineCost, costs: KernelCosts, source: Source) -> CostlyLine:
    place = f"{line.file}:{line.line}"
    mean = mean_cost(unit_of(line.operation), line.taken, line.ideal, line.requests)
    share, wasted = (amount / costs.cost for amount in (line.cost, line.waste))
    return CostlyLine(place, source.line(place), f"{_name(line)}: {mean}", share, wasted)


def _name(line: LineCost) -> str:
    return f"{line.operation.replace('_', ' ')} of {line.target or 'memory'}"


def _map(cost: LineCost) -> Picture:
    found = cost.worst
    assert found is not None
    request = Request(("worst",), found.cost, found.ideal, 0, 0, found.bytes, 0, found.addresses())
    line = Line(
        kernel="",
        place=(cost.file, cost.line),
        operation=cost.operation,
        target=cost.target,
        requests=cost.requests,
        lanes=found.lanes.count,
        cost=cost.cost,
        waste=cost.waste,
        advice="",
        samples=(request,),
        costs=(),
    )
    title = f"{cost.file}:{cost.line}, {_name(cost)}: the worst request of a warp."
    return replace(access_map(line, request), title=title, caption=legend(line))


def _sides(branch: DivergentBranch) -> Picture:
    assert branch.lanes is not None
    first, second = (
        Side(tuple(lanes.numbers()), (branch.file, line))
        for lanes, line in zip(branch.lanes, branch.lines, strict=True)
    )
    place = (branch.file, branch.line)
    drawn = divergence(Branch("", place, branch.runs, branch.divergent, (first, second)))
    return replace(drawn, title=f"{branch.file}:{branch.line}: divergence.")
