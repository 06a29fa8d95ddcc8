"""What a GPU does for operations that a CPU has one instruction or one call for, as the division of
integers: operations.csv, which calibrate/operations.py makes from nvcc's own code."""

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Operation:
    """Of one warp."""

    instructions: int
    xu_cycles: int  # of a scheduler's unit for special functions
    fp64_cycles: int  # of its unit for doubles
    latency: int  # cycles from operands to result


def _read() -> dict[str, Operation]:
    with Path(__file__).with_name("operations.csv").open(newline="", encoding="utf-8") as file:
        return {
            row["operation"]: Operation(
                *(
                    int(row[name])
                    for name in ("instructions", "xu_cycles", "fp64_cycles", "latency")
                )
            )
            for row in csv.DictReader(file)
        }


OPERATIONS: Mapping[str, Operation] = _read()

_CALLED = re.compile(r"<(\w+)(?:@[\w.]+)?>")


def called(operands: str) -> str:
    """Which of OPERATIONS a call with these operands, as objdump writes them, is; "" if none."""
    found = _CALLED.search(operands)
    return found[1] if found and found[1] in OPERATIONS else ""


def first_match(name: str, patterns: Iterable[tuple[str, re.Pattern[str]]]) -> str:
    """The kind of the first pattern that the instruction's name matches; "" if none does."""
    return next((kind for kind, pattern in patterns if pattern.match(name)), "")
