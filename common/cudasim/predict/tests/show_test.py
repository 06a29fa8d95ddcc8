"""What is printed, and what the assembler's and objdump's output means."""

from pathlib import Path

import pytest

from common.cudasim.predict import x86_64
from common.cudasim.predict.calibration import load
from common.cudasim.predict.kernel import Interval, Kernel
from common.cudasim.predict.model import predict
from common.cudasim.predict.registers import parsed, plain_name
from common.cudasim.predict.show import Shown, aligned, main, table, verdict, words


def around(middle: float, factor: float = 1.2) -> Interval:
    return Interval(middle / factor, middle, middle * factor)


def test_says_which_version_is_faster_and_by_how_much() -> None:
    assert verdict(around(10), around(20)) == "yours is faster, 2.00 times as fast as other"
    assert verdict(around(20), around(10)) == "other is faster, 2.00 times as fast as yours"


def test_says_when_the_intervals_do_not_settle_it() -> None:
    assert verdict(around(10, 2), around(20)).endswith("the intervals overlap, so it may not be")


def test_does_not_order_versions_that_are_about_the_same() -> None:
    assert verdict(around(10), around(12)).startswith("about the same: yours would be 1.20 times")


def test_compares_nothing_with_a_version_without_kernels() -> None:
    assert "nothing to compare" in verdict(Interval(0, 0, 0), around(3))


def test_writes_times_with_their_interval() -> None:
    assert words(Interval(9, 12.345, 2000)) == "12.3 (9.0 to 2,000)"
    assert aligned([["a", "b"], ["long", "1"]]) == "a     b\nlong  1"


def test_says_which_kernels_blocks_look_back() -> None:
    def shown(**chain: float) -> Shown:
        kernel = Kernel("Scan", 1, 100, 256, 8, chain, {}, 16)
        return Shown("Scan", (100, 1, 1), (256, 1, 1), 1, predict(kernel, load()))

    note = "Scan: how long blocks wait for those before them is not known"
    assert note in table([shown(block_chain=99, sure_block_chain=1)])
    assert note not in table([shown(block_chain=99, sure_block_chain=99)])


def test_names_the_profile_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "none.json")]) == 1
    assert "none.json" in capsys.readouterr().err


LOG = """\
ptxas info    : Compiling entry function '_Z3Onev' for 'sm_90'
ptxas info    : Function properties for _Z3Onev
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 1024 bytes smem
ptxas info    : Compiling entry function '_Z3Twov' for 'sm_90'
ptxas info    : Used 255 registers, used 0 barriers
"""


def test_reads_registers_from_the_assemblers_output() -> None:
    assert parsed(LOG) == {"_Z3Onev": [32], "_Z3Twov": [255]}
    assert parsed("") == {}


def test_a_kernels_name_has_no_namespace_and_no_arguments() -> None:
    assert plain_name("void (anonymous namespace)::Kernel<(int)3>(float*)") == "Kernel"
    assert plain_name("space::Kernel(std::span<int>)") == "Kernel"
    assert plain_name("Kernel") == "Kernel"


@pytest.mark.parametrize(
    ("name", "operands", "kind"),
    [
        ("mulss", "%xmm0,%xmm1", "multiplies"),
        ("addss", "(%rax),%xmm1", "additions"),
        ("maxsd", "%xmm0,%xmm1", "floats"),
        ("lea", "0x4(%rax),%rdx", "integers"),
        ("jne", "1234", "branches"),
        ("call", "1234 <__tsan_read4>", "accesses"),
        ("call", "1234 <other>", "calls"),
        ("mov", "%rax,%rdx", ""),
    ],
)
def test_classifies_the_cpus_instructions(name: str, operands: str, kind: str) -> None:
    assert x86_64.kind_of(name, operands) == kind
