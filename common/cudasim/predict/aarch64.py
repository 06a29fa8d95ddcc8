"""What an instruction of an aarch64, as objdump writes it, stands for on a GPU. The model is fitted
to what x86_64.py counts, so this counts the same code alike."""

import re

from common.cudasim.predict.operations import called, first_match

_CALL = re.compile(r"^(bl|blr)$")
# Those that compare as well are integers: on an x86-64 a comparison comes before the branch.
_BRANCH = re.compile(r"^(b|br|b\.\w+)$")
_MULTIPLY = re.compile(r"^f(n?mul|n?madd|n?msub)$")
_ADD = re.compile(r"^f(add|sub|abd)$")
_FLOAT = re.compile(r"^f(max|min|c?cmpe?)$")
_CONVERSION = re.compile(r"^(fcvt\w+|[su]cvtf|fcvt)$")
_DIVISION = re.compile(r"^([su])div$")
_FLOAT_DIVISION = {"fdiv": "divide", "fsqrt": "root"}
# One instruction here, a call on an x86-64.
_FUNCTIONS = {
    "fmaxnm": "fmax",
    "fminnm": "fmin",
    "frinta": "round",
    "frinti": "rint",
    "frintm": "floor",
    "frintn": "rint",
    "frintp": "ceil",
    "frintx": "rint",
    "frintz": "trunc",
}
_INTEGER = re.compile(
    r"^(adds?|subs?|adcs?|sbcs?|negs?|mul|mneg|madd|msub|[su]mulh|[su]mull|[su]mnegl|[su]maddl"
    r"|[su]msubl|cmp|cmn|ccmp|ccmn|tst|csel|cset|csetm|csinc|cinc|csinv|cinv|csneg|cneg|lsl"
    r"|[su]xt[bhw]|[su]bfiz|bfi|bfc|rev\w*|cbn?z|tbn?z)$"
)
# What addresses do not need.
_BITWISE = re.compile(
    r"^(ands?|orr|orn|eor|eon|bics?|mvn|lsr|asr|ror|extr|[su]bfx|bfxil|clz|cls|rbit|cnt)$"
)
_THREAD_CONTROL_BLOCK = 16  # bytes between the thread pointer and the variables of the thread
_LOW_HALF = re.compile(r"^x\d+, #(0x[0-9a-f]+)$")


def kind_of(name: str, operands: str) -> str:
    """One of KINDS, one of OPERATIONS, or "" for what a GPU does not do: moves, loads of the
    stack, returns."""
    if operation := _operation(name, operands):
        return operation
    if _CALL.match(name):
        return "accesses" if "__tsan_" in operands else "calls"
    double = "double_" if operands.startswith("d") else ""
    kinds = (
        ("branches", _BRANCH),
        (f"{double}multiplies", _MULTIPLY),
        (f"{double}additions", _ADD),
        ("conversions", _CONVERSION),
        ("floats", _FLOAT),
        ("bitwise", _BITWISE),
        ("integers", _INTEGER),
    )
    return first_match(name, kinds)


def is_end(name: str) -> bool:
    """Whether no instruction follows this one in its basic block."""
    return name in ("b", "br", "ret")


def place_of_variable(offset: int, _size: int, align: int) -> int:
    """How far a variable of the thread is from the thread pointer."""
    return -(-_THREAD_CONTROL_BLOCK // align) * align + offset


def named_place(name: str, operands: str) -> int | None:
    """The place of a variable of the thread that the instruction names. The linker writes it as two
    halves, the low one last; compilers write the low half of a constant first, with mov."""
    found = _LOW_HALF.match(operands) if name == "movk" else None
    return int(found[1], 16) if found else None


def _operation(name: str, operands: str) -> str:
    """Which of OPERATIONS the instruction is, or calls; "" if none."""
    if name in ("b", "bl"):
        return called(operands)
    if found := _DIVISION.match(name):
        return f"divide_{found[1]}{64 if operands.startswith('x') else 32}"
    is_double = operands.startswith("d")
    if name in _FLOAT_DIVISION:
        return f"{_FLOAT_DIVISION[name]}_{'double' if is_double else 'float'}"
    if name in _FUNCTIONS:
        return f"{_FUNCTIONS[name]}{'' if is_double else 'f'}"
    return ""
