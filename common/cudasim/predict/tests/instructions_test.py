"""What instructions and calls of the simulator's code stand for on a GPU."""

from __future__ import annotations

import pytest

from common.cudasim.predict.instructions import kind_of
from common.cudasim.predict.operations import OPERATIONS


@pytest.mark.parametrize(
    ("line", "operation"),
    [
        ("div %ecx", "divide_u32"),
        ("idivl 0x8(%rsp)", "divide_s32"),
        ("div %r8d", "divide_u32"),
        ("div %r8", "divide_u64"),
        ("idivq 0x8(%rsp)", "divide_s64"),
        ("idivl (%r14)", "divide_s32"),
        ("divss %xmm1,%xmm0", "divide_float"),
        ("divsd (%r14),%xmm7", "divide_double"),
        ("sqrtss %xmm0,%xmm0", "root_float"),
        ("vsqrtsd %xmm0,%xmm0,%xmm0", "root_double"),
        ("call 8440 <powf@plt>", "powf"),
        ("jmp 8440 <powf@plt>", "powf"),
        ("call *0xb9214(%rip) # cb050 <sin@GLIBC_2.2.5>", "sin"),
        ("call 12340 <cudasim_fast_expf>", "cudasim_fast_expf"),
    ],
)
def test_operations_of_many_instructions_are_named(line: str, operation: str) -> None:
    name, operands = line.split(" ", 1)
    assert kind_of(name, operands) == operation
    assert operation in OPERATIONS


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("call 12340 <_ZN3LabEf>", "calls"),
        ("call 8440 <__tsan_read4@plt>", "accesses"),
        ("jmp 8440 <powf_and_more>", "branches"),
        ("mulss %xmm1,%xmm0", "multiplies"),
        ("mulsd %xmm1,%xmm0", "double_multiplies"),
        ("subsd %xmm1,%xmm0", "double_additions"),
        ("cvtsi2ss %eax,%xmm0", "conversions"),
        ("ucomiss %xmm1,%xmm0", "floats"),
        ("xor %eax,%edx", "bitwise"),
        ("xor %eax,%eax", "integers"),
        ("shr $0x11,%eax", "bitwise"),
        ("lea 0x1(%rax),%edx", "integers"),
        ("mov %eax,%edx", ""),
    ],
)
def test_other_instructions_are_of_a_kind(line: str, kind: str) -> None:
    assert kind_of(*line.split(" ", 1)) == kind


def test_the_table_of_operations_is_that_of_nvccs_code_for_sm_90() -> None:
    # Seen in the code itself: I2F, MUFU and F2I of a division of integers, and two units at work.
    division = OPERATIONS["divide_u32"]
    assert (division.instructions, division.xu_cycles, division.fp64_cycles) == (17, 12, 0)
    assert OPERATIONS["cudasim_rsqrtf"].instructions == 4
    assert OPERATIONS["powf"].instructions > 6 * OPERATIONS["cudasim_fast_powf"].instructions
    assert OPERATIONS["divide_double"].fp64_cycles == 14
    for operation in OPERATIONS.values():
        assert operation.latency > operation.instructions
        assert operation.instructions > 0
