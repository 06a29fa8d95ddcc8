"""Prints how long the kernels of a profile would take on a GPU, and which of two is faster.

show.py PROFILE.json [--program FILE] [--root DIR] [--against OTHER.json [--against-program FILE]]
        [--gpu CALIBRATION.csv]

The program that was profiled tells how many arithmetic instructions there are; without it they are
estimated from the accesses. Registers come from nvcc, if there is one and the sources lie in DIR;
else the occupancy is an interval.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common.cudasim.predict.calibration import H100, Calibration, CalibrationError, load
from common.cudasim.predict.instructions import blocks_of, instructions
from common.cudasim.predict.kernel import Interval, kernel_of
from common.cudasim.predict.model import Prediction, predict
from common.cudasim.predict.registers import registers_of

# Where times differ by less, the order of two versions is not predicted.
DIFFERENT = 1.3


@dataclass(frozen=True)
class Shown:
    """A kernel in one shape."""

    name: str
    grid: Sequence[int]
    block: Sequence[int]
    launches: int
    prediction: Prediction

    @property
    def total(self) -> Interval:
        return self.prediction.microseconds.scaled(max(1, self.launches))


def _registers(kernels: Sequence[Mapping[str, Any]], root: Path) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for name in sorted({kernel["file"] for kernel in kernels}):
        source = root / name
        if not source.is_file():
            continue
        try:
            found.update(registers_of(source, [str(root)]))
        except subprocess.CalledProcessError:
            print(f"note: nvcc does not compile {name}: registers are not known", file=sys.stderr)
    return found


def shown_of(
    profile: Mapping[str, Any], program: Path | None, root: Path, c: Calibration
) -> list[Shown]:
    """The predictions for all kernels of a profile but those of libraries."""
    kernels = [k for k in profile["kernels"] if k["launches"] > 0 and not k.get("library")]
    if program is not None:
        blocks = blocks_of(program, (o for k in kernels for o, _ in k["basic_blocks"]))
        kernels = [k | {"instructions": instructions(k, blocks)} for k in kernels]
    registers = _registers(kernels, root)
    shown = []
    for entry in kernels:
        # Of several versions of a template the one with most registers.
        known = registers.get(entry["kernel"])
        prediction = predict(kernel_of(entry, known[-1] if known else None), c)
        shown.append(
            Shown(entry["kernel"], entry["grid"], entry["block"], entry["launches"], prediction)
        )
    return shown


def _us(microseconds: float) -> str:
    return f"{microseconds:.1f}" if microseconds < 100 else f"{microseconds:,.0f}"


def words(times: Interval) -> str:
    return f"{_us(times.middle)} ({_us(times.low)} to {_us(times.high)})"


def _percent(share: Interval) -> str:
    low, high = (round(100 * end) for end in (share.low, share.high))
    return f"{low} %" if low == high else f"{low} to {high} %"


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell; the first one to the left."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def table(shown: Sequence[Shown]) -> str:
    rows = [["kernel", "grid", "block", "launches", "us of a launch", "bound by", "occupancy"]]
    for kernel in shown:
        rows.append(
            [
                kernel.name,
                "x".join(map(str, kernel.grid)),
                "x".join(map(str, kernel.block)),
                f"{kernel.launches:,}",
                words(kernel.prediction.microseconds),
                kernel.prediction.bound,
                _percent(kernel.prediction.occupancy),
            ]
        )
    unsure = dict.fromkeys(kernel.name for kernel in shown if kernel.prediction.looks_back)
    notes = [
        f"\n{name}: how long blocks wait for those before them is not known" for name in unsure
    ]
    return aligned(rows) + "".join(notes)


def total(shown: Sequence[Shown]) -> Interval:
    return sum((kernel.total for kernel in shown), Interval(0, 0, 0))


def verdict(first: Interval, second: Interval) -> str:
    """Which of two versions, `yours` and `other`, is faster, and by how much."""
    if min(first.middle, second.middle) <= 0:
        return "one of the versions launches no kernel: nothing to compare"
    ratio = max(first.middle, second.middle) / min(first.middle, second.middle)
    faster, slower = ("yours", "other") if first.middle < second.middle else ("other", "yours")
    if ratio < DIFFERENT:
        return (
            f"about the same: {faster} would be {ratio:.2f} times as fast as {slower}, and orders "
            f"are predicted from a factor of {DIFFERENT:g} on"
        )
    apart = first.high < second.low or second.high < first.low
    return f"{faster} is faster, {ratio:.2f} times as fast as {slower}" + (
        "" if apart else "; the intervals overlap, so it may not be"
    )


def comparison(first: Sequence[Shown], second: Sequence[Shown]) -> str:
    names = list(dict.fromkeys(kernel.name for kernel in [*first, *second]))
    rows = [["us of all launches", "yours", "other"]]
    for name in names:
        cells = []
        for version in (first, second):
            those = [kernel for kernel in version if kernel.name == name]
            cells.append(words(total(those)) if those else "-")
        rows.append([name, *cells])
    rows.append(["all kernels", words(total(first)), words(total(second))])
    return aligned(rows) + "\n\n" + verdict(total(first), total(second))


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("profile", type=Path)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--root", type=Path, default=Path())
    parser.add_argument("--against", type=Path)
    parser.add_argument("--against-program", type=Path)
    parser.add_argument("--gpu", type=Path, default=H100)
    given = parser.parse_args(arguments)
    try:
        c = load(given.gpu)
        first = shown_of(_read(given.profile), given.program, given.root, c)
        print(f"\nPredicted for an {c.device}: kernels alone, data in its caches if they fit")
        print(f"(how far predictions were off: common/cudasim/predict/README.md)\n\n{table(first)}")
        if given.against:
            second = shown_of(_read(given.against), given.against_program, given.root, c)
            print(f"\n{comparison(first, second)}")
    except (CalibrationError, OSError, ValueError, subprocess.CalledProcessError) as error:
        text = str(error)
        print(
            text if text.startswith("error:") else f"error: no prediction: {text}", file=sys.stderr
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
