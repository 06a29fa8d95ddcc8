"""Fits the numbers of model.Fitted to the kernels of calibrate/textbook.cu and dependent.cu, and to
those that judged the third model:
results/*_counts.jsonl.gz have what profile mode counts for them, results/*.csv what a GPU took.

fit.py [STEPS]   random search from the middle of the limits; prints the numbers and the errors

The loss is the mean of |log(predicted / measured)|, each at most 1.2.
"""

from __future__ import annotations

import csv
import dataclasses
import gzip
import json
import math
import random
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from common.cudasim.predict.calibration import RESULTS, Calibration, load
from common.cudasim.predict.kernel import Kernel, kernel_of
from common.cudasim.predict.model import FITTED, Fitted, busy, combined, likely

PROGRAMS = ("textbook", "dependent", "judged")
_CAPPED = 1.2
_SEED = 1
_LIMITS = {
    "power": (1.5, 6),
    "start_us": (0, 1),
    "unrolled": (1, 10),
    "shared_unrolled": (1, 8),
    "steps_in_flight": (1, 8),
    "cycles_per_request": (1, 2.2),
    "integers": (0.1, 1.2),
    "most_integers": (0.1, 3),
    "of_warp": (2, 25),
    "l2_share": (0.4, 1.05),
    "hits": (0, 1),
    "atomic_latencies": (1, 3),
    "cycles_per_spin": (1, 6),
}
_KEY = ("label", "kernel", "grid", "block")
Measured = tuple[str, Kernel, float]  # label, kernel, microseconds of a launch


def measured() -> list[Measured]:
    return [row for program in PROGRAMS for row in _of_program(program)]


def _of_program(program: str) -> list[Measured]:
    with (RESULTS / f"{program}.csv").open(newline="", encoding="utf-8") as file:
        times = {tuple(row[name] for name in _KEY): row for row in csv.DictReader(file)}
    with gzip.open(RESULTS / f"{program}_counts.jsonl.gz", "rt") as counts:
        entries = [json.loads(line) for line in counts]
    return [_measured(entry, times[_key_of(entry)]) for entry in entries]


def _key_of(entry: Mapping[str, Any]) -> tuple[str, ...]:
    extents = ("x".join(str(side) for side in entry[name]) for name in ("grid", "block"))
    return (entry["label"], entry["kernel"], *extents)


def _measured(entry: Mapping[str, Any], row: Mapping[str, str]) -> Measured:
    us = float(row["microseconds"]) / int(row["launches"])
    return entry["label"], kernel_of(entry, int(row["registers"])), us


def time_of(kernel: Kernel, c: Calibration, f: Fitted) -> float:
    return c.launch_us + combined(busy(kernel, c, f, likely(kernel, f)), f.power)


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
    """The best of so many steps, which grow smaller."""
    draw = random.Random(_SEED)  # noqa: S311
    best = _middle()
    least = loss(data, c, best)
    for step in range(steps):
        size = 0.05 + 0.5 * (1 - step / steps)
        changes = {}
        for name in draw.sample(sorted(_LIMITS), draw.choice((1, 1, 2, 3))):
            low, high = _LIMITS[name]
            changes[name] = min(high, max(low, getattr(best, name) * math.exp(draw.gauss(0, size))))
        tried = dataclasses.replace(best, **changes)
        if (found := loss(data, c, tried)) < least:
            best, least = tried, found
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
