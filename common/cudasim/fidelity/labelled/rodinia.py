"""The CUDA programs of Rodinia (Che et al., IISWC 2009). The suite calls none of them racy.

Each runs once, on a small input. Rodinia's own data are a separate download; where a program reads
a file, a small one of the same format is generated from the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from common.cudasim.fidelity.labelled.model import Label, Program

NAME = "rodinia"
TITLE = "Rodinia's CUDA programs"
SOURCE = "https://github.com/yuhc/gpu-rodinia"
MARKER = Path("cuda/bfs")

Files = dict[str, str]


def lines(values: Iterable[object]) -> str:
    return "".join(f"{value}\n" for value in values)


def graph(random: Random) -> Files:
    """Vertices; first edge and degree of each; the source; edges; end and cost of each."""
    vertices = 300
    degrees = [random.randrange(1, 6) for _ in range(vertices)]
    starts = [sum(degrees[:vertex]) for vertex in range(vertices)]
    edges = [f"{random.randrange(vertices)} {random.randrange(1, 10)}" for _ in range(sum(degrees))]
    nodes = [f"{start} {degree}" for start, degree in zip(starts, degrees, strict=True)]
    return {"graph.txt": lines([vertices, *nodes, "", 0, "", len(edges), *edges])}


def temperatures(cells: int) -> Callable[[Random], Files]:
    """A temperature and a power for each cell."""

    def write(random: Random) -> Files:
        return {
            "temperature": lines(323 + random.random() for _ in range(cells)),
            "power": lines(random.random() / 100 for _ in range(cells)),
        }

    return write


def keys(_: Random) -> Files:
    """The number of keys and the keys; commands for 200 look-ups and 100 ranges of 5."""
    return {"keys.txt": lines([2000, *range(1, 2001)]), "commands.txt": "j 100 5\nk 200\n"}


def domain(random: Random) -> Files:
    """Cells on a ring: an area, and four neighbours, each with the normal of its face."""
    cells = 150

    def cell(index: int) -> str:
        neighbours = [(index + step) % cells + 1 for step in (-1, 1)] + [-1, -2]
        faces = (
            f"{neighbour} {' '.join(f'{random.uniform(-1, 1):.6f}' for _ in range(3))}"
            for neighbour in neighbours
        )
        return f"{1 + random.random():.6f} {' '.join(faces)}"

    return {"domain.txt": lines([cells, *map(cell, range(cells))])}


def pixels(count: int) -> Callable[[Random], Files]:
    """One character for each component of a pixel."""
    return lambda random: {
        "image.rgb": "".join(chr(random.randrange(32, 127)) for _ in range(count))
    }


def gray_image(random: Random) -> Files:
    """The program has the path and the size, 502 by 458."""
    values = lines(random.randrange(256) for _ in range(502 * 458))
    return {"../../../data/srad/image.pgm": f"P2\n458 502\n255\n{values}"}


def letters(random: Random) -> Files:
    """Text of 64 KiB, in which some letters are frequent."""
    return {"text.txt": "".join(random.choice("aaaaaabbbbccd") for _ in range(1 << 16))}


def floats(random: Random) -> Files:
    """Numbers, and the headers of OpenGL, which the sources include but do not use."""
    headers = {"GL/glew.h": "", "GL/glut.h": "", "cuda_gl_interop.h": ""}
    return headers | {"floats.txt": lines(f"{random.random():.6f}" for _ in range(20000))}


def points(random: Random) -> Files:
    """A number and eight features for each point."""
    return {
        "points.txt": lines(
            f"{index} " + " ".join(f"{random.random():.3f}" for _ in range(8))
            for index in range(400)
        )
    }


def hurricanes(random: Random) -> Files:
    """Records of 49 characters: columns 28 to 32 and 33 to 37 have latitude and longitude."""
    records = (
        f"{'1990 1 1 0 1 NAME':28}{random.uniform(7, 60):5.1f}{random.uniform(0, 99):5.1f}{'':10}"
        for _ in range(500)
    )
    return {"list": "records.db\n", "records.db": lines(records)}


def nothing(_: Random) -> Files:
    return {}


@dataclass(frozen=True)
class Entry:
    """A program: its folder under `cuda`, sources and options from its makefile, a small run."""

    name: str
    folder: str
    sources: str = ""
    arguments: str = ""
    options: str = ""
    files: Callable[[Random], Files] = nothing
    missing: str = ""  # a data file that this command cannot generate


ENTRIES = [
    Entry(
        "b+tree",
        "b+tree",
        "main.c kernel/kernel_gpu_cuda_wrapper.cu kernel/kernel_gpu_cuda_wrapper_2.cu"
        " util/timer/timer.c util/num/num.c util/cuda/cuda.cu",
        "file keys.txt command commands.txt",
        files=keys,
    ),
    Entry("backprop", "backprop", "backprop.c facetrain.c imagenet.c backprop_cuda.cu", "64"),
    Entry("bfs", "bfs", "bfs.cu", "graph.txt", files=graph),
    *(
        Entry(f"cfd {name}", "cfd", f"{name}.cu", "domain.txt", "-I{cuda}/hybridsort", domain)
        for name in ("euler3d", "euler3d_double", "pre_euler3d", "pre_euler3d_double")
    ),
    Entry(
        "dwt2d",
        "dwt2d",
        "main.cu dwt.cu components.cu dwt_cuda/fdwt53.cu dwt_cuda/fdwt97.cu dwt_cuda/common.cu"
        " dwt_cuda/rdwt97.cu dwt_cuda/rdwt53.cu",
        "image.rgb -d 128x128 -f -5 -l 2",
        "-I{folder}",
        pixels(128 * 128 * 3),
    ),
    Entry("gaussian", "gaussian", "gaussian.cu", "-s 40 -q"),
    Entry("heartwall", "heartwall", missing="data/heartwall/test.avi"),
    Entry(
        "hotspot",
        "hotspot",
        "hotspot.cu",
        "64 2 4 temperature power output",
        files=temperatures(64 * 64),
    ),
    Entry(
        "hotspot3D",
        "hotspot3D",
        "3D.cu",
        "64 4 4 power temperature output",
        files=temperatures(64 * 64 * 4),
    ),
    Entry(
        "huffman",
        "huffman",
        "main_test_cu.cu stats_logger.cpp vlc_kernel_sm64huff.cu scan.cu pack_kernels.cu"
        " cpuencode.cpp",
        "text.txt",
        files=letters,
    ),
    Entry(
        "hybridsort",
        "hybridsort",
        "bucketsort.cu mergesort.cu main.cu",
        "floats.txt",
        "-I.",
        floats,
    ),
    Entry(
        "kmeans",
        "kmeans",
        "cluster.c getopt.c kmeans.c kmeans_clustering.c kmeans_cuda.cu rmse.c",
        "-o -i points.txt",
        "-Xcompiler -fopenmp",
        points,
    ),
    Entry(
        "lavaMD",
        "lavaMD",
        "main.c kernel/kernel_gpu_cuda_wrapper.cu util/num/num.c util/timer/timer.c"
        " util/device/device.cu",
        "-boxes1d 2",
        "-Xcompiler -fopenmp",
    ),
    Entry("leukocyte", "leukocyte/CUDA", missing="data/leukocyte/testfile.avi"),
    Entry(
        "lud",
        "lud/cuda",
        "lud.cu lud_kernel.cu ../common/common.c",
        "-s 64",
        "-I{folder}/../common",
    ),
    Entry("mummergpu", "mummergpu/src", missing="data/mummergpu/NC_003997.fna"),
    Entry("myocyte", "myocyte", missing="data/myocyte/y.txt"),
    Entry("nn", "nn", "nn_cuda.cu", "list -r 5 -lat 30 -lng 90", files=hurricanes),
    Entry("nw", "nw", "needle.cu", "64 10"),
    *(
        Entry(
            f"particlefilter {name}",
            "particlefilter",
            f"ex_particle_CUDA_{name}_seq.cu",
            "-x 32 -y 32 -z 3 -np 600",
        )
        for name in ("naive", "float")
    ),
    Entry("pathfinder", "pathfinder", "pathfinder.cu", "1000 20 4"),
    Entry("srad_v1", "srad/srad_v1", "main.cu", "2 0.5 64 64", files=gray_image),
    Entry("srad_v2", "srad/srad_v2", "srad.cu", "64 64 0 31 0 31 0.5 2"),
    Entry(
        "streamcluster",
        "streamcluster",
        "streamcluster_cuda_cpu.cpp streamcluster_cuda.cu",
        "3 10 3 64 64 10 none output.txt 1",
    ),
]


def programs(folder: Path, seed: int) -> list[Program]:
    """All programs of a checkout."""
    return [program(entry, folder / "cuda", seed) for entry in ENTRIES]


def program(entry: Entry, cuda: Path, seed: int) -> Program:
    if entry.missing:
        why = f"needs the data file {entry.missing}, which this command cannot generate"
        return Program(NAME, entry.name, Label.CLEAN, not_run=why)
    folder = cuda / entry.folder
    return Program(
        NAME,
        entry.name,
        Label.CLEAN,
        sources=tuple(folder / source for source in entry.sources.split()),
        flags=tuple(entry.options.format(folder=folder, cuda=cuda).split()),
        arguments=tuple(entry.arguments.split()),
        files=entry.files(Random(seed)),  # noqa: S311
        note=entry.arguments,
    )
