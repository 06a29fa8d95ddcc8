"""Counts and times the calls of solutions/*/bench/workload.cc, for the reference and the samples of
each CUDA lab. From the repository's root; needs only Python, a toolkit and the simulator's folder.

samples.py count|time|all KIT OUT [--jobs N] [--within-s S] [--count-s S] [--ncu-s S] [--only TEXT]

KIT holds `samples`, made by `bazel run //grader -- samples expand --out KIT/samples`, and
`cudasim`, a copy of bazel-bin/common/cudasim/driver/cudasim.

`count` writes OUT/counts.jsonl.gz, a line for each call with what profile mode counts for its
kernels, OUT/registers.jsonl, and OUT/predictions.csv, which the model makes of these two. Calls of
a sample that count the same as the reference's in the smallest size are left out in all sizes.
`time` reads OUT/counts.jsonl.gz and makes the calls on a GPU, those that count the same once:
OUT/times.csv, and OUT/ncu.csv for the middle sizes. `all` does both, one after the other.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common.cudasim.predict.evaluate import fingerprint, read_counts, write_predictions
from common.cudasim.predict.instructions import blocks_of, instructions
from common.cudasim.predict.registers import named

MEASURE = Path("common/cudasim/predict/measure")
VERDICTS = ("accepted", "too_slow")
REFERENCE = "reference"
CALL_LIMIT_S = 150.0
_COMMON = ("common/sparse/matrix.cc", "common/sparse/formats.cc")


@dataclass(frozen=True)
class Sample:
    lab: str
    name: str  # "accepted/NAME", or REFERENCE
    source: Path


@dataclass(frozen=True)
class Toolchain:
    """How objects are compiled and linked."""

    compile: tuple[str, ...]
    link: tuple[str, ...]
    launches: str  # the file of measure/ that sees the launches


@dataclass
class Run:
    """Where the work is done and when it must be over, on the clock of time.monotonic()."""

    kit: Path
    out: Path
    jobs: int
    end: float
    work: Path
    failures: list[str] = field(default_factory=list)

    def left_s(self) -> float:
        return self.end - time.monotonic()


def samples_of(kit: Path, only: str) -> list[Sample]:
    found = []
    for workload in sorted(Path("solutions").glob("*/bench/workload.cc")):
        lab = workload.parts[1]
        [reference] = (kit / "samples" / lab).glob("*.cu")
        found.append(Sample(lab, REFERENCE, reference))
        for verdict in VERDICTS:
            for source in sorted((kit / "samples" / lab / verdict).glob("*.cu")):
                found.append(Sample(lab, f"{verdict}/{source.stem}", source))
    return [
        sample
        for sample in found
        if only in f"{sample.lab}/{sample.name}"
        or (sample.name == REFERENCE and only.startswith(sample.lab))
    ]


def toolchain(mode: str, kit: Path) -> Toolchain:
    if mode == "count":
        driver = str(kit / "cudasim/bin/cudasim-cc")
        return Toolchain(
            (driver, "-std=c++20", "-profile", "-I."), (driver, "-profile"), "counted_launches.cc"
        )
    text = subprocess.run(
        ["bash", "-c", f"source {MEASURE}/nvcc_options.sh; printf '%s\\n' \"${{OPTIONS[@]}}\" "
         "-- \"${WRAPPED[@]}\""],
        capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    options, wrapped = (part.split() for part in text.split("--\n", 1))
    nvcc = "nvcc" if _has("nvcc") else "/usr/local/cuda/bin/nvcc"
    return Toolchain(
        (nvcc, *options, "-Xptxas", "-v"), (nvcc, *options, *wrapped), "timed_launches.cu"
    )


def _has(program: str) -> bool:
    return any((Path(folder) / program).exists() for folder in os.environ["PATH"].split(":"))


def _build(command: Sequence[str | Path], run: Run) -> str:
    """The compiler's output."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, timeout=max(1, run.left_s()))
    if done.returncode != 0:
        raise RuntimeError(f"{shlex.join(words)}\n{done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stderr


def object_of(source: Path, tools: Toolchain, run: Run, name: str) -> Path:
    made = run.work / f"{name.replace('/', '.')}.o"
    Path(f"{made}".removesuffix(".o") + ".log").write_text(
        _build([*tools.compile, "-c", "-o", made, source], run)
    )
    return made


def _shared_objects(samples: Sequence[Sample], tools: Toolchain, run: Run) -> dict[str, list[Path]]:
    """What every program of a lab is linked from, besides the sample."""
    common = [MEASURE / "workload.cc", MEASURE / tools.launches]
    common += [path for pattern in _COMMON for path in sorted(Path().glob(pattern))]
    labs = sorted({sample.lab for sample in samples})
    with ThreadPoolExecutor(run.jobs) as pool:
        of_labs = {
            lab: pool.submit(
                object_of, Path(f"solutions/{lab}/bench/workload.cc"), tools, run, f"{lab}.workload"
            )
            for lab in labs
        }
        shared = [pool.submit(object_of, path, tools, run, f"common.{path}") for path in common]
        return {
            lab: [made.result(), *(each.result() for each in shared)]
            for lab, made in of_labs.items()
        }


def _name(sample: Sample) -> str:
    return f"{sample.lab}.{sample.name.replace('/', '.')}"


def _program(sample: Sample, shared: Sequence[Path], tools: Toolchain, run: Run) -> Path:
    name = _name(sample)
    made = run.work / name
    if made.exists():
        return made
    _build([*tools.link, "-o", made, object_of(sample.source, tools, run, name), *shared], run)
    return made


def _labels(program: Path) -> list[str]:
    listed = subprocess.run([program], capture_output=True, check=True, text=True, timeout=60)
    return listed.stdout.split()


def _smallest_first(labels: Sequence[str]) -> dict[str, list[str]]:
    """The labels of each function, by size."""
    functions: dict[str, list[str]] = {}
    for label in labels:
        functions.setdefault(label.rsplit("_", 1)[0], []).append(label)
    return functions


def count_calls(
    program: Path, labels: Sequence[str], run: Run, limit_s: float = CALL_LIMIT_S
) -> dict[str, list[dict[str, Any]]]:
    """What the kernels of each call count; a call that fails is left out."""
    with tempfile.TemporaryDirectory(dir=run.work) as folder:
        environment = {"CUDASIM_PROFILE": f"{folder}/profile", "PREDICT_FOLDER": folder}
        try:
            done = subprocess.run(
                [program, *labels],
                capture_output=True,
                env=os.environ | environment,
                text=True,
                timeout=max(1, min(limit_s, run.left_s())),
            )
            if done.returncode != 0:
                run.failures.append(f"{program.name} {labels}: {done.stderr[-300:]}")
        except subprocess.TimeoutExpired:
            run.failures.append(f"{program.name} {labels}: no end")
        found = {
            path.stem: json.loads(path.read_text())["kernels"]
            for path in Path(folder).glob("*.json")
        }
    blocks = blocks_of(
        program, (o for kernels in found.values() for k in kernels for o, _ in k["basic_blocks"])
    )
    return {
        label: [_kept(kernel, instructions(kernel, blocks)) for kernel in kernels]
        for label, kernels in found.items()
    }


_KEPT = ("kernel", "grid", "block", "dynamic_shared_bytes", "launches")


def _kept(kernel: dict[str, Any], arithmetic: dict[str, int]) -> dict[str, Any]:
    """The fields of a kernel of the profile that a prediction needs."""
    kept = {key: kernel[key] for key in _KEPT}
    counters = {key: value for key, value in kernel["counters"].items() if value != 0}
    return kept | {"counters": counters, "instructions": arithmetic}


def _same(left: list[dict[str, Any]], right: list[dict[str, Any]]) -> bool:
    def costs(kernels: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{key: value for key, value in k.items() if key != "kernel"} for k in kernels]

    return costs(left) == costs(right)


def _each(items: Sequence[Any], act: Callable[[Any], Any], run: Run) -> Iterator[Any]:
    """What `act` returns, as it comes; failures are noted."""
    with ThreadPoolExecutor(run.jobs) as pool:
        futures = [pool.submit(act, item) for item in items]
        for future in as_completed(futures):
            try:
                yield future.result()
            except (RuntimeError, ValueError, OSError, subprocess.SubprocessError) as error:
                run.failures.append(str(error))


def _build_for_gpu(samples: Sequence[Sample], run: Run) -> list[tuple[Sample, Path]]:
    """The programs; writes what their kernels' registers are."""
    tools = toolchain("time", run.kit)
    shared = _shared_objects(samples, tools, run)

    def build(sample: Sample) -> tuple[Sample, Path, dict[str, list[int]]]:
        program = _program(sample, shared[sample.lab], tools, run)
        return sample, program, named((run.work / f"{_name(sample)}.log").read_text())

    built = list(_each(samples, build, run))
    with (run.out / "registers.jsonl").open("w") as file:
        for sample, _, registers in built:
            entry = {"lab": sample.lab, "sample": sample.name, "registers": registers}
            file.write(json.dumps(entry) + "\n")
    return sorted(((sample, program) for sample, program, _ in built), key=lambda x: _name(x[0]))


def count(samples: Sequence[Sample], run: Run, gpu: Run) -> None:
    tools = toolchain("count", run.kit)
    shared = _shared_objects(samples, tools, run)
    print(f"shared objects: {run.left_s():.0f} s left", flush=True)
    lines: list[dict[str, Any]] = []

    def smallest(sample: Sample) -> tuple[Sample, Path, dict[str, list[dict[str, Any]]]]:
        program = _program(sample, shared[sample.lab], tools, run)
        first = [sizes[0] for sizes in _smallest_first(_labels(program)).values()]
        return sample, program, count_calls(program, first, run)

    begun = list(_each(samples, smallest, run))
    print(f"{len(begun)} programs: {run.left_s():.0f} s left", flush=True)
    references = {s.lab: counted for s, _, counted in begun if s.name == REFERENCE}
    calls: list[tuple[int, Sample, Path, str]] = []
    for sample, program, counted in begun:
        functions = _smallest_first(_labels(program))
        for label, kernels in counted.items():
            is_reference = sample.name == REFERENCE
            if not is_reference and _same(kernels, references.get(sample.lab, {}).get(label, [])):
                continue
            lines.append(_line(sample, label, kernels))
            others = functions[label.rsplit("_", 1)[0]][1:]
            calls += [(size, sample, program, other) for size, other in enumerate(others)]
    calls.sort(key=lambda call: call[0])
    print(f"{len(calls)} larger calls", flush=True)

    _build_for_gpu([sample for sample, _, _ in begun], gpu)
    print(f"compiled for a GPU: {run.left_s():.0f} s left", flush=True)

    def larger(call: tuple[int, Sample, Path, str]) -> dict[str, Any]:
        _, sample, program, label = call
        return _line(sample, label, count_calls(program, [label], run).get(label, []))

    lines += [line for line in _each(calls, larger, run) if line["kernels"]]
    with gzip.open(run.out / "counts.jsonl.gz", "wt") as file:
        for line in sorted(lines, key=lambda x: (x["lab"], x["sample"], x["label"])):
            file.write(json.dumps(line) + "\n")
    print(f"{len(lines)} calls counted, {run.left_s():.0f} s left", flush=True)
    write_predictions(run.out)


def _line(sample: Sample, label: str, kernels: list[dict[str, Any]]) -> dict[str, Any]:
    return {"lab": sample.lab, "sample": sample.name, "label": label, "kernels": kernels}


def _calls_to_time(counted: list[dict[str, Any]]) -> dict[tuple[str, str], list[str]]:
    """The labels of each sample. Calls that count the same in several samples are timed in one."""
    wanted: dict[tuple[str, str], list[str]] = {}
    seen = set()
    for call in sorted(counted, key=lambda call: (call["sample"] != REFERENCE, call["sample"])):
        costs = tuple(fingerprint(kernel) for kernel in call["kernels"])
        if (call["lab"], call["label"], costs) not in seen:
            seen.add((call["lab"], call["label"], costs))
            wanted.setdefault((call["lab"], call["sample"]), []).append(call["label"])
    return wanted


def measure(samples: Sequence[Sample], run: Run, ncu_s: float) -> None:
    """Times the calls that were counted."""
    wanted = _calls_to_time(read_counts(run.out))
    samples = [sample for sample in samples if (sample.lab, sample.name) in wanted]
    made = _build_for_gpu(samples, run)
    # In an order that leaves out samples of all labs if time is short.
    made.sort(key=lambda pair: (pair[0].name != REFERENCE, zlib.crc32(_name(pair[0]).encode())))
    print(f"{len(made)} programs: {run.left_s():.0f} s left", flush=True)
    with (run.out / "times.csv").open("w") as file:
        file.write("lab,sample,label,kernel,grid,block,dynamic_shared,static_shared,registers,"
                   "launches,microseconds\n")  # fmt: skip
        for sample, program in made:
            if run.left_s() < ncu_s + 5:
                run.failures.append(f"{_name(sample)}: no time left")
                continue
            labels = wanted[sample.lab, sample.name]
            for text in _output([program, *labels], run, 40):
                if text.count(",") == 8:
                    file.write(f"{sample.lab},{sample.name},{text}\n")
            file.flush()
    print(f"timed: {run.left_s():.0f} s left", flush=True)
    _measure_with_ncu(made, wanted, run, time.monotonic() + min(ncu_s, run.left_s() - 5))


def _output(command: Sequence[str | Path], run: Run, limit_s: float, **more: str) -> list[str]:
    limit_s = max(1, min(limit_s, run.left_s()))
    try:
        done = subprocess.run(
            command, capture_output=True, env=os.environ | more, text=True, timeout=limit_s
        )
    except subprocess.TimeoutExpired as late:
        run.failures.append(f"{Path(command[0]).name} {command[-1]}: no end in {limit_s:.0f} s")
        return (late.stdout or b"").decode().splitlines()
    if done.returncode != 0:
        run.failures.append(f"{Path(command[0]).name}: {done.stderr[-300:]}")
    return done.stdout.splitlines()


def _measure_with_ncu(
    made: Sequence[tuple[Sample, Path]],
    wanted: dict[tuple[str, str], list[str]],
    run: Run,
    end: float,
) -> None:
    metrics = subprocess.run(
        ["bash", "-c", f"source {MEASURE}/nvcc_options.sh; echo $NCU_METRICS"],
        capture_output=True, check=True, text=True,
    ).stdout.strip()  # fmt: skip
    ncu = "ncu" if _has("ncu") else "/usr/local/cuda/bin/ncu"
    options = ["--clock-control", "none", "--cache-control", "none", "--csv", "--page", "raw"]
    options += ["--kernel-name-base", "function", "--launch-count", "120", "--metrics", metrics]
    with (run.out / "ncu.csv").open("w") as file:
        writer = csv.writer(file)
        for sample, program in made:
            if time.monotonic() > end:
                break
            functions = _smallest_first(sorted(wanted[sample.lab, sample.name], key=_size))
            labels = [sizes[len(sizes) // 2] for sizes in functions.values()]
            command: list[str | Path] = [ncu, *options, program, *labels]
            limit_s = min(25.0, end + 10 - time.monotonic())
            lines = _output(command, run, limit_s, PREDICT_REPETITIONS="1")
            rows = csv.reader(io.StringIO("\n".join(x for x in lines if x.startswith('"'))))
            writer.writerows([sample.lab, sample.name, *row] for row in rows)
            file.flush()


def _size(label: str) -> int:
    return int(label.rsplit("_", 1)[1])


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("mode", choices=("count", "time", "all"))
    parser.add_argument("kit", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--within-s", type=float, default=570)
    parser.add_argument("--count-s", type=float, default=570, help="seconds for counting at most")
    parser.add_argument("--ncu-s", type=float, default=240, help="seconds for ncu at most")
    parser.add_argument("--only", default="", help="labs and samples whose names contain this")
    given = parser.parse_args(arguments)
    samples = samples_of(given.kit.resolve(), given.only)
    given.out.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + given.within_s
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as work:
        runs = []
        for part in ("count", "time"):
            (Path(work) / part).mkdir()
            until = end if part == "time" else min(end, time.monotonic() + given.count_s)
            folder = Path(work) / part
            runs.append(Run(given.kit.resolve(), given.out, given.jobs, until, folder, failures))
        if given.mode != "time":
            count(samples, *runs)
        if given.mode != "count":
            measure(samples, runs[1], given.ncu_s)
    for failure in failures:
        print(f"failed: {failure}", file=sys.stderr)
    print(f"{len(failures)} failures")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
