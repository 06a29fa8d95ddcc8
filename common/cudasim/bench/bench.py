"""Measures the simulator's speed: bazel run //common/cudasim/bench -- --hip-cpu=FOLDER.

Launches of all programs are interleaved, so that other load on the machine slows all of them.
Every result is verified. CPU time is the sum over all threads of a program.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from common.cudasim.bench.contender import HERE, Contender, Sample, build_hip

ROWS = {
    "vecadd": "vecadd 2^22",
    "reduction": "reduction 2^22",
    "matmul-256": "matmul 256",
    "matmul-512": "matmul 512",
    "histogram": "shared histogram 2^22",
}
PLAIN, HIP = "plain", "HIP-CPU -O2"
ONE, CHECK, PROFILE = "one core: plain", "check", "profile"
# Numerator, denominator, and their name.
RATIOS = [
    (HIP, PLAIN, "HIP-CPU / plain"),
    (CHECK, ONE, "check / plain, one core"),
    (PROFILE, ONE, "profile / plain, one core"),
]
COMPILE_ROUNDS = 5

Statistic = Callable[[Iterable[float]], float]


def measure(contenders: list[Contender]) -> None:
    """Fills in the samples in rounds, each with one launch of every contender."""
    for row in ROWS:
        for contender in contenders:
            contender.measure(row)
            contender.samples[row] = []
        for turn in range(max(contender.rounds for contender in contenders)):
            for contender in contenders:
                if turn < contender.rounds:
                    contender.samples[row].append(contender.measure(row))


def elapsed(sample: Sample) -> float:
    return sample.elapsed


def cpu(sample: Sample) -> float:
    return sample.cpu


def value(contender: Contender, row: str, of: Callable[[Sample], float], how: Statistic) -> float:
    return how(of(sample) for sample in contender.samples[row])


def table_of(contenders: list[Contender], of: Callable[[Sample], float], title: str) -> Table:
    """Times as minimum / median in ms, and ratios of both."""
    named = {contender.name: contender for contender in contenders}
    ratios = [ratio for ratio in RATIOS if ratio[0] in named]
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("kernel")
    for heading in [*named, *(name for _, _, name in ratios)]:
        table.add_column(heading, justify="right")
    products: list[list[tuple[float, float]]] = [[] for _ in ratios]
    for row, words in ROWS.items():
        cells = [words]
        for contender in contenders:
            times = [value(contender, row, of, how) for how in (min, statistics.median)]
            cells.append(" / ".join(f"{ms:.1f}" for ms in times))
        for column, (over, under, _) in zip(products, ratios, strict=True):
            least, middle = (
                value(named[over], row, of, how) / value(named[under], row, of, how)
                for how in (min, statistics.median)
            )
            column.append((least, middle))
            cells.append(f"{least:.2f} / {middle:.2f}")
        table.add_row(*cells)
    means = [
        " / ".join(f"{statistics.geometric_mean(part):.2f}" for part in zip(*column, strict=True))
        for column in products
    ]
    table.add_row("geometric mean", *("" for _ in contenders), *means)
    return table


def sync_table() -> Table:
    """Cost of a barrier, a shuffle and __syncwarp() for each thread, by block size."""
    table = Table(box=box.SIMPLE_HEAD, title="ns of CPU time for each thread", title_justify="left")
    for heading in ["threads in a block", "__syncthreads()", "__shfl_xor_sync()", "__syncwarp()"]:
        table.add_column(heading, justify="right")
    done = subprocess.run(
        [HERE / "sync_plain"],
        capture_output=True,
        check=True,
        env=os.environ | {"CUDASIM_THREADS": "1"},
        text=True,
    )
    for line in done.stdout.splitlines():
        table.add_row(*line.split())
    return table


def compile_seconds(mode: list[str], folder: Path) -> float:
    """CPU time to preprocess, rewrite and compile a lab's file: the minimum over some rounds."""
    compiler = HERE.parent / "driver" / "cudasim" / "bin" / "cudasim-cc"
    command = [str(compiler), *mode, "-c", "-I", str(HERE.parents[2]), str(HERE / "lab.cu")]
    command += ["-o", str(folder / "lab.o")]
    times = []
    for _ in range(COMPILE_ROUNDS):
        begin = os.times()
        subprocess.run(command, check=True)
        end = os.times()
        times.append(sum(end[2:4]) - sum(begin[2:4]))  # user and system, of children
    return min(times)


def contenders_of(options: argparse.Namespace, folder: Path) -> list[Contender]:
    contenders = [
        Contender(PLAIN, HERE / "rows_plain", options.rounds),
        Contender(ONE, HERE / "rows_plain", options.rounds, {"CUDASIM_THREADS": "1"}),
        Contender(CHECK, HERE / "rows_check", options.slow_rounds),
        Contender(
            PROFILE, HERE / "rows_profile", options.slow_rounds, {"CUDASIM_PROFILE": os.devnull}
        ),
    ]
    if options.hip_cpu:
        checkout = Path(os.environ.get("BUILD_WORKING_DIRECTORY", ".")) / options.hip_cpu
        contenders.insert(1, Contender(HIP, build_hip(checkout, folder), options.rounds))
    return contenders


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hip-cpu", help="a checkout of ROCm/HIP-CPU, to compare with")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--slow-rounds", type=int, default=3, help="in check and profile mode")
    options = parser.parse_args()
    console = Console(width=180)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        contenders = contenders_of(options, folder)
        measure(contenders)
        for contender in contenders:
            contender.stop()
        console.print(f"{os.cpu_count()} cores, {options.rounds} rounds, ms: minimum / median")
        console.print(table_of(contenders, elapsed, "elapsed"))
        console.print(table_of(contenders, cpu, "CPU time"))
        console.print(sync_table())
        for words, mode in [("plain", []), ("check", ["-check"])]:
            seconds = compile_seconds(mode, folder)
            console.print(
                f"preprocess, rewrite, compile a lab's file, {words}: {seconds:.2f} s of CPU"
            )


if __name__ == "__main__":
    main()
