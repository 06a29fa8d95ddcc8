"""How many arithmetic instructions warps run, from the simulator's own code: for each basic block
the profile has the number of runs, and objdump lists the CPU's instructions in it. Those that a GPU
has no instruction for, and calls of mathematical functions, are counted by name: operations.py."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from common.cudasim.predict.operations import OPERATIONS

_ANCHOR = "_ZN7cudasim12ToCodeOffsetEPKv"  # code offsets count from 2^31 below it: profile/code.cc
_LINE = re.compile(r"^\s*([0-9a-f]+):\s+(?:lock |rep |notrack )?([a-z0-9]+)\s*(.*)$")
_MULTIPLY = re.compile(r"^v?mul[sp]s$")
_ADD = re.compile(r"^v?(add|sub)[sp]s$")
_DOUBLE_MULTIPLY = re.compile(r"^v?mul[sp]d$")
_DOUBLE_ADD = re.compile(r"^v?(add|sub)[sp]d$")
_FLOAT = re.compile(r"^v?(max|min|comi|ucomi|cmp\w*)[sp][sd]\w*$")
_CONVERSION = re.compile(r"^v?cvt\w+$")
_DIVISION = re.compile(r"^(i?div)([lq]?)$")
_FLOAT_DIVISION = re.compile(r"^v?(div|sqrt)[sp]([sd])$")
_INTEGER = re.compile(
    r"^(add|sub|imul|mul|lea|shl|shr|sar|sal|and|or|xor|not|neg|cmp|test|inc|dec|set\w+|cmov\w+"
    r"|popcnt|bs[rf]|movz\w+|movs[bwl]\w*|rol|ror|cltq|cltd|cqto)[bwlq]?$"
)
# What addresses do not need; `xor %eax,%eax` makes a zero.
_BITWISE = re.compile(r"^(xor|and|or|not|shr|sar|rol|ror|popcnt|bs[rf])[bwlq]?$")
_ZERO = re.compile(r"^(%\w+),\1$")
_CALLED = re.compile(r"<(\w+)(?:@[\w.]+)?>")
_EXTENTS = range(0, 12, 4)  # of x, y and z in gridDim
KINDS = (
    *("multiplies", "additions", "double_multiplies", "double_additions", "floats", "conversions"),
    *("integers", "bitwise", "branches", "accesses", "calls"),
)
# Reads of gridDim, as in loops whose stride is the grid; it is not there where code does not tell.
GRID_EXTENTS = "grid_extents"


def _addresses(program: Path) -> int:
    """The address of the anchor in the program's file."""
    found = subprocess.run(["nm", program], capture_output=True, check=True, text=True).stdout
    for line in found.splitlines():
        words = line.split()
        if words[-1] == _ANCHOR:
            return int(words[0], 16)
    raise ValueError(f"{program} is not a program in profile mode: it lacks {_ANCHOR}")


def _machine(program: Path) -> str:
    return subprocess.run(["readelf", "-h", program], capture_output=True, text=True).stdout


def _places_of_grid(program: Path) -> frozenset[str]:
    """How objdump writes the places of gridDim, which is a variable of the thread: as offsets from
    the end of such variables, which the linker knows in a program. Empty if it does not."""
    headers = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True).stdout
    variables = re.search(r"^\s+TLS\s+(?:\S+\s+){4}0x(\w+)\s+R\s+0x(\w+)", headers, re.M)
    symbols = subprocess.run(["nm", program], capture_output=True, text=True).stdout
    grid = re.search(r"^(\w+) \w gridDim$", symbols, re.M)
    if (
        variables is None
        or grid is None
        or " INTERP " not in headers
        or "X86-64" not in _machine(program)
    ):
        return frozenset()
    size, align = int(variables[1], 16), int(variables[2], 16)
    begin = (1 << 64) + int(grid[1], 16) - -(-size // align) * align
    return frozenset(f"0x{begin + extent:x}" for extent in _EXTENTS)


def kind_of(name: str, operands: str) -> str:
    """One of KINDS, one of OPERATIONS, or "" for what a GPU does not do: moves, returns."""
    if operation := _operation(name, operands):
        return operation
    if name.startswith("call"):
        return "accesses" if "__tsan_" in operands else "calls"
    if name.startswith("j"):
        return "branches"
    if _BITWISE.match(name) and not _ZERO.match(operands):
        return "bitwise"
    for kind, pattern in (
        ("multiplies", _MULTIPLY),
        ("additions", _ADD),
        ("double_multiplies", _DOUBLE_MULTIPLY),
        ("double_additions", _DOUBLE_ADD),
        ("conversions", _CONVERSION),
        ("floats", _FLOAT),
        ("integers", _INTEGER),
    ):
        if pattern.match(name):
            return kind
    return ""


def _operation(name: str, operands: str) -> str:
    """Which of OPERATIONS the instruction is, or calls; "" if none."""
    if name.startswith(("call", "jmp")):
        called = _CALLED.search(operands)
        return called[1] if called and called[1] in OPERATIONS else ""
    if found := _DIVISION.match(name):
        sign = "s" if found[1] == "idiv" else "u"
        return f"divide_{sign}{64 if found[2] == 'q' or '%r' in _registers(operands) else 32}"
    if found := _FLOAT_DIVISION.match(name):
        operation = "divide" if found[1] == "div" else "root"
        return f"{operation}_{'float' if found[2] == 's' else 'double'}"
    return ""


def _registers(operands: str) -> str:
    """The operands that are registers and not addresses; 32-bit names begin with %e or end in d."""
    return "" if "(" in operands or re.search(r"%r\d+d", operands) else operands


def _block(lines: Sequence[tuple[str, str]], grid: frozenset[str]) -> Counter[str]:
    """What the basic block does that begins with the first line."""
    kinds: Counter[str] = Counter({GRID_EXTENTS: 0} if grid else {})
    for name, operands in lines:
        if "__sanitizer_cov_trace_pc" in operands or name.startswith("ret"):
            break
        if kind := kind_of(name, operands):
            kinds[kind] += 1
        if grid and any(word in grid for word in re.findall(r"0x[0-9a-f]{16}", operands)):
            kinds[GRID_EXTENTS] += 1
        if name.startswith("jmp"):
            break
    return kinds


def blocks_of(program: Path, offsets: Iterable[int]) -> dict[int, Counter[str]]:
    """The instructions of each basic block, by its code offset in the profile."""
    wanted = set(offsets)
    if not wanted:
        return {}
    base = _addresses(program) - (1 << 31)
    text = subprocess.run(
        [
            *("objdump", "-d", "--no-show-raw-insn"),
            f"--start-address={base + min(wanted)}",
            f"--stop-address={base + max(wanted) + 4096}",
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
    grid = _places_of_grid(program)
    return {
        offset: _block(lines[places[base + offset] : places[base + offset] + 4000], grid)
        for offset in wanted
        if base + offset in places
    }


def instructions(kernel: Mapping[str, Any], blocks: Mapping[int, Counter[str]]) -> dict[str, int]:
    """The instructions of all warps of a kernel of the profile, by kind."""
    sums: Counter[str] = Counter(dict.fromkeys(KINDS, 0))
    for offset, runs in kernel["basic_blocks"]:
        for kind, count in blocks.get(offset, {}).items():
            sums[kind] += count * runs
    return dict(sums)
