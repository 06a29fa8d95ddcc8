"""Profile mode counts what ncu counted for the same kernels on a GPU, and they compute the same."""

import csv
import json
import os
import subprocess
from pathlib import Path

FOLDER = Path("common/cudasim/fidelity")


def test_all_counters_and_results_are_those_of_a_gpu() -> None:
    profile = Path(os.environ["TEST_TMPDIR"]) / "profile.json"
    printed = subprocess.run(
        [FOLDER / "kernels_profile"],
        capture_output=True,
        check=True,
        env=os.environ | {"CUDASIM_PROFILE": str(profile)},
        text=True,
    ).stdout
    checksums = dict(line.split() for line in printed.splitlines())
    kernels = json.loads(profile.read_text(encoding="utf-8"))["kernels"]
    counters = {kernel["kernel"]: kernel["counters"] for kernel in kernels}
    with (FOLDER / "measured.csv").open(newline="", encoding="utf-8") as file:
        measured = {row.pop("kernel"): row for row in csv.DictReader(file)}
    simulated = {
        kernel: {
            name: checksums[kernel] if name == "checksum" else str(counters[kernel][name])
            for name in row
        }
        for kernel, row in measured.items()
    }
    assert simulated == measured
    assert counters.keys() == measured.keys()
