"""lab.toml as typed, validated data."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from grader.model.errors import GraderError


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Limits(_Strict):
    """What one submission may use. Seconds are wall time, sizes are powers of two."""

    source_kb: int = Field(default=256, gt=0)
    compile_s: float = Field(default=20, gt=0)
    compile_mb: int = Field(default=1500, gt=0)
    call_s: float = Field(default=5, gt=0)
    memory_mb: int = Field(default=1024, gt=0)
    pids: int = Field(default=64, gt=0)
    output_kb: int = Field(default=256, gt=0)


class Policy(_Strict):
    """Which headers and symbols a submission may or must use (shell patterns)."""

    includes: list[str] = []
    needed: list[list[str]] = []
    forbidden: list[str] = []


class Timing(_Strict):
    """Thresholds on the ratio student time / reference time."""

    suite: str
    points: float = Field(gt=0)
    full: float = Field(gt=0)
    zero: float = Field(gt=0)
    budget_s: float = Field(default=5, gt=0)
    confidence: float = Field(default=0.95, gt=0.5, lt=1)

    @model_validator(mode="after")
    def _ordered(self) -> Timing:
        if not self.full < self.zero:
            raise ValueError(f"full = {self.full} must be below zero = {self.zero}")
        return self


class Part(_Strict):
    """One graded function of a lab."""

    function: str
    title: str
    suite: str
    points: float = Field(gt=0)
    timing: Timing | None = None

    @property
    def max_points(self) -> float:
        return self.points + (self.timing.points if self.timing else 0)


class Lab(_Strict):
    """A lab as its author describes it."""

    title: str
    file: str = Field(pattern=r"^[A-Za-z0-9_]+\.(cc|cu)$")
    model: Literal["cpu", "cuda"]
    limits: Limits = Limits()
    policy: Policy = Policy()
    parts: list[Part] = Field(min_length=1)

    @property
    def max_points(self) -> float:
        return sum(part.max_points for part in self.parts)

    @model_validator(mode="after")
    def _totals_one_hundred(self) -> Lab:
        if abs(self.max_points - 100) > 1e-9:
            raise ValueError(f"the parts' points sum to {self.max_points:g}, not to 100")
        return self


def load_lab(path: Path) -> Lab:
    """Reads lab.toml; GraderError names the file, the key and the value that is wrong."""
    try:
        return Lab.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise GraderError(
            f"cannot read {path}: {error.strerror}", "build the kit again, or check --kit"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GraderError(f"{path} is not TOML: {error}", "mend the line it names") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "lab"
        raise GraderError(f"{path}: {key}: {first['msg']}", "mend that key") from error
