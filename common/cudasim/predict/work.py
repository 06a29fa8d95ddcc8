"""How many instructions warps issue, and how long the units for arithmetic are busy with them."""

from collections.abc import Iterator

from common.cudasim.predict.calibration import Calibration
from common.cudasim.predict.kernel import Kernel
from common.cudasim.predict.operations import OPERATIONS, Operation
from common.cudasim.predict.parameters import Fitted

_SCHEDULERS = 4  # of a multiprocessor
_CYCLES_OF_DOUBLE = 2  # of a scheduler's unit for doubles
_CYCLES_OF_CONVERSION = 2  # of its unit for special functions


def operations(kernel: Kernel) -> Iterator[tuple[float, Operation]]:
    """How often warps run each of OPERATIONS."""
    for name in kernel.instructions:
        if name in OPERATIONS:
            yield kernel.instruction(name), OPERATIONS[name]


def issued(kernel: Kernel, f: Fitted) -> float:
    """Instructions of all warps in a launch."""
    of_operations = sum(count * operation.instructions for count, operation in operations(kernel))
    return simple(kernel, f) + of_operations + kernel.of("barriers") * kernel.warps


def simple(kernel: Kernel, f: Fitted) -> float:
    """The same without barriers and what OPERATIONS tell."""
    memory = kernel.of("memory_instructions")
    if not kernel.instructions:
        return 2 * memory + 2 * kernel.of("block_runs")
    arithmetic = (
        max(kernel.instruction("multiplies"), kernel.instruction("additions"))
        + _doubles(kernel)
        + kernel.instruction("floats")
        + kernel.instruction("conversions")
        + kernel.instruction("bitwise") * f.bitwise
    )
    # Addresses, conditions and loop counters.
    integers = min(
        kernel.instruction("integers") * f.integers, f.most_integers * (memory + arithmetic)
    )
    warps = kernel.blocks * kernel.warps
    return memory + arithmetic + integers + f.of_warp * warps


def _doubles(kernel: Kernel) -> float:
    return max(kernel.instruction("double_multiplies"), kernel.instruction("double_additions"))


def busy_cycles(kernel: Kernel, c: Calibration, f: Fitted) -> float:
    """Cycles of one multiprocessor, if it did all of the work: of the unit that is busy longest.
    Doubles and special functions have units of their own."""
    of_all = list(operations(kernel))
    xu = sum(count * operation.xu_cycles for count, operation in of_all)
    xu += kernel.instruction("conversions") * _CYCLES_OF_CONVERSION
    fp64 = sum(count * operation.fp64_cycles for count, operation in of_all)
    fp64 += _doubles(kernel) * _CYCLES_OF_DOUBLE
    return max(issued(kernel, f) / c.instructions_per_cycle, xu / _SCHEDULERS, fp64 / _SCHEDULERS)


def constant_cycles(kernel: Kernel, f: Fitted) -> float:
    """Cycles of one multiprocessor for passes over constant memory beyond the first of a load."""
    passes = kernel.of("constant_passes") - kernel.of("constant_requests")
    return max(0.0, passes) * f.cycles_per_constant
