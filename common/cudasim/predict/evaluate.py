"""Predictions for counted calls, and how they compare with measured times.

evaluate.py predict FOLDER   predictions.csv from counts.jsonl.gz and registers.jsonl
evaluate.py compare FOLDER   a table from predictions.csv, times.csv and ncu.csv, in Markdown
evaluate.py store FOLDER     the same, and the labs keep the predictions and times from then on
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from common.cudasim.predict.calibration import Calibration, load
from common.cudasim.predict.compare import KEY, joined, lights_of, read, report
from common.cudasim.predict.kernel import kernel_of
from common.cudasim.predict.model import predict
from common.cudasim.predict.stored import write_stored

FIELDS = (
    *KEY,
    "launches",
    "low_us",
    "us",
    "high_us",
    "bound",
    "occupancy_low",
    "occupancy_high",
    "ceilings",
    "fingerprint",
)
Row = dict[str, str]


def read_counts(folder: Path) -> list[dict[str, Any]]:
    with gzip.open(folder / "counts.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def read_registers(folder: Path) -> dict[tuple[str, str], dict[str, list[int]]]:
    path = folder / "registers.jsonl"
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return {(line["lab"], line["sample"]): line["registers"] for line in lines}


def _extent(extent: Sequence[int]) -> str:
    return "x".join(str(side) for side in extent)


def rows_of(
    call: dict[str, Any], registers: dict[str, list[int]], c: Calibration
) -> Iterator[dict[str, Any]]:
    """A row for each kernel of a call; times are sums over the call's launches."""
    for entry in call["kernels"]:
        known = registers.get(entry["kernel"])
        # Of several versions of a template the one with most registers: usually the main one.
        kernel = kernel_of(entry, known[-1] if known else None)
        prediction = predict(kernel, c)
        times = prediction.microseconds.scaled(max(1, kernel.launches))
        yield {
            "lab": call["lab"],
            "sample": call["sample"],
            "label": call["label"],
            "kernel": kernel.name,
            "grid": _extent(entry["grid"]),
            "block": _extent(entry["block"]),
            "launches": kernel.launches,
            "low_us": f"{times.low:.2f}",
            "us": f"{times.middle:.2f}",
            "high_us": f"{times.high:.2f}",
            "bound": prediction.bound,
            "occupancy_low": f"{prediction.occupancy.low:.3f}",
            "occupancy_high": f"{prediction.occupancy.high:.3f}",
            "ceilings": " ".join(f"{k}={v:.2f}" for k, v in prediction.ceilings.items()),
            "fingerprint": fingerprint(entry),
        }


def fingerprint(entry: dict[str, Any]) -> str:
    """The same for kernels that count the same: samples share most of their kernels."""
    text = json.dumps({key: value for key, value in entry.items() if key != "kernel"})
    return f"{zlib.crc32(text.encode()):08x}"


def write_predictions(folder: Path, c: Calibration | None = None) -> None:
    c = c or load()
    registers = read_registers(folder)
    with (folder / "predictions.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        for call in read_counts(folder):
            writer.writerows(rows_of(call, registers.get((call["lab"], call["sample"]), {}), c))


def compare(folder: Path, solutions: Path | None = None) -> str:
    """With `solutions` its labs keep what is compared."""
    kernels = joined(read(folder / "predictions.csv"), read(folder / "times.csv"))
    lights = lights_of(folder, kernels)
    if solutions:
        write_stored(solutions, kernels, lights)
    return report(kernels, lights)


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2 or arguments[0] not in ("predict", "compare", "store"):
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[1])
    if arguments[0] == "predict":
        write_predictions(folder)
    else:
        print(compare(folder, Path("solutions") if arguments[0] == "store" else None))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
