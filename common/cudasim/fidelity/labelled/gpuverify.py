"""The CUDA tests of GPUVerify (Betts, Chong, Donaldson, Qadeer and Thomson, OOPSLA 2012).

A test is a kernel without a main(). Its first lines are comments: the expected result, the sizes
of block and grid, and patterns of the expected messages, `x = 185` for a parameter in a
counterexample among them. GPUVerify proves a kernel for all arguments; here it runs with two
tuples of them: scalars drawn from the seed, then zeros, where no `__requires` says otherwise.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from common.cudasim.fidelity.labelled.model import Label, Program, SuitesError

NAME = "gpuverify"
TITLE = "GPUVerify's CUDA tests"
SOURCE = "https://github.com/mc-imperial/gpuverify"
MARKER = Path("testsuite/CUDA")
HERE = Path(__file__).absolute().parent

Block = tuple[int, int, int]  # or a grid: x, y, z

MAX_THREADS = 1024  # of a block, on a GPU; some tests have more
LABELS = {
    "pass": Label.CLEAN,
    "xfail:NOT_ALL_VERIFIED": Label.ERROR,
    "xfail:CLANG_ERROR": Label.COMPILE_ERROR,
}
# Of an assertion, what speaks of this thread's values only.
NO_GHOSTS = {"__implies", "__enabled", "__all"}


@dataclass(frozen=True)
class Header:
    """A test's first lines."""

    expected: str  # pass, xfail:CODE
    block: Block = (1, 1, 1)
    grid: Block = (1, 1, 1)
    defines: tuple[str, ...] = ()
    counterexample: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Kernel:
    """A kernel's name, parameters and the conditions that its `__requires` state."""

    name: str
    parameters: tuple[str, ...]
    conditions: tuple[str, ...]


def read_header(text: str, where: str) -> Header:
    """Parses the first lines. Raises SuitesError if they are not those of a test."""
    lines = text.splitlines()
    expected = re.match(r"//(pass|xfail):?(\w*)\s*$", lines[0] if lines else "", re.IGNORECASE)
    if not expected or len(lines) < 2 or not lines[1].startswith("//"):
        raise SuitesError(
            f"no header of a test: {where}", f"give an unchanged checkout of {SOURCE}"
        )
    code = f":{expected[2].upper()}" if expected[2] else ""
    counterexample = {}
    for line in lines[2:]:
        if not line.startswith("//"):
            break
        value = re.fullmatch(r"//(\w+) = (-?\d+)", line.strip())
        if value:
            counterexample[value[1]] = value[2]
    options = lines[1]
    return Header(
        expected[1].lower() + code,
        sizes(options, "blockDim"),
        sizes(options, "gridDim"),
        tuple(re.findall(r"(?<=\s)(-D\S+)", options)),
        counterexample,
    )


def sizes(options: str, name: str) -> Block:
    """`--blockDim=64` or `--blockDim=[8,8]`; 1 for what is not given."""
    given = re.search(rf"--{name}=\[?([\d,]+)", options)
    numbers = [int(number) for number in given[1].split(",")] if given else []
    x, y, z = [*numbers, 1, 1, 1][:3]
    return x, y, z


def fit(block: Block) -> Block:
    """The block, made smaller where no GPU has so large a one."""
    x = min(block[0], MAX_THREADS)
    y = min(block[1], MAX_THREADS // x)
    return x, y, min(block[2], MAX_THREADS // (x * y), 64)


def read_kernels(text: str) -> list[Kernel]:
    text = without_comments(text)
    found = list(re.finditer(r"__global__\s+void\s+(\w+)\s*\(([^)]*)\)\s*\{", text))
    kernels = []
    ends = [kernel.start() for kernel in found[1:]] + [len(text)]
    for kernel, end in zip(found, ends, strict=False):
        body = text[kernel.end() : end]
        parameters = [part for part in kernel[2].split(",") if part.strip() not in ("", "void")]
        kernels.append(
            Kernel(
                kernel[1],
                tuple(re.findall(r"\w+", parameter)[-1] for parameter in parameters),
                tuple(calls(body, "__requires") + calls(body, "__assume")),
            )
        )
    return kernels


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def calls(text: str, name: str) -> list[str]:
    """The arguments, as text, of each call of the function."""
    arguments = []
    for call in re.finditer(rf"\b{name}\s*\(", text):
        depth, end = 1, call.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        arguments.append(text[call.end() : end - 1].strip())
    return arguments


def has_ghosts(text: str) -> bool:
    """True if an assertion speaks of other threads, or of accesses made so far."""
    return any(
        word not in NO_GHOSTS
        for asserted in calls(without_comments(text), "__assert")
        for word in re.findall(r"\b__\w+", asserted)
    )


def bounds(kernel: Kernel, block: Block) -> dict[str, list[tuple[str, str]]]:
    """The comparisons that conditions state, by parameter: `("==", "143")`.

    Of alternatives, `a == 1 | a == 2`, the first. Raises ValueError for any other condition.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for condition in kernel.conditions:
        first = condition.split("|")[0].strip()
        comparison = re.fullmatch(r"(\w+)\s*(==|!=|<=|>=|<|>)\s*([\w.]+)", first)
        if not comparison or comparison[1] not in kernel.parameters:
            raise ValueError(condition)
        value = {"blockDim.x": str(block[0])}.get(comparison[3], comparison[3])
        found.setdefault(comparison[1], []).append((comparison[2], value))
    return found


def choose(comparisons: list[tuple[str, str]], draw: int) -> str:
    """A value for which the comparisons hold: the draw, if it is one."""
    low, high, excluded = None, None, set()
    for operator, value in comparisons:
        if operator == "==":
            return value
        number = int(value)
        if operator == "!=":
            excluded.add(number)
        elif operator in (">", ">="):
            low = number + (operator == ">")
        else:
            high = number - (operator == "<")
    low = low if low is not None else min(0, high or 0)
    high = high if high is not None else low + 100
    chosen = min(max(draw, low), high)
    while chosen in excluded:
        chosen += 1
    return str(chosen)


def programs(folder: Path, seed: int) -> list[Program]:
    """All tests of a checkout."""
    root = folder / MARKER
    return [program(source, root, seed) for source in sorted(root.rglob("*.cu"))]


def program(source: Path, root: Path, seed: int) -> Program:
    name = source.relative_to(root).as_posix()
    name = name.removesuffix("/kernel.cu")
    text = source.read_text(errors="replace")
    header = read_header(text, str(source))
    label = LABELS.get(header.expected)
    if label is None:
        why = f"its label {header.expected} is about GPUVerify's own translation"
        return Program(NAME, name, Label.ERROR, not_run=why)
    kernels = read_kernels(text)
    if not kernels:
        return Program(NAME, name, label, not_run="it has no kernel")
    if calls(text, "__axiom"):
        return Program(NAME, name, label, not_run="its axiom restricts it to some of its threads")
    block = fit(header.block)
    random = Random(f"{seed} {name}")  # noqa: S311
    try:
        values = [choices(kernel, header, block, random) for kernel in kernels]
    except ValueError as condition:
        return Program(NAME, name, label, not_run=f"no arguments meet __requires({condition})")
    ghosts = has_ghosts(text)
    return Program(
        NAME,
        name,
        label,
        sources=(Path("main.cu"),),
        flags=(*header.defines, f"-I{HERE}", *(["-DHAS_GHOSTS"] if ghosts else [])),
        files={
            "main.cu": harness(source, header, block, list(zip(kernels, values, strict=True)), seed)
        },
        note=note(header, block, values, ghosts),
    )


def note(header: Header, block: Block, values: list[list[Values]], ghosts: bool) -> str:
    """What was chosen, and what is not checked."""
    given = [one for tuples in values for decided in tuples for one in decided.items()]
    return "; ".join(
        [
            *([f"block {block} for {header.block}"] if block != header.block else []),
            *(f"{name} = {value}" for name, value in dict.fromkeys(given)),
            *(["assertions not checked"] if ghosts else []),
        ]
    )


Values = dict[str, str]


def choices(kernel: Kernel, header: Header, block: Block, random: Random) -> list[Values]:
    """For each tuple of arguments the parameters that a header or a condition decides."""
    stated = bounds(kernel, block)
    tuples = []
    for draw in (random.randrange(1, 100), 0):
        values = {name: choose(comparisons, draw) for name, comparisons in stated.items()}
        given = {n: v for n, v in header.counterexample.items() if n in kernel.parameters}
        tuples.append(values | given)
    return tuples


def harness(
    source: Path,
    header: Header,
    block: Block,
    kernels: list[tuple[Kernel, list[Values]]],
    seed: int,
) -> str:
    """A main() that launches each kernel with each tuple of arguments."""
    cooperative = "true" if "grid_group" in source.read_text(errors="replace") else "false"
    lines = [
        '#include "harness.h"',
        "// After it, as the test may define macros of any name.",
        '#include "annotations.h"',
        f'#include "{source}"',
        "int main() {",
        f"  labelled::Random random({seed});",
        f"  const dim3 grid{header.grid}, block{block};",
    ]
    for kernel, tuples in kernels:
        for zeros, values in zip(("false", "true"), tuples, strict=True):
            made = f"labelled::NewArguments({kernel.name}, random, {zeros})"
            lines += ["  {", f"    auto given = {made};"]
            for name, value in values.items():
                lines.append(f"    std::get<{kernel.parameters.index(name)}>(given) = {value};")
            launch = f"labelled::Launch({kernel.name}, grid, block, {cooperative}, given);"
            lines += [f"    {launch}", "  }"]
    return "\n".join([*lines, "}", ""])
