"""lab.toml as typed, validated data."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from grader.model.counters import Counter, counter_named
from grader.model.errors import GraderError


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Limits(_Strict):
    """What one submission may use. Seconds are wall time, without what others on the machine took;
    sizes are powers of two."""

    source_kb: int = Field(default=256, gt=0)
    compile_s: float = Field(default=20, gt=0)
    compile_mb: int = Field(default=1500, gt=0)
    call_s: float = Field(default=5, gt=0)
    memory_mb: int = Field(default=1024, gt=0)
    pids: int = Field(default=64, gt=0)
    output_kb: int = Field(default=256, gt=0)


class Policy(_Strict):
    """Which headers and symbols a submission may or must use (shell patterns).

    Each part's function must reach one symbol of each group in `needed`; of a file in which nothing
    uses them nothing is run.
    """

    includes: list[str] = []
    needed: list[list[str]] = []
    forbidden: list[str] = []


class GpuThresholds(_Strict):
    """What a timing's `full` and `zero` are on a GPU."""

    full: float = Field(gt=0)
    zero: float = Field(gt=0)


class Timing(_Strict):
    """Thresholds on the ratio student time / reference time."""

    suite: str
    points: float = Field(gt=0)
    full: float = Field(gt=0)
    zero: float = Field(gt=0)
    budget_s: float = Field(default=5, gt=0)
    confidence: float = Field(default=0.95, gt=0.5, lt=1)
    gpu: GpuThresholds | None = None
    """Where the same solutions are further apart, or closer, on a GPU than on the simulator."""

    @model_validator(mode="after")
    def _ordered(self) -> Timing:
        pairs = [(self.full, self.zero)]
        pairs += [(self.gpu.full, self.gpu.zero)] if self.gpu else []
        for full, zero in pairs:
            if not full < zero:
                raise ValueError(f"full = {full} must be below zero = {zero}")
        return self

    def chosen(self, *, gpu: bool) -> Timing:
        """The thresholds for a GPU, if that is asked for and there are any of its own."""
        if not gpu or self.gpu is None:
            return self
        return self.model_copy(update={"full": self.gpu.full, "zero": self.gpu.zero})


class Scaling(Timing):
    """Thresholds on how much worse the code scales than the reference.

    The figure is the ratio student time / reference time with a thread for each free core, over
    that with one thread. Code that does not scale at all reaches 2 where there are two cores, and
    less where the reference falls short of them: `zero` is best well below.
    """


class CounterThreshold(_Strict):
    """A threshold on what the CUDA simulator counts in the calls of one hidden suite.

    All points are earned at `at_least` or `at_most`, none at `zero`, and between the two they fall
    in a straight line; without `zero` they are all or nothing.
    """

    suite: str
    counter: str
    kernel: str = Field(default="*", min_length=1)
    """A shell pattern for the names of kernels."""
    at_least: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    at_most: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    zero: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    occurs: bool = False
    """Whether a count of 0 earns nothing: who never uses shared memory has no conflicts there."""
    points: float = Field(gt=0)
    why: str = Field(min_length=1)
    """What a student should do, in words that give the solution's idea."""

    @field_validator("counter")
    @classmethod
    def _known(cls, name: str) -> str:
        return counter_named(name).name

    @model_validator(mode="after")
    def _one_side(self) -> CounterThreshold:
        if (self.at_least is None) == (self.at_most is None):
            count = "neither" if self.at_least is None else "both"
            raise ValueError(f"{self.counter} has {count} of at_least and at_most: say one")
        if self.zero is not None and self.zero_is_no_worse(self.zero):
            side = "below at_least" if self.at_most is None else "above at_most"
            raise ValueError(f"zero = {self.zero:g} must be {side} = {self.full:g}")
        return self

    @model_validator(mode="after")
    def _reachable(self) -> CounterThreshold:
        most = self.counted.most
        if self.at_least is not None and self.at_least > most:
            raise ValueError(
                f"at_least = {self.at_least:g} is out of reach: {self.counter} is at most {most:g}"
            )
        if self.at_least == 0 or (self.at_most is not None and self.at_most >= most):
            raise ValueError(
                f"{self.full:g} is no threshold: every {self.counter} is on the right side of it"
            )
        return self

    @property
    def counted(self) -> Counter:
        return counter_named(self.counter)

    @property
    def full(self) -> float:
        """The value at which all points are earned."""
        if self.at_least is not None:
            return self.at_least
        assert self.at_most is not None
        return self.at_most

    def zero_is_no_worse(self, zero: float) -> bool:
        return zero >= self.full if self.at_most is None else zero <= self.full


class Part(_Strict):
    """One graded function of a lab."""

    function: str
    title: str
    suite: str
    points: float = Field(gt=0)
    timing: Timing | None = None
    scaling: Scaling | None = None
    counters: list[CounterThreshold] = []
    needed: list[list[str]] = []
    """More than Policy.needed asks of each part's function, of what that calls and of initialisers:
    right answers without it earn no points."""

    @property
    def counter_points(self) -> float:
        return sum(counter.points for counter in self.counters)

    @property
    def clocked(self) -> list[Timing]:
        """What a clock decides: timing, scaling, both or nothing."""
        return [thresholds for thresholds in (self.timing, self.scaling) if thresholds]

    @property
    def max_points(self) -> float:
        clocked = sum(thresholds.points for thresholds in self.clocked)
        return self.points + clocked + self.counter_points


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
    def _counts_on_the_simulator(self) -> Lab:
        counted = next((part for part in self.parts if part.counters), None)
        if counted and self.model != "cuda":
            raise ValueError(
                f"{counted.function} has counters, but model = {self.model!r}: only the CUDA "
                "simulator counts"
            )
        return self

    @model_validator(mode="after")
    def _scales_on_the_cpu(self) -> Lab:
        scaled = next((part for part in self.parts if part.scaling), None)
        if scaled and self.model != "cpu":
            raise ValueError(
                f"{scaled.function} has scaling, but model = {self.model!r}: only threads of the "
                "CPU can be as many as is asked"
            )
        return self

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
