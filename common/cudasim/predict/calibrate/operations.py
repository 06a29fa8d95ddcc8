"""What nvcc makes of operations that are one instruction or one call on a CPU.

operations.py NVCC NVDISASM >common/cudasim/predict/operations.csv

Each operation is compiled for sm_90 in a kernel of its own, and its instructions are those on the
shortest path through the kernel, less those of a kernel that adds. That is the path of usual
operands: the others, as denormal numbers or quotients of 64-bit integers beyond 32 bits, take a
longer one. Of some functions the shortest path is that of unusual ones: _STRAIGHT. Columns:

instructions  issue slots of a warp
xu_cycles     cycles that they keep the unit for special functions of a scheduler busy: 8 for each
              of MUFU and of conversions of 64 bits, 2 for other conversions
fp64_cycles   the same of the unit for doubles: 2 for each
latency       cycles from the operands to the result: instructions begin in order, one in a cycle,
              and wait for their operands as long as _LATENCY says

The rates are those of the CUDA C++ Programming Guide's table of arithmetic throughput for compute
capability 9.0; the latencies are rounded from published measurements (Luo and others, Benchmarking
and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking, IPDPS 2024).
"""

import heapq
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_TYPES = {"u32": "unsigned", "s32": "int", "u64": "unsigned long long", "s64": "long long"}
_OF_ONE = (
    *("exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan"),
    *("asin", "acos", "atan", "sinh", "cosh", "tanh", "erf", "erfc", "cbrt", "lgamma", "tgamma"),
    *("floor", "ceil", "round", "rint", "trunc"),
)
_OF_TWO = ("pow", "fmod", "atan2", "hypot", "fmax", "fmin")
# The usual path of these goes straight on at each branch.
_STRAIGHT = (
    *("acos", "cosh", "fmod", "fmodf", "lgamma", "lgammaf", "log", "log10", "log1p", "log2"),
    *("tanh", "tgamma", "tgammaf"),
)
# Their unusual path ends in a store of its own, so that they cost what these do.
_AS = {"expm1": "exp", "erfc": "erf"}
_FAST = ("exp", "exp10", "log", "log2", "log10", "sin", "cos", "tan")


def expressions() -> dict[str, tuple[str, str]]:
    """Type and expression of each operation of a and b."""
    found = {}
    for name, kind in _TYPES.items():
        found[f"divide_{name}"] = (kind, "a / b")
        found[f"remainder_{name}"] = (kind, "a % b")
    for kind, suffix in (("float", "f"), ("double", "")):
        found[f"divide_{kind}"] = (kind, "a / b")
        found[f"reciprocal_{kind}"] = (kind, "1 / a + b")
        found[f"root_{kind}"] = (kind, f"sqrt{suffix}(a) + b")
        found[f"cudasim_rsqrt{suffix}"] = (kind, f"rsqrt{suffix}(a) + b")
        found[f"cudasim_sincos{suffix}"] = (kind, f"({{ sincos{suffix}(a, &b, &a); a + b; }})")
        found |= {f"{name}{suffix}": (kind, f"{name}{suffix}(a) + b") for name in _OF_ONE}
        found |= {f"{name}{suffix}": (kind, f"{name}{suffix}(a, b) + b") for name in _OF_TWO}
    found |= {f"cudasim_fast_{name}f": ("float", f"__{name}f(a) + b") for name in _FAST}
    found["cudasim_fast_powf"] = ("float", "__powf(a, b) + b")
    found["cudasim_fast_dividef"] = ("float", "__fdividef(a, b) + b")
    return found


_LATENCY = {"MUFU": 18, "I2F": 14, "F2I": 14, "F2F": 14, "FRND": 14, "FCHK": 14}
_DOUBLE = 8
_JUMP = {"BRA": 8, "CALL": 12, "RET": 12, "BSSY": 2, "BSYNC": 6}
_USUAL = 4
_REGISTER = re.compile(r"\b(U?[RP])(\d+)\b(\.64)?")


@dataclass(frozen=True)
class Instruction:
    name: str  # with modifiers, as MUFU.RCP
    operands: str
    is_conditional: bool

    @property
    def base(self) -> str:
        return self.name.split(".")[0]

    @property
    def is_double(self) -> bool:
        return self.base in ("DADD", "DMUL", "DFMA", "DSETP", "DMNMX")

    @property
    def xu_cycles(self) -> int:
        if self.base == "MUFU":
            return 8
        if self.base in ("I2F", "F2I", "F2F", "FRND"):
            return 8 if "64" in self.name else 2
        return 0

    @property
    def latency(self) -> int:
        return _DOUBLE if self.is_double else _LATENCY.get(self.base, _USUAL)

    def registers(self) -> tuple[set[str], set[str]]:
        """Those that it writes and those that it reads."""
        parts = self.operands.split(",")
        wide = self.is_double or "WIDE" in self.name or ".64" in self.name
        written = 0 if self.base in ("ST", "STG", "BRA", "CALL", "RET") else 1
        # Predicates that are written, too, come first or second.
        while written < len(parts) and written and re.fullmatch(r"\s*U?P(\d|T)\s*", parts[written]):
            written += 1
        return (
            _registers(",".join(parts[:written]), wide),
            _registers(",".join(parts[written:]), wide),
        )


def _registers(text: str, wide: bool) -> set[str]:
    found = set()
    for kind, number, is_pair in _REGISTER.findall(text):
        found.add(kind + number)
        if kind == "R" and (wide or is_pair):
            found.add(f"R{int(number) + 1}")
    return found


@dataclass(frozen=True)
class Code:
    instructions: list[Instruction]
    labels: dict[str, int]


_LINE = re.compile(r"/\*[0-9a-f]+\*/\s+(@!?U?P\w+\s+)?([A-Z0-9_.]+)\s*(.*?)\s*;")


def code_of(text: str) -> Code:
    """From what nvdisasm prints of a kernel's section."""
    found: list[Instruction] = []
    labels = {}
    for line in text.splitlines():
        if label := re.match(r"([.$\w]+):", line):
            labels[label[1]] = len(found)
        elif instruction := _LINE.search(line):
            condition, name, operands = instruction.groups()
            found.append(Instruction(name, f"{operands}, {condition or ''}", condition is not None))
    return Code(found, labels)


def shortest_path(code: Code) -> list[Instruction]:
    """To the first store, by the number of instructions."""
    queue: list[tuple[int, int, tuple[int, ...], tuple[int, ...]]] = [(0, 0, (), ())]
    seen = set()
    while queue:
        length, at, returns, path = heapq.heappop(queue)
        if (at, returns) in seen:
            continue
        seen.add((at, returns))
        instruction = code.instructions[at]
        passed = (*path, at)
        if instruction.base == "STG":
            return [code.instructions[i] for i in passed]
        for after, then in _successors(code, at, returns):
            heapq.heappush(queue, (length + 1, after, then, passed))
    raise ValueError("no path to a store")


def straight_path(code: Code) -> list[Instruction]:
    """To the first store, without conditional branches."""
    at = 0
    returns: tuple[int, ...] = ()
    path = []
    while code.instructions[at].base != "STG":
        path.append(code.instructions[at])
        at, returns = _successors(code, at, returns)[-1]
    return [*path, code.instructions[at]]


def _successors(code: Code, at: int, returns: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    """Instructions that may come next, each with the places that calls return to."""
    instruction = code.instructions[at]
    target = re.search(r"`\(([^)]+)\)", instruction.operands)
    after = [(at + 1, returns)]
    if instruction.base == "EXIT":
        return after if instruction.is_conditional else []
    if instruction.base == "RET":
        return [(returns[-1], returns[:-1])]
    if instruction.base == "CALL" and target:
        return [(code.labels[target[1]], (*returns, at + 1))]
    if instruction.base == "BRA" and target:
        # "@P0 BRA P1, ..." and "BRA P1, ..." are conditional, too.
        is_conditional = instruction.is_conditional or not instruction.operands.startswith("`")
        return [(code.labels[target[1]], returns), *(after if is_conditional else [])]
    return after


def latency_of(path: Sequence[Instruction]) -> int:
    """Cycles until the store's operands are there, if the loads take none."""
    ready: dict[str, int] = {}
    now = 0
    for instruction in path:
        written, read = instruction.registers()
        now = max([now + 1, *(ready.get(register, 0) for register in read)])
        now += _JUMP.get(instruction.base, 0)
        if instruction.base in ("LDG", "LDC", "ULDC", "S2R"):
            continue
        for register in written:
            ready[register] = now + instruction.latency
    return now


def _row(path: Sequence[Instruction]) -> tuple[int, int, int, int]:
    return (
        len(path),
        sum(instruction.xu_cycles for instruction in path),
        2 * sum(instruction.is_double for instruction in path),
        latency_of(path),
    )


def _kernel(name: str, kind: str, expression: str) -> str:
    return (
        f'extern "C" __global__ void k_{name}({kind}* x, const {kind}* y) {{\n'
        f"  {kind} a = x[threadIdx.x];\n  {kind} b = y[threadIdx.x];\n"
        f"  x[threadIdx.x] = {expression};\n}}\n"
    )


def table(nvcc: str, nvdisasm: str) -> dict[str, tuple[int, ...]]:
    wanted = expressions()
    base = {"base": ("float", "a + b"), "base_double": ("double", "a + b")}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "operations.cu")
        source.write_text("".join(_kernel(n, *of) for n, of in (wanted | base).items()))
        made = Path(folder, "operations.cubin")
        subprocess.run([nvcc, "-arch=sm_90", "-cubin", "-o", made, source], check=True)
        text = subprocess.run(
            [nvdisasm, "-c", made], check=True, capture_output=True, text=True
        ).stdout
    sections = {part.split(",")[0][2:]: part for part in text.split(".section\t.text.")[1:]}
    rows = {
        name: _row((straight_path if name in _STRAIGHT else shortest_path)(code_of(sections[name])))
        for name in wanted | base
    }
    rows |= {name: rows[like] for name, like in _AS.items()}
    return {
        name: tuple(
            max(0, a - b)
            for a, b in zip(
                rows[name], rows["base_double" if kind == "double" else "base"], strict=True
            )
        )
        for name, (kind, _) in wanted.items()
    }


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    print("operation,instructions,xu_cycles,fp64_cycles,latency")
    for name, row in table(*arguments).items():
        print(",".join([name, *map(str, row)]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
