"""Counts in profile mode what on_gpu.sh times. From the repository's root; needs only Python, g++
and the simulator's folder, for the programs to be judged by also nvcc, which tells registers.

programs.py count textbook KIT OUT    OUT/textbook_counts.jsonl.gz, a line for each kernel
programs.py count dependent KIT OUT   OUT/dependent_counts.jsonl.gz, likewise
programs.py count SET KIT OUT         OUT/counts.jsonl.gz and OUT/registers.jsonl, as samples.py
programs.py times SET TIMES OUT       OUT/times.csv and OUT/ncu.csv from the files that on_gpu.sh
                                      wrote to TIMES

KIT holds `cudasim`, a copy of bazel-bin/common/cudasim/driver/cudasim. SET is `blind`,
`coursework` or `exercises`, the programs to be judged by: a problem is a call, each of its versions
a sample of the lab of that name.
"""

from __future__ import annotations

import csv
import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from common.cudasim.predict.measure.samples import MEASURE, Run, count_calls, object_of, toolchain
from common.cudasim.predict.registers import plain_name, registers_of

_CALIBRATE = Path("common/cudasim/predict/calibrate")
_TO_JUDGE_BY = ("blind", "coursework", "exercises")
_SOURCES = {
    "textbook": [_CALIBRATE / "textbook.cu"],
    "dependent": [
        _CALIBRATE / f"{name}.cu"
        for name in ("dependent", "chains", "searches", "walks", "gathers")
    ],
} | {name: sorted((MEASURE / name).glob("*.cu")) for name in _TO_JUDGE_BY}
# Linked with all of them.
_COMMON = (MEASURE / "workload.cc", MEASURE / "compared_versions.cc")
# What takes longer to count says little more: the GPU is full.
_LARGEST = 22
_TEXTBOOK_SIZES = ("14", "18", "22")
_LIMIT_S = 6 * 3600.0
Entry = dict[str, Any]


def _program(name: str, run: Run) -> Path:
    tools = toolchain("count", run.kit)
    sources = [*_SOURCES[name], *_COMMON, MEASURE / tools.launches]
    objects = [object_of(path, tools, run, path.stem) for path in sources]
    made = run.work / name
    subprocess.run([*tools.link, "-o", made, *objects], check=True)
    return made


def _calls(name: str, program: Path) -> list[list[str]]:
    """The arguments of each run of the program."""
    if name == "textbook":
        return [[size] for size in _TEXTBOOK_SIZES]
    listed = subprocess.run([program], capture_output=True, check=True, text=True).stdout
    labels = listed.split()
    if name == "dependent":
        labels = [label for label in labels if int(label.rsplit("_", 1)[1]) <= _LARGEST]
    return [[label] for label in labels]


def _of_version(lab: str, label: str, kernels: list[Entry]) -> list[Entry]:
    problem, version, size = split(label)
    return [{"lab": lab, "sample": version, "label": f"{problem}_{size}", "kernels": kernels}]


def _of_textbook(label: str, kernels: list[Entry]) -> list[Entry]:
    return [kernel | {"label": label} for kernel in kernels]


def split(label: str) -> tuple[str, str, str]:
    """ "Bodies", "tiled" and "512" of "Bodies.tiled_512"."""
    function, size = label.rsplit("_", 1)
    problem, version = function.split(".")
    return problem, version, size


def count(name: str, run: Run) -> None:
    program = _program(name, run)
    is_judge = name in _TO_JUDGE_BY
    line: Callable[[str, list[Entry]], list[Entry]] = (
        partial(_of_version, name) if is_judge else _of_textbook
    )
    out = run.out / ("counts.jsonl.gz" if is_judge else f"{name}_counts.jsonl.gz")
    with gzip.open(out, "wt") as file:
        for call in _calls(name, program):
            begun = time.monotonic()
            for label, kernels in sorted(count_calls(program, call, run, _LIMIT_S).items()):
                file.writelines(json.dumps(entry) + "\n" for entry in line(label, kernels))
            print(f"{' '.join(call)}: {time.monotonic() - begun:.1f} s", flush=True)
    if is_judge:
        _write_registers(name, out, run.out / "registers.jsonl")


def _write_registers(name: str, counts: Path, out: Path) -> None:
    registers: dict[str, list[int]] = {}
    for source in _SOURCES[name]:
        registers |= registers_of(source, ["."])
    with gzip.open(counts, "rt") as file:
        samples = sorted({json.loads(line)["sample"] for line in file})
    lines = ({"lab": name, "sample": sample, "registers": registers} for sample in samples)
    out.write_text("".join(json.dumps(line) + "\n" for line in lines))


def times(lab: str, measured: Path, out: Path) -> None:
    """Of a set's kernels, in the form that evaluate.py compares with predictions."""
    versions: dict[str, set[str]] = {}
    with (
        (measured / f"{lab}.csv").open(newline="", encoding="utf-8") as file,
        (out / "times.csv").open("w", newline="", encoding="utf-8") as made,
    ):
        rows = csv.reader(file)
        writer = csv.writer(made, lineterminator="\n")
        writer.writerow(["lab", "sample", *next(rows)])
        for label, kernel, *cells in rows:
            problem, version, size = split(label)
            writer.writerow([lab, version, f"{problem}_{size}", kernel, *cells])
            versions.setdefault(kernel, set()).add(version)
    if not (measured / f"{lab}_ncu.csv").exists():
        return
    with (
        (measured / f"{lab}_ncu.csv").open(newline="", encoding="utf-8") as file,
        (out / "ncu.csv").open("w", newline="", encoding="utf-8") as made,
    ):
        writer = csv.writer(made, lineterminator="\n")
        column = 0
        for cells in csv.reader(line for line in file if line.startswith('"')):
            if cells[0] == "ID":
                column = cells.index("Kernel Name")
                writer.writerow([lab, "", *cells])
                continue
            kernel = plain_name(cells[column].replace("<unnamed>::", ""))
            for version in sorted(versions.get(kernel, ())):
                writer.writerow([lab, version, *cells])


def main(arguments: Sequence[str]) -> int:
    if len(arguments) == 4 and arguments[0] == "times" and arguments[1] in _TO_JUDGE_BY:
        times(arguments[1], Path(arguments[2]), Path(arguments[3]))
        return 0
    if len(arguments) != 4 or arguments[0] != "count" or arguments[1] not in _SOURCES:
        print(__doc__, file=sys.stderr)
        return 2
    out = Path(arguments[3])
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        end = time.monotonic() + _LIMIT_S
        run = Run(Path(arguments[2]).resolve(), out, 1, end, Path(work))
        count(arguments[1], run)
        for failure in run.failures:
            print(f"failed: {failure}", file=sys.stderr)
    return 1 if run.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
