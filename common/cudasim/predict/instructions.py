"""How many arithmetic instructions warps run, from the simulator's own code: for each basic block
the profile has the number of runs, and objdump lists the CPU's instructions in it. Those that a GPU
has no instruction for, and calls of mathematical functions, are counted by name: operations.py."""

import platform
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from common.cudasim.predict import aarch64, x86_64

_INSTRUCTION_SETS = {62: x86_64, 183: aarch64}  # by e_machine, the ELF header's bytes 18 and 19
_LINE = re.compile(r"^\s*([0-9a-f]+):\s+(?:lock |rep |notrack )?([a-z0-9.]+)\s*(.*)$")
_EXTENTS = range(0, 12, 4)  # of x, y and z in gridDim
KINDS = (
    *("multiplies", "additions", "double_multiplies", "double_additions", "floats", "conversions"),
    *("integers", "bitwise", "branches", "accesses", "calls"),
)
# Reads of gridDim, as in loops whose stride is the grid; it is not there where code does not tell.
GRID_EXTENTS = "grid_extents"


def _instruction_set(program: Path) -> ModuleType:
    with program.open("rb") as file:
        machine = int.from_bytes(file.read(20)[18:], "little")
    if machine not in _INSTRUCTION_SETS:
        raise ValueError(f"{program} is for machine {machine}, limit x86-64 (62) and aarch64 (183)")
    return _INSTRUCTION_SETS[machine]


def _objdump(instruction_set: ModuleType) -> str:
    """The program's name: that of a cross-compiler where the machine is another one."""
    is_cross = instruction_set is aarch64 and platform.machine() != "aarch64"
    return "aarch64-linux-gnu-objdump" if is_cross else "objdump"


def _places_of_grid(program: Path, instruction_set: ModuleType) -> frozenset[int]:
    """The places of gridDim, which is a variable of the thread, from the thread pointer: the linker
    knows them in a program. Empty if it does not."""
    headers = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True).stdout
    variables = re.search(r"^\s+TLS\s+(?:\S+\s+){4}0x(\w+)\s+R\s+0x(\w+)", headers, re.M)
    symbols = subprocess.run(["nm", program], capture_output=True, text=True).stdout
    grid = re.search(r"^(\w+) \w gridDim$", symbols, re.M)
    if variables is None or grid is None or " INTERP " not in headers:
        return frozenset()
    size, align = int(variables[1], 16), int(variables[2], 16)
    begin = instruction_set.place_of_variable(int(grid[1], 16), size, align)
    return frozenset(begin + extent for extent in _EXTENTS)


def _block(
    lines: Sequence[tuple[str, str]], instruction_set: ModuleType, grid: frozenset[int]
) -> Counter[str]:
    """What the basic block does that begins with the first line."""
    kinds: Counter[str] = Counter({GRID_EXTENTS: 0} if grid else {})
    for name, operands in lines:
        if "__sanitizer_cov_trace_pc" in operands:
            break
        if kind := instruction_set.kind_of(name, operands):
            kinds[kind] += 1
        if grid and instruction_set.named_place(name, operands) in grid:
            kinds[GRID_EXTENTS] += 1
        if instruction_set.is_end(name):
            break
    return kinds


def blocks_of(program: Path, addresses: Iterable[int]) -> dict[int, Counter[str]]:
    """The instructions of each basic block, by its address in the program's file."""
    wanted = set(addresses)
    if not wanted:
        return {}
    instruction_set = _instruction_set(program)
    text = subprocess.run(
        [
            *(_objdump(instruction_set), "-d", "--no-show-raw-insn"),
            f"--start-address={min(wanted)}",
            f"--stop-address={max(wanted) + 4096}",
            program,
        ],
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    places: dict[int, int] = {}
    lines: list[tuple[str, str]] = []
    for line in text.splitlines():
        if found := _LINE.match(line):
            places[int(found[1], 16)] = len(lines)
            lines.append((found[2], found[3]))
    grid = _places_of_grid(program, instruction_set)
    blocks = {}
    for address in wanted:
        if (place := places.get(address)) is not None:
            blocks[address] = _block(lines[place : place + 4000], instruction_set, grid)
    return blocks


def instructions(kernel: Mapping[str, Any], blocks: Mapping[int, Counter[str]]) -> dict[str, int]:
    """The instructions of all warps of a kernel of the profile, by kind."""
    sums: Counter[str] = Counter(dict.fromkeys(KINDS, 0))
    for address, runs in kernel["basic_blocks"]:
        for kind, count in blocks.get(address, {}).items():
            sums[kind] += count * runs
    return dict(sums)
