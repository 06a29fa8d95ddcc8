"""What pictures need of the simulator's profile of one call: untrusted, as in call_profile.py.

No points depend on it, so a damaged text has no pictures.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from grader.model.kernel_costs import LANES, Operation
from grader.sandbox.call_profile import MAX_COUNT

_LONGEST_NAME, _MOST_KERNELS, _MOST_ENTRIES = 100, 512, 512

_Count = Annotated[int, Field(ge=0, le=2**53)]
_Amount = Annotated[float, Field(ge=0, le=MAX_COUNT)]
_Address = Annotated[int, Field(ge=-1, le=2**53)]
_Name = Annotated[
    str, BeforeValidator(lambda name: name[:_LONGEST_NAME] if isinstance(name, str) else name)
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Place(_Part):
    """A line of the source."""

    file: _Name
    line: int = Field(ge=0, le=2**31)


class Sample(_Part):
    """The request of a line that wastes most."""

    which: Literal["worst"]
    cost: _Count
    ideal: _Count
    bytes: int = Field(ge=1, le=64)
    addresses: list[_Address] = Field(min_length=LANES, max_length=LANES)


class SampledLine(Place):
    """The accesses of one kind by one line to one array."""

    operation: Operation
    target: _Name
    requests: _Count
    cost: _Amount
    waste: _Amount
    samples: list[Sample | None] = Field(max_length=1)
    costs: list[tuple[_Count, _Count, _Count]] = Field(max_length=_MOST_ENTRIES)
    """What requests cost, what they would at best, and how many did."""


class Side(Place):
    """The lanes that took one side of a branch, a bit each, and where it begins."""

    lanes: int = Field(ge=0, lt=2**LANES)


class SampledBranch(Place):
    """A branch at which warps diverged."""

    runs: _Count
    divergent: _Count
    sides: list[Side] = Field(min_length=2, max_length=2)


class _Samples(_Part):
    branches: list[SampledBranch] = Field(max_length=_MOST_ENTRIES)


class _Counters(_Part):
    branches: _Amount


class SampledKernel(_Part):
    """One kernel in one launch configuration."""

    library: bool
    counters: _Counters
    lines: list[SampledLine] = Field(max_length=_MOST_ENTRIES)
    samples: _Samples


class _Sampled(_Part):
    kernels: list[SampledKernel] = Field(max_length=_MOST_KERNELS)


def parse_costs(text: str) -> list[SampledKernel]:
    """The kernels of the student; none if the text has no samples or is damaged."""
    try:
        kernels = _Sampled.model_validate_json(text).kernels
    except ValidationError:
        return []
    return [kernel for kernel in kernels if not kernel.library]
