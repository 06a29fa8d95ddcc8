"""The times that were measured, as the labs keep them: bench/predicted_times.csv beside a reference
has a row for each kernel of a call, with its prediction and what ncu saw of it."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
Row = dict[str, str]


@dataclass(frozen=True)
class Stored:
    times: list[Row]  # in microseconds of a call
    lights: dict[Key, SpeedOfLight]


def read_stored(solutions: Path, events_us: float) -> Stored:
    found = Stored([], {})
    for path in sorted(solutions.glob(f"*/{NAME}")):
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                row["lab"] = path.parts[-3]
                found.times.append(
                    {name: row[name] for name in KEY} | {"microseconds": row["measured_us"]}
                )
                if row["ncu"]:
                    found.lights[tuple(row[name] for name in KEY)] = _light(row, events_us)
    return found


def _light(row: Mapping[str, str], events_us: float) -> SpeedOfLight:
    """ncu's time is not stored: the one between two events serves for it, less what events take."""
    percent = dict(part.split("=") for part in row["ncu"].split(" "))
    return SpeedOfLight(
        float(row["measured_us"]) / int(row["launches"]) - events_us,
        {name: float(share.rstrip("%")) for name, share in percent.items()},
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
