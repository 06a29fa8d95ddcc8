"""How far predictions lie from measured times: figures, and a table of the misses, in Markdown.

The rules, written before anything was measured:

* Rows are kernels in one shape in one call. Those that count the same in several samples of a lab
  count once.
* The bounding resource is right, by ncu's speed of light, if
    - the kernel takes less than twice an empty one, and "launch" was predicted;
    - a unit reaches 60 %, and the predicted one is at most 10 points below the highest; atomics are
      work of the L2 cache, or of shared memory;
    - no unit reaches 60 %, and "latency" was predicted, or "atomics" of a kernel that has some.
* Pairs are two samples' calls of one function in one size whose times differ by a factor of 1.3.
"""

from __future__ import annotations

import csv
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from common.cudasim.predict.calibration import load
from common.cudasim.predict.registers import plain_name

DIFFERENT = 1.3  # factor between two times
_BUSY = 60.0  # percent of a unit's speed of light
_CLOSE = 10.0  # points
_UNITS = {
    "DRAM": "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "L2": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "L1/shared": "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
    "issue": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
}
_ATOMICS_WORK_IN = ("L2", "L1/shared")
Key = tuple[str, ...]
KEY = ("lab", "sample", "label", "kernel", "grid", "block")


@dataclass(frozen=True)
class Kernel:
    """A row of predictions.csv with the measured time, both in microseconds of a call."""

    key: Key
    low: float
    predicted: float
    high: float
    measured: float
    bound: str
    has_atomics: bool
    fingerprint: str
    launches: int

    @property
    def error(self) -> float:
        return abs(self.predicted / self.measured - 1)

    @property
    def is_inside(self) -> bool:
        return self.low <= self.measured <= self.high


@dataclass(frozen=True)
class SpeedOfLight:
    """What ncu says about one launch."""

    microseconds: float
    percent: Mapping[str, float]  # by resource


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def joined(predictions: Iterable[dict[str, str]], times: Iterable[dict[str, str]]) -> list[Kernel]:
    measured: dict[Key, float] = defaultdict(float)
    for row in times:
        measured[tuple(row[name] for name in KEY)] += float(row["microseconds"])
    found = []
    for row in predictions:
        key = tuple(row[name] for name in KEY)
        if measured.get(key, 0) <= 0:
            continue
        ceilings = dict(part.split("=") for part in row["ceilings"].split(" "))
        found.append(
            Kernel(
                key,
                float(row["low_us"]),
                float(row["us"]),
                float(row["high_us"]),
                measured[key],
                row["bound"],
                float(ceilings["atomics"]) > 0,
                row["fingerprint"],
                int(row["launches"]),
            )
        )
    return found


def distinct(kernels: Iterable[Kernel]) -> list[Kernel]:
    """The first of those that count the same in one call of a lab."""
    first: dict[Key, Kernel] = {}
    for kernel in kernels:
        first.setdefault((kernel.key[0], kernel.key[2], kernel.fingerprint), kernel)
    return list(first.values())


def read_ncu(path: Path) -> dict[Key, SpeedOfLight]:
    """By the key of a kernel without the call's label; of several launches the first one's."""
    found: dict[Key, SpeedOfLight] = {}
    head: list[str] = []
    with path.open(newline="", encoding="utf-8") as file:
        for lab, sample, *cells in csv.reader(file):
            if cells and cells[0] == "ID":
                head = cells
                continue
            row = dict(zip(head, cells, strict=False))
            if not row.get("ID"):
                continue  # the line of units
            shapes = (
                "x".join(row[f"launch__{shape}_dim_{axis}"].replace(",", "") for axis in "xyz")
                for shape in ("grid", "block")
            )
            key = (lab, sample, plain_name(row["Kernel Name"].replace("<unnamed>::", "")))
            number = {name: float(row[unit].replace(",", "")) for name, unit in _UNITS.items()}
            ns = float(row["gpu__time_duration.sum"].replace(",", ""))
            found.setdefault((*key, *shapes), SpeedOfLight(ns / 1e3, number))
    return found


def is_bound_right(kernel: Kernel, light: SpeedOfLight, launch_us: float) -> bool:
    if light.microseconds < 2 * launch_us and kernel.bound == "launch":
        return True
    highest = max(light.percent.values())
    if highest < _BUSY:
        return kernel.bound == "latency" or (kernel.bound == "atomics" and kernel.has_atomics)
    units = _ATOMICS_WORK_IN if kernel.bound == "atomics" else (kernel.bound,)
    return any(light.percent.get(unit, 0) >= highest - _CLOSE for unit in units)


def calls_of(kernels: Iterable[Kernel]) -> dict[Key, dict[str, tuple[float, float]]]:
    """Predicted and measured time of each sample's call, by lab and label."""
    calls: dict[Key, dict[str, tuple[float, float]]] = defaultdict(dict)
    for kernel in kernels:
        lab, sample, label, *_ = kernel.key
        predicted, measured = calls[lab, label].get(sample, (0.0, 0.0))
        calls[lab, label][sample] = (predicted + kernel.predicted, measured + kernel.measured)
    return calls


def pairs_of(kernels: Iterable[Kernel]) -> list[bool]:
    """For each pair of calls whose times differ enough, whether the order is right."""
    return [
        (p1 < p2) == (m1 < m2)
        for samples in calls_of(kernels).values()
        for (p1, m1), (p2, m2) in itertools.combinations(samples.values(), 2)
        if max(m1, m2) >= DIFFERENT * min(m1, m2)
    ]


def share(flags: Sequence[bool]) -> str:
    return f"{100 * sum(flags) / len(flags):.1f} % of {len(flags)}" if flags else "none"


def _figures(name: str, kernels: Sequence[Kernel]) -> str:
    if not kernels:
        return f"| {name} | 0 | | | |"
    errors = sorted(kernel.error for kernel in kernels)
    ninth = errors[int(0.9 * (len(errors) - 1))]
    wide = median(kernel.high / kernel.low for kernel in kernels)
    return (
        f"| {name} | {len(kernels)} | {100 * median(errors):.1f} % | {100 * ninth:.0f} % | "
        f"{share([kernel.is_inside for kernel in kernels])} | {wide:.2f} |"
    )


def _misses(kernels: Iterable[Kernel]) -> list[str]:
    rows = [kernel for kernel in kernels if not kernel.is_inside]
    rows.sort(key=lambda kernel: -kernel.error)
    return [
        f"| {k.key[0]} | {k.key[1]} | {k.key[2]} | {k.key[3]} | {k.low:.1f} to {k.high:.1f} "
        f"| {k.predicted:.1f} | {k.measured:.1f} | {k.bound} |"
        for k in rows
    ]


def _middle_sizes(kernels: Iterable[Kernel]) -> dict[Key, set[str]]:
    """The labels that ncu saw, by lab and sample: of each function the middle one timed."""
    sizes: dict[Key, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for kernel in kernels:
        lab, sample, label, *_ = kernel.key
        function, size = label.rsplit("_", 1)
        sizes[lab, sample][function].add(int(size))
    return {
        key: {
            f"{function}_{sorted(those)[len(those) // 2]}" for function, those in functions.items()
        }
        for key, functions in sizes.items()
    }


def lights_of(folder: Path, kernels: Sequence[Kernel]) -> dict[Key, SpeedOfLight]:
    """What ncu saw of the kernels, in the middle size of each function."""
    if not (folder / "ncu.csv").exists():
        return {}
    lights = read_ncu(folder / "ncu.csv")
    middle = _middle_sizes(kernels)
    found = {}
    for kernel in kernels:
        lab, sample, label, *rest = kernel.key
        light = lights.get((lab, sample, *rest))
        if light and label in middle[lab, sample]:
            found[kernel.key] = light
    return found


def _bounds(
    kernels: Iterable[Kernel], lights: Mapping[Key, SpeedOfLight]
) -> tuple[list[bool], Counter[tuple[str, str]]]:
    """For each kernel that ncu saw, whether its bound is right; and the wrong ones."""
    launch_us = load().launch_us
    rights: list[bool] = []
    confused: Counter[tuple[str, str]] = Counter()
    for kernel in kernels:
        if light := lights.get(kernel.key):
            rights.append(is_bound_right(kernel, light, launch_us))
            top = max(light.percent, key=lambda name: light.percent[name])
            if not rights[-1]:
                confused[kernel.bound, f"{top} {light.percent[top]:.0f} %"] += 1
    return rights, confused


def report(kernels: Sequence[Kernel], lights: Mapping[Key, SpeedOfLight]) -> str:
    once = distinct(kernels)
    rights, confused = _bounds(once, lights)
    lines = [
        "| Kernels | Rows | Median error | 90 % below | Within the interval | High / low |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        _figures("all, each count once", once),
        _figures("all rows", kernels),
        *(
            _figures(lab, [k for k in once if k.key[0] == lab])
            for lab in sorted({k.key[0] for k in once})
        ),
        *(
            _figures(f"bound by {bound}", [k for k in once if k.bound == bound])
            for bound in sorted({k.bound for k in once})
        ),
        "",
        f"Bounding resource right: {share(rights)}. Order of two versions right: "
        f"{share(pairs_of(kernels))} pairs.",
        "",
        "| Lab | Sample | Call | Kernel | Interval, us | Predicted | Measured | Bound |",
        "| --- | --- | --- | --- | ---: | ---: | ---: | --- |",
        *_misses(once),
        "",
        "Bounding resources that were wrong, with ncu's highest unit: "
        + "; ".join(f"{was} for {top} ({n})" for (was, top), n in confused.most_common()),
    ]
    return "\n".join(lines)
