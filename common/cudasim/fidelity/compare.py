"""Compares profile mode's counters with ncu's measurements, kernel by kernel.

    compare.py --profile profile.json --ncu ncu.csv     compares
    compare.py --metrics                                prints the metrics for ncu --metrics

README.md says how to make the two files.  Exit status 1: some counter differs.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_T = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
_SASS_T = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_{}.sum"
_SHARED = "smsp__sass_inst_executed_op_shared_{}.sum"
_MATRIX = "smsp__sass_inst_executed_op_ldsm.sum"  # ldmatrix
_WAVEFRONTS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"

# Profile mode's counters, and ncu's metrics whose sum each must equal.
COUNTERS: dict[str, list[str]] = {
    "global_load_requests": [_T.format("requests", "ld")],
    "global_load_sectors": [_T.format("sectors", "ld")],
    "global_store_requests": [_T.format("requests", "st")],
    "global_store_sectors": [_T.format("sectors", "st")],
    "global_atomic_requests": [_T.format("requests", "red"), _T.format("requests", "atom")],
    "global_atomic_sectors": [_SASS_T.format("red"), _SASS_T.format("atom")],
    "shared_load_requests": [_SHARED.format("ld"), _MATRIX],
    "shared_load_sass_wavefronts": [_WAVEFRONTS.format("ld"), _WAVEFRONTS.format("ldsm")],
    "shared_store_requests": [_SHARED.format("st")],
    "shared_store_wavefronts": [_WAVEFRONTS.format("st")],
    "shared_atomic_requests": [_SHARED.format("atom")],
    "shared_atomic_wavefronts": [_WAVEFRONTS.format("atom")],
}


@dataclass(frozen=True)
class Difference:
    kernel: str
    counter: str
    simulated: float
    measured: float


def metrics() -> list[str]:
    """All metrics, each once."""
    return list(dict.fromkeys(metric for group in COUNTERS.values() for metric in group))


def read_ncu(lines: Iterable[str]) -> dict[str, dict[str, float]]:
    """Kernel to metric to value, of `ncu --csv --page raw`; its messages begin with `==`."""
    rows = csv.DictReader(line for line in lines if line.startswith('"'))
    measured: dict[str, dict[str, float]] = {}
    for row in rows:
        if not row["ID"]:
            continue  # the units
        values = {name: float(row[name].replace(",", "") or 0) for name in metrics()}
        measured[row["Kernel Name"].split("(")[0]] = values
    return measured


def read_profile(text: str) -> dict[str, dict[str, float]]:
    """Kernel to counter to value."""
    return {k["kernel"]: k["counters"] for k in json.loads(text)["kernels"]}


def compare(
    simulated: dict[str, dict[str, float]], measured: dict[str, dict[str, float]]
) -> tuple[int, list[Difference]]:
    """The number of exact counters, and the others.  Both must have the same kernels."""
    if set(simulated) != set(measured):
        only = ", ".join(sorted(set(simulated) ^ set(measured)))
        raise SystemExit(
            f"error: kernels in one of the files only: {only}\n"
            "  next: make both files from the same kernels.cu"
        )
    exact = 0
    differences = []
    for kernel, counters in simulated.items():
        for counter, group in COUNTERS.items():
            truth = sum(measured[kernel][metric] for metric in group)
            if counters[counter] == truth:
                exact += 1
            else:
                differences.append(Difference(kernel, counter, counters[counter], truth))
    return exact, differences


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--metrics", action="store_true")
    parser.add_argument("--profile", type=Path)
    parser.add_argument("--ncu", type=Path)
    options = parser.parse_args(arguments)
    if options.metrics:
        print(",".join(metrics()))
        return 0
    if options.profile is None or options.ncu is None:
        parser.error("give --profile and --ncu, or --metrics")
    simulated = read_profile(options.profile.read_text())
    exact, differences = compare(simulated, read_ncu(options.ncu.read_text().splitlines()))
    print(f"{len(simulated)} kernels, {exact} counters exact, {len(differences)} different")
    for d in differences:
        print(f"  {d.kernel}: {d.counter}: simulated {d.simulated:.0f}, measured {d.measured:.0f}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
