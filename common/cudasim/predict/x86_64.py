"""What an instruction of an x86-64, as objdump writes it, stands for on a GPU."""

import re

from common.cudasim.predict.operations import called, first_match

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
_NEGATIVE = re.compile(r"0xf[0-9a-f]{15}\b")  # in 64 bits


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
    kinds = (
        ("multiplies", _MULTIPLY),
        ("additions", _ADD),
        ("double_multiplies", _DOUBLE_MULTIPLY),
        ("double_additions", _DOUBLE_ADD),
        ("conversions", _CONVERSION),
        ("floats", _FLOAT),
        ("integers", _INTEGER),
    )
    return first_match(name, kinds)


def is_end(name: str) -> bool:
    """Whether no instruction follows this one in its basic block."""
    return name.startswith(("jmp", "ret"))


def place_of_variable(offset: int, size: int, align: int) -> int:
    """How far a variable of the thread is from the thread pointer: they end there."""
    return offset - -(-size // align) * align


def named_place(_name: str, operands: str) -> int | None:
    """The place of a variable of the thread that the instruction names."""
    found = _NEGATIVE.search(operands)
    return int(found[0], 16) - (1 << 64) if found else None


def _operation(name: str, operands: str) -> str:
    """Which of OPERATIONS the instruction is, or calls; "" if none."""
    if name.startswith(("call", "jmp")):
        return called(operands)
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
