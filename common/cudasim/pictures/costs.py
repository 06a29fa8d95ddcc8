"""What each line of the source costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from common.cudasim.pictures.evidence import Branch, Kernel, Line, Place, Profile


@dataclass
class LineCost:
    """Sums over all kernels that run the line, and what pictures can show of it."""

    place: Place
    cost: float = 0
    """Of its accesses, in wavefronts of 128 bytes or lanes at one address."""
    waste: float = 0
    work: int = 0
    """Operations of threads."""
    parted: int = 0
    """Times that a branch divided a warp."""
    lines: list[Line] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    barriers: list[Kernel] = field(default_factory=list)
    """Whose threads wait at a barrier in this line."""


@dataclass(frozen=True)
class Totals:
    """Sums over all lines, of which shares are taken."""

    cost: float
    work: int
    branches: float
    """Branches that warps ran."""

    def wasted(self, line: LineCost) -> float:
        """The share of all accesses that the line wastes."""
        return line.waste / self.cost if self.cost else 0

    def parted(self, line: LineCost) -> float:
        """The share of all branches that divide a warp in this line."""
        return line.parted / self.branches if self.branches else 0

    def badness(self, line: LineCost) -> float:
        """The larger of the two."""
        return max(self.wasted(line), self.parted(line))


WORTH_TELLING = 0.005
"""Shares below this are not told."""


def totals_of(profile: Profile, costs: Mapping[Place, LineCost]) -> Totals:
    """The sums over all lines and kernels."""
    kernels = [kernel for kernel in profile.kernels if not kernel.is_library]
    all_costs = costs.values()
    return Totals(
        sum(line.cost for line in all_costs),
        sum(line.work for line in all_costs),
        sum(kernel.of("branches") for kernel in kernels),
    )


def costs_of(profile: Profile) -> dict[Place, LineCost]:
    """By place; a line's accesses are those of the configuration with most requests."""
    found: dict[Place, LineCost] = {}

    def at(place: Place) -> LineCost:
        return found.setdefault(place, LineCost(place))

    for kernel in profile.kernels:
        if kernel.is_library:
            continue
        for place, operations in kernel.work.items():
            at(place).work += operations
        for line in kernel.lines:
            at(line.place).cost += line.cost
            at(line.place).waste += line.waste
            _keep_line(at(line.place).lines, line)
        for branch in kernel.branches:
            at(branch.place).parted += branch.divergent
            _keep_branch(at(branch.place).branches, branch)
        for barrier in kernel.barriers.barriers:
            if barrier.waited > 0:
                _keep_kernel(at(barrier.place).barriers, kernel)
    return found


def worst_first(costs: Iterable[LineCost], totals: Totals) -> list[LineCost]:
    """Those that waste accesses or divide warps, as far as it is worth telling."""
    bad = [cost for cost in costs if totals.badness(cost) >= WORTH_TELLING]
    return sorted(bad, key=lambda cost: (-totals.badness(cost), cost.place))


def _keep_line(lines: list[Line], line: Line) -> None:
    key = (line.kernel, line.operation, line.target)
    for number, kept in enumerate(lines):
        if (kept.kernel, kept.operation, kept.target) == key:
            if line.requests > kept.requests:
                lines[number] = line
            return
    lines.append(line)


def _keep_branch(branches: list[Branch], branch: Branch) -> None:
    for number, kept in enumerate(branches):
        if (kept.kernel, kept.sides[0].place) == (branch.kernel, branch.sides[0].place):
            if branch.divergent > kept.divergent:
                branches[number] = branch
            return
    branches.append(branch)


def _keep_kernel(kernels: list[Kernel], kernel: Kernel) -> None:
    for number, kept in enumerate(kernels):
        if (kept.name, kept.place) == (kernel.name, kernel.place):
            if kernel.barriers.waited > kept.barriers.waited:
                kernels[number] = kernel
            return
    kernels.append(kernel)
