"""How far the model misses kinds of kernels that it was not fitted to, and so how wide intervals
must be: the kinds of the kernels of fit.py are dealt into FOLDS parts, and each part is predicted
with numbers that are fitted to the others.

crossvalidate.py [STEPS]   prints the errors by kind, and the factors BEYOND of model.py

Intervals are those of conformal prediction for a new group, whose kernels resemble each other more
than those of other groups (Dunn, Wasserman, Ramdas, Distribution-Free Prediction Sets for Two-Layer
Hierarchical Models, JASA 118(544), 2023): each kind counts the same, and the quantile is taken as
if there were one kind more, which is missed by any factor. Kernels with atomic operations, of which
the counters tell less, have a factor of their own (Mondrian: Vovk, Conditional Validity of
Inductive Conformal Predictors, ACML 2012). There are too few kinds of them for one more, so that
theirs is what holds for 90 % of those that were measured. As the factors depend on few kernels, the
largest is taken of those that are found with one part of the kinds left out.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from common.cudasim.predict.calibration import Calibration, load
from common.cudasim.predict.fit import Measured, fitted, measured
from common.cudasim.predict.kernel import Interval
from common.cudasim.predict.model import LAUNCH_ERROR, beyond_launch, has_atomics

INSIDE = 0.9  # share of times that lie within their interval
FOLDS = 8


@dataclass(frozen=True)
class LeftOut:
    """A kernel, predicted with numbers that are fitted to the other kinds."""

    label: str
    us: float
    launch_us: float  # of an empty kernel
    beyond: Interval  # the model's extremes beyond it
    has_atomics: bool = False

    @property
    def kind(self) -> str:
        return kind_of(self.label)

    @property
    def error(self) -> float:
        return abs((self.launch_us + self.beyond.middle) / self.us - 1)

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


def left_out(data: Sequence[Measured], c: Calibration, steps: int) -> list[LeftOut]:
    kinds = sorted({kind_of(label) for label, _, _ in data})
    found = []
    for fold in range(min(FOLDS, len(kinds))):
        part = set(kinds[fold::FOLDS])
        f = fitted([row for row in data if kind_of(row[0]) not in part], c, steps)
        found += [
            LeftOut(label, us, c.launch_us, beyond_launch(kernel, c, f), has_atomics(kernel))
            for label, kernel, us in data
            if kind_of(label) in part
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


def main(arguments: Sequence[str]) -> int:
    found = left_out(measured(), load(), int(arguments[0]) if arguments else 1000)
    kinds = by_kind(found)
    for kind, kernels in kinds.items():
        factors = " ".join(f"{kernel.factor:.2f}" for kernel in kernels)
        print(f"{kind:12} {100 * median(k.error for k in kernels):5.1f} % median error, {factors}")
    errors = sorted(kernel.error for kernels in kinds.values() for kernel in kernels)
    print(f"{len(errors)} kernels: median error {100 * median(errors):.1f} %, "
          f"90 % below {100 * errors[int(0.9 * (len(errors) - 1))]:.0f} %")  # fmt: skip
    print(f"BEYOND = {_beyond_of(found, False):.2f}")
    print(f"BEYOND_WITH_ATOMICS = {_beyond_of(found, True):.2f}")
    return 0


def _beyond_of(found: Sequence[LeftOut], with_atomics: bool) -> float:
    """The largest factor with any one part of the kinds left out."""
    kinds = by_kind(kernel for kernel in found if kernel.has_atomics == with_atomics)
    parts = [set(sorted({kernel.kind for kernel in found})[fold::FOLDS]) for fold in range(FOLDS)]
    return max(
        beyond(
            {
                kind: [kernel.factor for kernel in those]
                for kind, those in kinds.items()
                if kind not in part
            },
            more=0 if with_atomics else 1,
        )
        for part in parts
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
