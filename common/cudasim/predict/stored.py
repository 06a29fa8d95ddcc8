"""What the labs keep of a measurement: bench/predicted_times.csv beside a reference has a row for
each kernel of a call, with its predicted and its measured time and what ncu saw of it."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from common.cudasim.predict.compare import KEY, Kernel, Key, SpeedOfLight

NAME = "bench/predicted_times.csv"
FIELDS = (
    *KEY[1:],
    "launches",
    "low_us",
    "us",
    "high_us",
    "measured_us",
    "within",
    "bound",
    "ncu",
)


def write_stored(
    solutions: Path, kernels: Iterable[Kernel], lights: Mapping[Key, SpeedOfLight]
) -> None:
    labs: dict[str, list[Kernel]] = defaultdict(list)
    for kernel in kernels:
        labs[kernel.key[0]].append(kernel)
    for lab, those in labs.items():
        with (solutions / lab / NAME).open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(FIELDS)
            writer.writerows(_cells(kernel, lights.get(kernel.key)) for kernel in those)


def _cells(kernel: Kernel, light: SpeedOfLight | None) -> Sequence[str]:
    times = (kernel.low, kernel.predicted, kernel.high, kernel.measured)
    return [
        *kernel.key[1:],
        str(kernel.launches),
        *(f"{us:.2f}" for us in times),
        "yes" if kernel.is_inside else "no",
        kernel.bound,
        " ".join(f"{name}={share:.0f}%" for name, share in light.percent.items()) if light else "",
    ]
