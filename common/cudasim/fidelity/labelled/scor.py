"""ScoR (Kamath, George and Basu, ISCA 2020): programs with and without races of a scope.

Its microbenchmarks are named `race_*` and `norace_*`; each of its benchmarks is one program with
and one without `-DRACEY`. The benchmarks read sizes and values from standard input, and their
makefiles name the sources and the macros for the sizes of grid and block.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from common.cudasim.fidelity.labelled.model import Label, Program, SuitesError

NAME = "scor"
TITLE = "ScoR"
SOURCE = "https://github.com/csl-iisc/ScoR"
MARKER = Path("microbenchmarks/src")


def numbers(values: Iterable[int]) -> str:
    return " ".join(map(str, values)) + "\n"


def graph(random: Random) -> str:
    """Vertices, edges, and each edge's ends, the lower one first."""
    vertices = 600
    edges = sorted({tuple(sorted(random.sample(range(vertices), 2))) for _ in range(1500)})
    return numbers([vertices, len(edges), *(end for edge in edges for end in edge)])


def convolution(random: Random) -> str:
    """The sizes of filter and array, and their values."""
    return numbers([9, 700, *(random.randrange(1, 9) for _ in range(709))])


def matrices(random: Random) -> str:
    """Rows of A, columns of A, columns of B, and both matrices by rows."""
    rows, middle, columns = 4, 150, 40
    values = (random.randrange(10) for _ in range(rows * middle + middle * columns))
    return numbers([rows, middle, columns, *values])


def reduction(random: Random) -> str:
    return numbers([8192, *(random.randrange(100) for _ in range(8192))])


def automaton(random: Random) -> str:
    """Cells, steps, and the first state."""
    return numbers([500, 2, *(random.randrange(2) for _ in range(500))])


def tree(random: Random) -> str:
    """The tree's height, the average number of children, and a seed."""
    return numbers([4, 3, random.randrange(1, 255)])


@dataclass(frozen=True)
class Benchmark:
    """Smaller grids than the makefile's, where those would take minutes."""

    blocks: int
    threads: int
    input: Callable[[Random], str]


BENCHMARKS = {
    "1dconv": Benchmark(3, 128, convolution),
    "graph-coloring": Benchmark(4, 64, graph),
    "graph-connectivity": Benchmark(4, 64, graph),
    "matrix-multiplication": Benchmark(8, 64, matrices),
    "reduction": Benchmark(4, 512, reduction),
    "rule-110": Benchmark(3, 64, automaton),
    "uts": Benchmark(4, 64, tree),
}


def programs(folder: Path, seed: int) -> list[Program]:
    """All programs of a checkout."""
    small = [
        Program(
            NAME,
            source.stem,
            Label.RACE if source.stem.startswith("race_") else Label.CLEAN,
            sources=(source,),
        )
        for source in sorted((folder / MARKER).glob("*.cu"))
    ]
    large = [
        benchmark(makefile, racy, seed)
        for makefile in sorted((folder / "benchmarks").glob("*/Makefile"))
        for racy in (False, True)
    ]
    return small + large


def benchmark(makefile: Path, racy: bool, seed: int) -> Program:
    name = makefile.parent.name
    label = Label.RACE if racy else Label.CLEAN
    title = f"{name}{' RACEY' if racy else ''}"
    if name not in BENCHMARKS:
        return Program(NAME, title, label, not_run="this command has no input for it")
    files = re.search(r"^FILES\s*:?=\s*(.*)$", makefile.read_text(), re.MULTILINE)
    if not files:
        raise SuitesError(f"no FILES in {makefile}", f"give a checkout of {SOURCE}")
    size = BENCHMARKS[name]
    flags = [f"-DNBLOCKS={size.blocks}", f"-DNTHREADS={size.threads}"]
    return Program(
        NAME,
        title,
        label,
        sources=tuple(makefile.parent / file for file in files[1].split()),
        flags=(*flags, *(["-DRACEY"] if racy else [])),
        input=size.input(Random(seed)),  # noqa: S311
        note=f"{size.blocks} blocks of {size.threads} threads",
    )
