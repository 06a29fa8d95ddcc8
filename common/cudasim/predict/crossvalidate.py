"""How far the model misses programs that it was not fitted to, and so how wide intervals must be:
each of the sets of fit.py is predicted with numbers that are fitted to the other sets. Sets differ
in who wrote them, when, and what for. Kinds of kernels that are left out of a set say less: cross
validation by kinds foretold 93 % of times within the fourth model's intervals, and new programs had
83 %.

crossvalidate.py [STEPS]   prints the errors by set and kind, and the factors BEYOND of model.py

Intervals are those of conformal prediction for a new group, whose kernels resemble each other more
than those of other groups (Dunn, Wasserman, Ramdas, Distribution-Free Prediction Sets for Two-Layer
Hierarchical Models, JASA 118(544), 2023): each kind counts the same, and the quantile is taken as
if there were one kind more, which is missed by any factor. Kernels with atomic operations, of which
the counters tell less, have a factor of their own (Mondrian: Vovk, Conditional Validity of
Inductive Conformal Predictors, ACML 2012). There are too few kinds of them, so that each kernel
counts the same. As the factors depend on few sets, the largest is taken of those that are found
with one set left out.

The quantile is 95 %, so that 90 % can be expected of new programs: what the model counts was
chosen after all these sets had been seen, and new programs missed by causes that no set had shown
before, 4 to 7 % of the times of each set that judged a model.
"""

from __future__ import annotations

import itertools
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from common.cudasim.predict.calibration import Calibration, load
from common.cudasim.predict.compare import DIFFERENT, share
from common.cudasim.predict.fit import Measured, fitted, measured_sets
from common.cudasim.predict.kernel import Interval
from common.cudasim.predict.model import LAUNCH_ERROR, beyond_launch, has_atomics

INSIDE = 0.95  # share of the sets' times that lie within their interval


@dataclass(frozen=True)
class LeftOut:
    """A kernel, predicted with numbers that are fitted to the other sets."""

    of_set: str
    label: str
    us: float
    launch_us: float  # of an empty kernel
    beyond: Interval  # the model's extremes beyond it
    has_atomics: bool = False

    @property
    def kind(self) -> str:
        return f"{self.of_set} {kind_of(self.label)}"

    @property
    def predicted_us(self) -> float:
        return self.launch_us + self.beyond.middle

    @property
    def error(self) -> float:
        return abs(self.predicted_us / self.us - 1)

    @property
    def factor(self) -> float:
        """By which the extremes must be apart from the model's for the time to lie between."""
        over = self.us - self.launch_us * (1 + LAUNCH_ERROR)
        under = self.us - self.launch_us * (1 - LAUNCH_ERROR)
        return max(over / self.beyond.high, self.beyond.low / under, 0.0)


def kind_of(label: str) -> str:
    """ "Add" of "AddChunks16_14"."""
    found = re.match(r"[A-Z][a-z]*", label)
    return found[0] if found else label


def left_out(sets: Mapping[str, Sequence[Measured]], c: Calibration, steps: int) -> list[LeftOut]:
    found = []
    for name, those in sets.items():
        f = fitted([row for other in sets if other != name for row in sets[other]], c, steps)
        found += [
            LeftOut(name, label, us, c.launch_us, beyond_launch(kernel, c, f), has_atomics(kernel))
            for label, kernel, us in those
        ]
    return found


def by_kind(kernels: Iterable[LeftOut]) -> dict[str, list[LeftOut]]:
    kinds: dict[str, list[LeftOut]] = {}
    for kernel in kernels:
        kinds.setdefault(kernel.kind, []).append(kernel)
    return kinds


def beyond(factors: Mapping[str, Sequence[float]], more: int = 1) -> float:
    """The quantile of all kinds' factors and of `more` kinds that no factor is enough for; infinite
    for fewer kinds than it takes."""
    weighed = sorted(
        (factor, 1 / len(those) / (len(factors) + more))
        for those in factors.values()
        for factor in those
    )
    passed = 0.0
    for factor, weight in weighed:
        passed += weight
        if passed >= INSIDE - 1e-9:
            return factor
    return math.inf


def beyond_of(found: Sequence[LeftOut], with_atomics: bool) -> float:
    """The largest factor with any one set left out."""
    chosen = [kernel for kernel in found if kernel.has_atomics == with_atomics]
    factors = []
    for name in {kernel.of_set for kernel in found}:
        rest = [kernel for kernel in chosen if kernel.of_set != name]
        groups = {str(i): [kernel] for i, kernel in enumerate(rest)}
        if not with_atomics:
            groups = by_kind(rest)
        of_groups = {group: [kernel.factor for kernel in those] for group, those in groups.items()}
        factors.append(beyond(of_groups, more=0 if with_atomics else 1))
    return max(factors)


def order(found: Iterable[LeftOut]) -> list[bool]:
    """Whether versions of a problem are in the right order, if their times differ enough. Labels
    are those of programs to be judged by: "Bodies.tiled_512"."""
    calls: dict[tuple[str, ...], dict[str, tuple[float, float]]] = defaultdict(dict)
    for kernel in found:
        if label := re.fullmatch(r"(\w+)\.(\w+)_(\d+)", kernel.label):
            versions = calls[kernel.of_set, label[1], label[3]]
            predicted, us = versions.get(label[2], (0.0, 0.0))
            versions[label[2]] = (predicted + kernel.predicted_us, us + kernel.us)
    return [
        (p1 < p2) == (us1 < us2)
        for versions in calls.values()
        for (p1, us1), (p2, us2) in itertools.combinations(versions.values(), 2)
        if max(us1, us2) >= DIFFERENT * min(us1, us2)
    ]


def _figures(name: str, kernels: Sequence[LeftOut], factors: Mapping[bool, float]) -> str:
    errors = sorted(kernel.error for kernel in kernels)
    inside = [kernel.factor <= factors[kernel.has_atomics] for kernel in kernels]
    return (
        f"{name}: {len(errors)} kernels, median error {100 * median(errors):.1f} %, 90 % below "
        f"{100 * errors[int(0.9 * (len(errors) - 1))]:.0f} %, within the interval "
        f"{share(inside)}, order right {share(order(kernels))}"
    )


def main(arguments: Sequence[str]) -> int:
    sets = measured_sets()
    found = left_out(sets, load(), int(arguments[0]) if arguments else 1000)
    for kind, kernels in by_kind(found).items():
        factors = " ".join(f"{kernel.factor:.2f}" for kernel in kernels)
        print(f"{kind:24} {100 * median(k.error for k in kernels):5.1f} % median error, {factors}")
    beyond_sets = {with_atomics: beyond_of(found, with_atomics) for with_atomics in (False, True)}
    for name in sets:
        print(_figures(name, [kernel for kernel in found if kernel.of_set == name], beyond_sets))
    print(_figures("all", found, beyond_sets))
    print(f"BEYOND = {beyond_sets[False]:.2f}")
    print(f"BEYOND_WITH_ATOMICS = {beyond_sets[True]:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
