"""How far the model misses kinds of kernels that it was not fitted to, and so how wide intervals
must be: each kind of the kernels of fit.py is predicted with numbers that are fitted to the others.

crossvalidate.py [STEPS]   prints the errors by kind, and the factor model.BEYOND

Intervals are those of conformal prediction for a new group, whose kernels resemble each other more
than those of other groups (Dunn, Wasserman, Ramdas, Distribution-Free Prediction Sets for Two-Layer
Hierarchical Models, JASA 118(544), 2023): each kind counts the same, and the quantile is taken as
if there were one kind more, which is missed by any factor.
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
from common.cudasim.predict.model import LAUNCH_ERROR, beyond_launch

INSIDE = 0.9  # share of times that lie within their interval


@dataclass(frozen=True)
class LeftOut:
    """A kernel, predicted with numbers that are fitted to the other kinds."""

    label: str
    us: float
    launch_us: float  # of an empty kernel
    beyond: Interval  # the model's extremes beyond it

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
    found = []
    for kind in sorted({kind_of(label) for label, _, _ in data}):
        f = fitted([row for row in data if kind_of(row[0]) != kind], c, steps)
        found += [
            LeftOut(label, us, c.launch_us, beyond_launch(kernel, c, f))
            for label, kernel, us in data
            if kind_of(label) == kind
        ]
    return found


def by_kind(kernels: Iterable[LeftOut]) -> dict[str, list[LeftOut]]:
    kinds: dict[str, list[LeftOut]] = {}
    for kernel in kernels:
        kinds.setdefault(kernel.kind, []).append(kernel)
    return kinds


def beyond(factors: Mapping[str, Sequence[float]]) -> float:
    """The quantile of all kinds' factors; infinite for fewer kinds than it takes."""
    weighed = sorted(
        (factor, 1 / len(those) / (len(factors) + 1))
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
    kinds = by_kind(left_out(measured(), load(), int(arguments[0]) if arguments else 1000))
    for kind, kernels in kinds.items():
        factors = " ".join(f"{kernel.factor:.2f}" for kernel in kernels)
        print(f"{kind:12} {100 * median(k.error for k in kernels):5.1f} % median error, {factors}")
    errors = sorted(kernel.error for kernels in kinds.values() for kernel in kernels)
    print(f"{len(errors)} kernels: median error {100 * median(errors):.1f} %, "
          f"90 % below {100 * errors[int(0.9 * (len(errors) - 1))]:.0f} %")  # fmt: skip
    factor = beyond({kind: [kernel.factor for kernel in those] for kind, those in kinds.items()})
    print(f"BEYOND = {factor:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
