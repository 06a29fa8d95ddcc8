"""What the CUDA simulator counted in one call, read from the JSON that the submission's own process
wrote: untrusted bytes, of which only numbers in range and short texts are accepted."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from grader.model.counters import CALL_AMOUNTS, COUNTERS

MAX_COUNT = 2.0**53
_MAX_KERNELS = 512
_MAX_LINES = 512
_Name = Annotated[str, Field(max_length=256)]
_Words = Annotated[str, Field(max_length=1000)]


class ProfileError(Exception):
    """The text is not what the simulator writes."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Line(_Part):
    """One line of a kernel that accesses memory."""

    file: _Name = ""
    line: int = Field(default=0, ge=0, le=2**31)
    operation: _Name = ""
    advice: _Words = ""


class Launches(_Part):
    """All launches of one kernel with one grid and block."""

    kernel: Annotated[str, Field(min_length=1, max_length=256)]
    launches: int = Field(ge=1, le=2**53)
    counters: dict[str, float]
    lines: list[Line] = Field(default=[], max_length=_MAX_LINES)
    advice: list[_Words] = Field(default=[], max_length=_MAX_LINES)

    @field_validator("counters", mode="before")
    @classmethod
    def _numbers_of_known_names(cls, counters: Any) -> Any:  # noqa: ANN401
        """Drops unknown names, which a later simulator may write, and counters without a value."""
        if not isinstance(counters, dict):
            return counters
        return {
            name: _number(name, value)
            for name, value in counters.items()
            if name in COUNTERS and value is not None
        }


class Profile(_Part):
    """What was counted in one call of the function."""

    schema_version: Literal[1] = Field(alias="schema")
    kernels: list[Launches] = Field(max_length=_MAX_KERNELS)
    call: dict[str, float] = {}
    """Counted over the whole call, by the amounts' names: "work", "span", "host_device_bytes"."""

    @field_validator("call", mode="before")
    @classmethod
    def _known_amounts(cls, amounts: Any) -> Any:  # noqa: ANN401
        if not isinstance(amounts, dict):
            return amounts
        return {
            name: _number(name, value) for name, value in amounts.items() if name in CALL_AMOUNTS
        }


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} is not a number")
    if not 0 <= value <= MAX_COUNT:
        raise ValueError(f"{name} is out of range")
    return float(value)


def parse_profile(text: str) -> Profile:
    """What one call did; ProfileError, with a short message, if the text is anything else."""
    try:
        return Profile.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:100] or "the text"
        raise ProfileError(f"{where}: {first['msg'][:200]}") from error
