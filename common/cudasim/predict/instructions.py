"""How many arithmetic instructions warps run, from the simulator's own code: for each basic block
the profile has the number of runs, and objdump lists the CPU's instructions in it."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

_ANCHOR = "_ZN7cudasim12ToCodeOffsetEPKv"  # code offsets count from 2^31 below it: profile/code.cc
_LINE = re.compile(r"^\s*([0-9a-f]+):\s+(?:lock |rep |notrack )?([a-z0-9]+)\s*(.*)$")
_MULTIPLY = re.compile(r"^v?mul[sp][sd]$")
_ADD = re.compile(r"^v?(add|sub)[sp][sd]$")
_FLOAT = re.compile(r"^v?(div|sqrt|max|min|comi|ucomi|cmp\w*)[sp][sd]\w*$")
_INTEGER = re.compile(
    r"^(add|sub|imul|mul|lea|shl|shr|sar|sal|and|or|xor|not|neg|cmp|test|inc|dec|set\w+|cmov\w+"
    r"|div|idiv|popcnt|bs[rf]|movz\w+|movs[bwl]\w*|rol|ror|cltq|cltd|cqto)[bwlq]?$"
)
KINDS = ("multiplies", "additions", "floats", "integers", "branches", "accesses", "calls")


def _addresses(program: Path) -> int:
    """The address of the anchor in the program's file."""
    found = subprocess.run(["nm", program], capture_output=True, check=True, text=True).stdout
    for line in found.splitlines():
        words = line.split()
        if words[-1] == _ANCHOR:
            return int(words[0], 16)
    raise ValueError(f"{program} is not a program in profile mode: it lacks {_ANCHOR}")


def kind_of(name: str, operands: str) -> str:
    """One of KINDS, or "" for what a GPU does not do: moves, returns."""
    if name.startswith("call"):
        return "accesses" if "__tsan_" in operands else "calls"
    if name.startswith("j"):
        return "branches"
    for kind, pattern in (
        ("multiplies", _MULTIPLY),
        ("additions", _ADD),
        ("floats", _FLOAT),
        ("integers", _INTEGER),
    ):
        if pattern.match(name):
            return kind
    return ""


def _block(lines: Sequence[tuple[str, str]]) -> Counter[str]:
    """What the basic block does that begins with the first line."""
    kinds: Counter[str] = Counter()
    for name, operands in lines:
        if "__sanitizer_cov_trace_pc" in operands or name.startswith("ret"):
            break
        if kind := kind_of(name, operands):
            kinds[kind] += 1
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
    return {
        offset: _block(lines[places[base + offset] : places[base + offset] + 4000])
        for offset in wanted
        if base + offset in places
    }


def instructions(kernel: Mapping[str, Any], blocks: Mapping[int, Counter[str]]) -> dict[str, int]:
    """The instructions of all warps of a kernel of the profile, by kind."""
    sums: Counter[str] = Counter()
    for offset, runs in kernel["basic_blocks"]:
        for kind, count in blocks.get(offset, {}).items():
            sums[kind] += count * runs
    return {kind: sums[kind] for kind in KINDS}
