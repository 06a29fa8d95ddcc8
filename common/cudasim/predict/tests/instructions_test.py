"""What instructions and calls of the simulator's code stand for on a GPU."""

import pytest

from common.cudasim.predict import aarch64, x86_64
from common.cudasim.predict.instructions import KINDS
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
    assert x86_64.kind_of(name, operands) == operation
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
    assert x86_64.kind_of(*line.split(" ", 1)) == kind


@pytest.mark.parametrize(
    ("line", "operation"),
    [
        ("udiv w0, w1, w2", "divide_u32"),
        ("sdiv x0, x1, x2", "divide_s64"),
        ("fdiv s0, s1, s2", "divide_float"),
        ("fdiv d0, d1, d2", "divide_double"),
        ("fsqrt s0, s0", "root_float"),
        ("fmaxnm s0, s0, s1", "fmaxf"),
        ("fminnm d0, d0, d1", "fmin"),
        ("frintm s0, s0", "floorf"),
        ("frintz d0, d0", "trunc"),
        ("bl 401230 <powf@plt>", "powf"),
        ("b 401230 <powf@plt>", "powf"),
        ("bl 401230 <cudasim_fast_expf>", "cudasim_fast_expf"),
    ],
)
def test_operations_of_many_instructions_are_named_on_aarch64(line: str, operation: str) -> None:
    assert aarch64.kind_of(*line.split(" ", 1)) == operation
    assert operation in OPERATIONS


# The same code on both: a sum of products, a loop's counter, a hash, a conversion, a call.
@pytest.mark.parametrize(
    ("on_x86_64", "on_aarch64", "kind"),
    [
        ("mulss %xmm1,%xmm0", "fmul s0, s0, s1", "multiplies"),
        ("mulsd %xmm1,%xmm0", "fmul d0, d0, d1", "double_multiplies"),
        ("subss %xmm1,%xmm0", "fsub s0, s0, s1", "additions"),
        ("addsd %xmm1,%xmm0", "fadd d0, d0, d1", "double_additions"),
        ("cvtsi2ss %eax,%xmm0", "scvtf s0, w0", "conversions"),
        ("cvttsd2si %xmm0,%eax", "fcvtzs w0, d0", "conversions"),
        ("ucomiss %xmm1,%xmm0", "fcmpe s0, s1", "floats"),
        ("xor %eax,%edx", "eor w0, w0, w1", "bitwise"),
        ("shr $0x11,%eax", "lsr w0, w0, #17", "bitwise"),
        ("lea 0x1(%rax),%edx", "add w0, w1, #0x1", "integers"),
        ("shl $0x2,%eax", "lsl w0, w0, #2", "integers"),
        ("cltq %eax", "sxtw x0, w0", "integers"),
        ("test %eax,%eax", "cbz w0, 401230 <f+0x10>", "integers"),
        ("cmp %eax,%edx", "cmp w0, w1", "integers"),
        ("cmovl %eax,%edx", "csel w0, w1, w2, lt", "integers"),
        ("jne 1234 <f+0x10>", "b.ne 401230 <f+0x10>", "branches"),
        ("jmp 1234 <f+0x10>", "b 401230 <f+0x10>", "branches"),
        ("call 1234 <__tsan_read4@plt>", "bl 401230 <__tsan_read4>", "accesses"),
        ("call *%rax", "blr x1", "calls"),
        ("mov %eax,%edx", "mov w0, w1", ""),
        ("mov 0x8(%rsp),%rax", "ldr x0, [sp, #8]", ""),
        ("ret ", "ret ", ""),
    ],
)
def test_both_processors_instructions_count_alike(
    on_x86_64: str, on_aarch64: str, kind: str
) -> None:
    assert kind in (*KINDS, "")
    assert x86_64.kind_of(*on_x86_64.split(" ", 1)) == kind
    assert aarch64.kind_of(*on_aarch64.split(" ", 1)) == kind


def test_knows_the_reads_of_a_variable_of_the_thread() -> None:
    # Of 0x98 bytes, aligned to 16, at 0x40: from a program for each of the processors.
    place = x86_64.place_of_variable(0x40, 0x98, 16)
    assert x86_64.named_place("mov", "%fs:0xffffffffffffffa0,%eax") == place
    assert x86_64.named_place("mov", "0x8(%rsp),%eax") is None
    place = aarch64.place_of_variable(0x40, 0x98, 16)
    assert aarch64.named_place("movk", "x1, #0x50") == place
    assert aarch64.named_place("movk", "x1, #0x50, lsl #16") is None
    assert aarch64.named_place("mov", "x1, #0x50                   \t// #80") is None


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
