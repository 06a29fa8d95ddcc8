"""What the micro-benchmarks of calibrate/ say about a GPU: rates and latencies, from the CSV file
that they print."""

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

H100 = Path(__file__).with_name("h100.csv")
_HEAD = ["benchmark", "x", "y", "value", "unit"]


class CalibrationError(Exception):
    """The file cannot be used. The message names it, the line or benchmark, and the next step."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(
            f"error: calibration {path}: {problem}\n"
            "  next: measure it again with common/cudasim/predict/calibrate/calibrate.cu"
        )


Row = tuple[float, float, float]  # x, y, value


def read_rows(path: Path) -> tuple[str, dict[str, list[Row]]]:
    """The device's name and the rows of each benchmark."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise CalibrationError(path, f"cannot be read: {error.strerror}") from error
    if not lines or lines[0].split(",") != _HEAD:
        raise CalibrationError(path, f"line 1 is not {','.join(_HEAD)}")
    device = ""
    rows: dict[str, list[Row]] = {}
    for number, line in enumerate(lines[1:], 2):
        if line.startswith("#"):
            device = device or line[1:].strip()
            continue
        try:
            [name, x, y, value, _] = next(csv.reader([line]))
            row = (float(x), float(y), float(value))
        except (ValueError, StopIteration):
            raise CalibrationError(path, f"line {number} is not a row: {line}") from None
        if not (math.isfinite(sum(row)) and row[2] > 0):
            raise CalibrationError(path, f"line {number}: value {value}, limit above 0 and finite")
        rows.setdefault(name, []).append(row)
    if not device:
        raise CalibrationError(path, "no line `# DEVICE` names the device")
    return device, rows


@dataclass(frozen=True)
class Calibration:
    """Times in microseconds, latencies in nanoseconds, clock in cycles of a microsecond."""

    device: str
    multiprocessors: int
    clock: float
    launch_us: float  # an empty kernel, between two events
    events_us: float  # two events without a kernel between them
    blocks_per_us: float  # that are started, on the whole GPU
    stream_us: tuple[tuple[float, float], ...]  # bytes moved once by a copy, time beyond a launch
    l2_fits_bytes: float  # the most that a copy may move without DRAM
    l2_bytes_per_us: float
    l2_bytes_per_us_of_one: float  # of one multiprocessor alone
    l1_latency_ns: float
    l2_latency_ns: float
    dram_latency_ns: float
    shared_latency_ns: float
    atomic_latency_ns: float
    shuffle_latency_ns: float
    instructions_per_cycle: float  # of a multiprocessor
    cycles_per_step: float  # of dependent arithmetic
    cycles_per_wavefront: float  # of shared memory
    cycles_per_line: float  # of the L1 cache
    barrier_ns: float  # of a warp alone
    barrier_ns_per_warp: float
    atomic_pass_ns: float  # to one sector, one after another
    float_atomic_pass_ns: float
    atomic_passes_per_us: float  # to different sectors
    sectors_per_slice: float  # by how many hit sectors atomics go to another slice of the L2 cache

    def stream(self, moved: float) -> float:
        """Microseconds to move so many bytes once, from the L2 cache where they fit."""
        points = ((0.0, 0.0), *self.stream_us)
        index = next((i for i, point in enumerate(points) if point[0] >= moved), len(points) - 1)
        (x0, y0), (x1, y1) = points[max(0, index - 1)], points[max(1, index)]
        return y0 + (moved - x0) * (y1 - y0) / (x1 - x0)


def load(path: Path = H100) -> Calibration:
    device, rows = read_rows(path)

    def all_of(name: str) -> list[Row]:
        if name not in rows:
            raise CalibrationError(path, f"benchmark {name} is missing")
        return rows[name]

    def value(name: str, x: float, y: float | None = None) -> float:
        for row in all_of(name):
            if row[0] == x and y in (None, row[1]):
                return row[2]
        raise CalibrationError(path, f"benchmark {name} lacks x = {x:g}")

    return _derived(device, all_of, value)


def _derived(
    device: str, all_of: Callable[[str], list[Row]], value: Callable[..., float]
) -> Calibration:
    clock = min(row[2] for row in all_of("clock"))
    multiprocessors = int(value("multiprocessors", 0))
    launch = value("launch_empty", 1)
    many, most = 67584, 270336
    block_us = (value("launch_blocks", 256, most) - value("launch_blocks", 256, many)) / (
        most - many
    )

    def rate(name: str, x: float) -> float:
        """y for each microsecond."""
        y = next(row[1] for row in all_of(name) if row[0] == x)
        return y / (value(name, x) - launch)

    def walk_ns(name: str) -> float:
        """Latency of one load: a warp on each multiprocessor reads everything, load after load."""
        moved = next(row[1] for row in all_of(name) if row[0] == 1)
        return (value(name, 1) - launch) * 1e3 / (moved / (multiprocessors * 128))

    lanes = [row for row in all_of("barrier") if row[1] == 1]
    (least, _, alone), (threads, _, together) = min(lanes), max(lanes)
    per_warp = (together - alone) / ((threads - least) / 32)
    atomics = next(row[1] for row in all_of("atomic_in_turn") if row[0] == 1)
    return Calibration(
        device=device,
        multiprocessors=multiprocessors,
        clock=clock,
        launch_us=launch,
        events_us=value("launch_nothing_at_all", 0),
        blocks_per_us=1 / block_us,
        stream_us=tuple((x, us - launch) for x, _, us in all_of("copy_each_16") if us > launch + 1),
        l2_fits_bytes=_fits(all_of("copy_each_16"), launch),
        l2_bytes_per_us=rate("l2_read", 16 << 20),
        l2_bytes_per_us_of_one=64 * clock,  # a sector pair in each cycle; not measured
        l1_latency_ns=value("chase", 16384),
        l2_latency_ns=walk_ns("walk_1_l2"),
        dram_latency_ns=walk_ns("walk_1_dram"),
        shared_latency_ns=value("chase_shared", 0),
        atomic_latency_ns=value("chase_atomic", 0),
        shuffle_latency_ns=(value("shuffle", 1) - launch) / 4096 * 1e3,
        instructions_per_cycle=rate("ffma_4", 64) / clock,
        cycles_per_step=(value("ffma_1", 1) - launch) * clock / 4096,
        cycles_per_wavefront=_wavefront(all_of, launch, clock),
        cycles_per_line=clock / (rate("l1_read", 32) * 32),
        barrier_ns=alone,
        barrier_ns_per_warp=per_warp,
        atomic_pass_ns=(value("atomic_in_turn", 1) - launch) * 1e3 / atomics,
        float_atomic_pass_ns=(value("atomic_in_turn_float", 1) - launch) * 1e3 / atomics,
        atomic_passes_per_us=rate("atomic_in_turn", 1 << 20) / 8,
        # 256 addresses are 32 sectors; each lane's operation is a pass.
        sectors_per_slice=32
        * (value("atomic_one_for_a_warp", 256) - launch)
        / (value("atomic_one_for_a_warp", 1) - launch),
    )


def _wavefront(all_of: Callable[[str], list[Row]], launch: float, clock: float) -> float:
    """Of 64 warps that read without conflicts."""
    _, requests, us = max(row for row in all_of("shared_read") if row[0] == 1)
    return (us - launch) * clock / requests


def _fits(rows: list[Row], launch: float) -> float:
    """The size beyond which a copy's rate falls by a tenth."""
    best = 0.0
    fits = 0.0
    for moved, _, us in sorted(rows):
        rate = moved / max(us - launch, 1e-3)
        if us > launch + 1 and rate >= 0.9 * best:
            best, fits = max(best, rate), moved
    return fits
