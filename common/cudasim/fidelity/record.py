"""Makes measured.csv, which counters_test.py reads, from what ncu prints.

    record.py --metrics                                 prints the metrics for ncu --metrics
    record.py ncu.csv checksums.txt > measured.csv

README.md says how to make the two files.
"""

import csv
import sys
from collections.abc import Iterable, Sequence
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


def measured(ncu: Iterable[str]) -> dict[str, list[int]]:
    """Kernel to the values of COUNTERS, of `ncu --csv --page raw`; its messages begin with `==`."""
    rows = csv.DictReader(line for line in ncu if line.startswith('"'))
    return {
        row["Kernel Name"].split("(")[0]: [
            sum(int(row[metric].replace(",", "")) for metric in group)
            for group in COUNTERS.values()
        ]
        for row in rows
        if row["ID"]  # else the line of units
    }


def main(arguments: Sequence[str]) -> int:
    if arguments == ["--metrics"]:
        print(",".join(dict.fromkeys(metric for group in COUNTERS.values() for metric in group)))
        return 0
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    ncu, checksums = (Path(name).read_text(encoding="utf-8").splitlines() for name in arguments)
    counters = measured(ncu)
    print(",".join(["kernel", "checksum", *COUNTERS]))
    for kernel, checksum in (line.split() for line in checksums):
        print(",".join([kernel, checksum, *map(str, counters[kernel])]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
