"""Fits the numbers of parameters.Fitted to the kernels of calibrate/textbook.cu and dependent.cu,
and to those that judged the third model (measure/blind) and the fourth (measure/coursework):
results/*_counts.jsonl.gz have what profile mode counts for them, results/*.csv what a GPU took.

fit.py [STEPS]   search from the middle of the limits; prints the numbers and the errors

The loss is the mean of |log(predicted / measured)|, each at most 1.2.
"""

from __future__ import annotations

import csv
import dataclasses
import gzip
import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from common.cudasim.predict.calibration import RESULTS, Calibration, load
from common.cudasim.predict.kernel import Kernel, kernel_of
from common.cudasim.predict.model import busy, combined, likely
from common.cudasim.predict.parameters import FITTED, Fitted

SETS = ("textbook", "dependent", "judged", "coursework")
_CAPPED = 1.2
_FIRST_FACTOR, _LAST_FACTOR = 0.7, 0.01  # logarithms
_LIMITS = {
    "power": (1.5, 6),
    "start_us": (0, 1),
    "unrolled": (1, 10),
    "unrolled_loops": (1, 10),
    "shared_unrolled": (1, 10),
    "shared_in_flight": (1, 8),
    "steps_in_flight": (1, 8),
    "steps_in_flight_in_loops": (1, 8),
    "operations_in_turn": (0.2, 1),
    "cycles_per_branch": (0, 40),
    "cycles_per_request": (1, 2.2),
    "cycles_per_constant": (0.5, 4),
    "integers": (0.1, 1.2),
    "most_integers": (0.1, 3),
    "bitwise": (0.2, 1.5),
    "of_warp": (2, 25),
    "l2_share": (0.4, 1.05),
    "hits": (0, 1),
    "merged": (0.5, 1),
    "atomic_latencies": (1, 3),
    "cycles_per_spin": (1, 6),
}
_KEY = ("label", "kernel", "grid", "block")
Measured = tuple[str, Kernel, float]  # label, kernel, microseconds of a launch


def measured_sets() -> dict[str, list[Measured]]:
    return {name: _of_set(name) for name in SETS}


def measured() -> list[Measured]:
    return [row for rows in measured_sets().values() for row in rows]


def _of_set(name: str) -> list[Measured]:
    with (RESULTS / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        times = {tuple(row[field] for field in _KEY): row for row in csv.DictReader(file)}
    with gzip.open(RESULTS / f"{name}_counts.jsonl.gz", "rt") as counts:
        entries = [json.loads(line) for line in counts]
    return [_measured(entry, times[_key_of(entry)]) for entry in entries]


def _key_of(entry: Mapping[str, Any]) -> tuple[str, ...]:
    extents = ("x".join(str(side) for side in entry[name]) for name in ("grid", "block"))
    return (entry["label"], entry["kernel"], *extents)


def _measured(entry: Mapping[str, Any], row: Mapping[str, str]) -> Measured:
    us = float(row["microseconds"]) / int(row["launches"])
    return entry["label"], kernel_of(entry, int(row["registers"])), us


def time_of(kernel: Kernel, c: Calibration, f: Fitted) -> float:
    return c.launch_us + combined(busy(kernel, c, f, likely(kernel, c, f)), f.power)


def loss(data: Sequence[Measured], c: Calibration, f: Fitted) -> float:
    errors = (abs(math.log(time_of(kernel, c, f) / us)) for _, kernel, us in data)
    return sum(min(error, _CAPPED) for error in errors) / len(data)


def _middle() -> Fitted:
    """Where the search begins, so that what it finds depends on the data alone."""
    return Fitted(
        **{
            name: math.sqrt(low * high) if low > 0 else high / 2
            for name, (low, high) in _LIMITS.items()
        }
    )


def fitted(data: Sequence[Measured], c: Calibration, steps: int) -> Fitted:
    """The best of about so many steps: of each number in turn, up or down, by a factor of its own
    that grows where it helps and shrinks where it does not."""
    best = _middle()
    least = loss(data, c, best)
    factors = dict.fromkeys(sorted(_LIMITS), _FIRST_FACTOR)
    tried = 0
    while tried < steps and max(factors.values()) > _LAST_FACTOR:
        for name, factor in factors.items():
            low, high = _LIMITS[name]
            helped = False
            for change in (factor, -factor):
                value = min(high, max(low, getattr(best, name) * math.exp(change)))
                other = dataclasses.replace(best, **{name: value})
                tried += 1
                if (found := loss(data, c, other)) < least:
                    best, least, helped = other, found, True
                    break
            factors[name] = min(1.0, 1.5 * factor) if helped else max(_LAST_FACTOR, factor / 2)
    return best


def main(arguments: Sequence[str]) -> int:
    c = load()
    data = measured()
    best = fitted(data, c, int(arguments[0]) if arguments else 2000)
    print(f"{len(data)} kernels, loss of the present numbers {loss(data, c, FITTED):.4f}, of these "
          f"{loss(data, c, best):.4f}\n{best}")  # fmt: skip
    for label, kernel, us in data:
        print(f"{label:24} {us:10.2f} us, {time_of(kernel, c, best) / us:.2f} times predicted")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
