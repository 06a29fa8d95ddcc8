"""lab.toml as typed, validated data."""

from __future__ import annotations

import collections
import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from common.lab.programming_models.model import ProgrammingModel
from common.lab.programming_models.models import MODELS
from common.lab.text_policy.policy import DEFAULT_SOURCE_KB
from grader.model.counters import Counter, counter_named
from grader.model.errors import GraderError

DEFAULT_HOST_BYTES = 64
DEFAULT_COPIED_BYTES = 4096

_MAX_CHARACTERS = 1 << 16
"""Maximum size of a lab.toml, ten times the largest one: tomllib's time is quadratic in the number
of a key's parts."""

_Limit = Annotated[float, BeforeValidator(lambda limit: math.inf if limit is None else limit)]
"""A limit that may be infinite: JSON has no infinity, so a stored lab has null there."""

_LANGUAGES = [model.language for model in MODELS.values()]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Limits(_Strict):
    """Limits of one submission. Seconds are wall time minus run-queue wait; kb and mb are KiB and
    MiB."""

    source_kb: int = Field(default=DEFAULT_SOURCE_KB, gt=0)
    compile_s: float = Field(default=20, gt=0)
    compile_mb: int = Field(default=1500, gt=0)
    call_s: float = Field(default=5, gt=0)
    run_s: float = Field(default=300, gt=0)
    """Sum over all calls of one phase."""
    memory_mb: int = Field(default=512, gt=0)
    pids: int = Field(default=64, gt=0)
    output_kb: int = Field(default=256, gt=0)


class Feedback(_Strict):
    """What students see of a hidden test that failed; the grader stores everything."""

    hidden: Literal["first_difference", "case", "verdict"] = "first_difference"
    """first_difference: the case, its size and the first wrong element with the right one; case:
    the case and its size; verdict: neither, and no reports of checkers."""


class Policy(_Strict):
    """Which headers, words and symbols a submission may or must use (shell patterns).

    Each part's function must reach one symbol of each group in `needed`; a file that uses none of a
    group is not run.
    """

    includes: list[str] = []
    """"usual" stands for the usual headers of the lab's programming model."""
    words: list[str] = []
    """Identifiers that the lab forbids in the submission's own text, for what leaves no symbol."""
    needed: list[list[str]] = []
    forbidden: list[str] = []
    allowed: list[str] = []
    """Functions besides those that every lab allows (allowed_symbols.py), by their mangled names.
    What they read or write for their caller, no checker sees."""


class GpuThresholds(_Strict):
    """A timing's `full` and `zero` on a GPU."""

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
    """Other thresholds on a GPU, if ratios there differ from those on the simulator."""

    @model_validator(mode="after")
    def _ordered(self) -> Timing:
        pairs = [(self.full, self.zero)]
        pairs += [(self.gpu.full, self.gpu.zero)] if self.gpu else []
        for full, zero in pairs:
            if not full < zero:
                raise ValueError(f"full = {full} must be below zero = {zero}")
        return self

    def chosen(self, *, gpu: bool) -> Timing:
        """These thresholds; with `gpu` those for a GPU, if there are any."""
        if not gpu or self.gpu is None:
            return self
        return self.model_copy(update={"full": self.gpu.full, "zero": self.gpu.zero})


class Parallelism(_Strict):
    """How parallel a part must be for its performance points to count.

    On the CUDA simulator the figure is work / span of the suite's calls; on the CPU it is the
    expected speedup of a team of four, measured in the suite's calls. All points for performance
    count at `full`, none at `zero`, and their share is linear in between.
    """

    suite: str
    points: float = Field(gt=0)
    full: float = Field(gt=1, allow_inf_nan=False)
    zero: float = Field(ge=1, allow_inf_nan=False)
    budget_s: float = Field(default=5, gt=0)
    confidence: float = Field(default=0.95, gt=0.5, lt=1)

    @model_validator(mode="after")
    def _ordered(self) -> Parallelism:
        if not self.zero < self.full:
            raise ValueError(f"zero = {self.zero:g} must be below full = {self.full:g}")
        return self


class CounterThreshold(_Strict):
    """A threshold on a counter of the CUDA simulator in the calls of one hidden suite.

    All points are earned at `at_least` or `at_most`, none at `zero`, and points are linear in
    between; without `zero` they are all or nothing.
    """

    suite: str
    counter: str
    kernel: str = Field(default="*", min_length=1)
    """A shell pattern for the names of kernels."""
    at_least: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    at_most: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    zero: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    none_is_right: bool = False
    """Whether a count of 0 earns points: a program that never uses shared memory has no conflicts
    there, but has not learned to avoid them either."""
    points: float = Field(gt=0)
    why: str = Field(min_length=1)
    """What a student should do, in words that give the solution's idea. In lab.toml it may be a
    name of Lab.why."""

    @field_validator("why")
    @classmethod
    def _text(cls, why: str, info: ValidationInfo) -> str:
        texts = info.context if isinstance(info.context, dict) else {}
        text = str(texts.get(why, why))
        if " " not in text:
            raise ValueError(f"{text!r} is neither a sentence nor a name in [why]")
        return text

    @field_validator("counter")
    @classmethod
    def _known(cls, name: str) -> str:
        return counter_named(name).name

    @model_validator(mode="after")
    def _one_side(self) -> CounterThreshold:
        if (self.at_least is None) == (self.at_most is None):
            count = "neither" if self.at_least is None else "both"
            raise ValueError(f"{self.counter} has {count} of at_least and at_most: set one")
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
            raise ValueError(f"{self.full:g} is no threshold: every {self.counter} meets it")
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


def _with_suite(table: object, suite: str) -> object:
    return {"suite": suite, **table} if isinstance(table, dict) else table


class Part(_Strict):
    """One graded function of a lab.

    Where no suite is named, that of the function F is FTest, that of its timing FTiming, and that
    of its counters FCounted.
    """

    function: str
    title: str
    suite: str
    points: float = Field(gt=0)
    timing: Timing | None = None
    parallelism: Parallelism | None = None
    counters: list[CounterThreshold] = []
    host_bytes: _Limit = Field(default=DEFAULT_HOST_BYTES, ge=0)
    """Maximum bytes of an output that a call of a CUDA lab may copy from the host or fill."""
    copied_bytes: _Limit = Field(default=DEFAULT_COPIED_BYTES, ge=0)
    """Maximum bytes that a counted call may copy between host and device."""
    needed: list[list[str]] = []
    """Groups of symbols that this part's function must reach in addition to Policy.needed, itself,
    by a call or by static initialisers: right answers without them earn no points."""

    @model_validator(mode="before")
    @classmethod
    def _suites(cls, table: object) -> object:
        if not isinstance(table, dict):
            return table
        name = table.get("function")
        filled = {"suite": f"{name}Test", **table}
        if "timing" in table:
            filled["timing"] = _with_suite(table["timing"], f"{name}Timing")
        if isinstance(counters := table.get("counters"), list):
            filled["counters"] = [_with_suite(entry, f"{name}Counted") for entry in counters]
        return filled

    @property
    def counter_points(self) -> float:
        return sum(counter.points for counter in self.counters)

    @property
    def counted_suites(self) -> list[str]:
        """CUDA labs only: suites whose calls run under the simulator's counters."""
        suites = [counter.suite for counter in self.counters]
        suites += [self.parallelism.suite] if self.parallelism else []
        return list(dict.fromkeys(suites))

    @property
    def max_points(self) -> float:
        performance = (self.timing, self.parallelism)
        return (
            self.points + sum(asked.points for asked in performance if asked) + self.counter_points
        )

    def untimed(self) -> Part:
        """The part with its points for time in other places, where whoever gets all of them here
        gets the same, and nobody gets less."""
        if self.timing is None:
            return self
        update: dict[str, object] = {"timing": None, "points": self.points + self.timing.points}
        if self.parallelism:
            points = self.parallelism.points + self.timing.points
            more = self.parallelism.model_copy(update={"points": points})
            update = {"timing": None, "parallelism": more}
        return self.model_copy(update=update)


class Ceiling(_Strict):
    """The most points that a right program without the parallel work may earn.

    Written as a number, or as a table with the reason if it exceeds the usual ceiling of its class.
    """

    most: float = Field(ge=0, le=100)
    why: str = ""
    clock: bool = False
    """Whether only a clock proves it, not what is counted."""

    @model_validator(mode="before")
    @classmethod
    def _number(cls, value: object) -> object:
        return {"most": value} if isinstance(value, int | float) else value


class Lab(_Strict):
    """A lab as its author describes it."""

    title: str
    file: str = Field(pattern=rf"^[A-Za-z0-9_]+\.({'|'.join(_LANGUAGES)})$")
    model: str = Field(json_schema_extra={"enum": list(MODELS)})
    limits: Limits = Limits()
    policy: Policy = Policy()
    feedback: Feedback = Feedback()
    ceilings: dict[str, Ceiling] = {}
    """Ceilings by the name of the lazy sample. Where points are for performance, the classes of the
    programming model have theirs, if the lab states no others."""
    why: dict[str, str] = {}
    """Texts that several thresholds share, by name."""
    parts: list[Part] = Field(min_length=1)

    @property
    def max_points(self) -> float:
        return sum(part.max_points for part in self.parts)

    @property
    def programming(self) -> ProgrammingModel:
        """The lab's programming model."""
        return MODELS[self.model]

    @property
    def usual_ceilings(self) -> Mapping[str, float]:
        """Of its model's classes; none where tests earn all points, as no lazy program loses any
        there."""
        performance = any(part.max_points > part.points for part in self.parts)
        return self.programming.ceilings if performance else {}

    @property
    def measures_teams(self) -> bool:
        """Whether points depend on what the threads of a team do."""
        return not self.programming.counters and any(part.parallelism for part in self.parts)

    @field_validator("model")
    @classmethod
    def _is_registered(cls, name: str) -> str:
        if name not in MODELS:
            raise ValueError(f"{name!r} is no programming model; there are {', '.join(MODELS)}")
        return name

    @model_validator(mode="after")
    def _has_the_usual_ceilings(self) -> Lab:
        usual = {
            name: Ceiling(most=most, clock=name in self.programming.clocked)
            for name, most in self.usual_ceilings.items()
        }
        object.__setattr__(self, "ceilings", usual | self.ceilings)  # frozen, but not yet made
        return self

    @model_validator(mode="after")
    def _counts_on_the_simulator(self) -> Lab:
        counted = next((part for part in self.parts if part.counters), None)
        if counted and not self.programming.counters:
            raise ValueError(
                f"{counted.function} has counters, but model = {self.model!r}: only the CUDA "
                "simulator counts"
            )
        return self

    @model_validator(mode="after")
    def _says_each_why_once(self) -> Lab:
        used = collections.Counter(entry.why for part in self.parts for entry in part.counters)
        for text, times in used.items():
            if times > 1 and text not in self.why.values():
                raise ValueError(f"{times} thresholds repeat {text!r}: give it a name in [why]")
        for name, text in self.why.items():
            if text not in used:
                raise ValueError(f"no threshold uses {name!r} of [why]: remove it")
        return self

    @model_validator(mode="after")
    def _totals_one_hundred(self) -> Lab:
        if abs(self.max_points - 100) > 1e-9:
            raise ValueError(f"the parts' points sum to {self.max_points:g}, not to 100")
        return self


def load_lab(path: Path) -> Lab:
    """Reads lab.toml; GraderError names the file, the key and the value that is wrong."""
    try:
        return parse_lab(path.read_bytes(), path)
    except OSError as error:
        raise GraderError(
            f"cannot read {path}: {error.strerror}", "build the kit again, or check --kit"
        ) from error


def parse_lab(data: bytes, path: Path) -> Lab:
    """The lab that lab.toml describes; GraderError as of `load_lab`."""
    try:
        text = data.decode("utf-8")
        if len(text) > _MAX_CHARACTERS:
            raise GraderError(
                f"{path}: {len(text)} characters, limit {_MAX_CHARACTERS}", "make it shorter"
            )
        table = tomllib.loads(text)
        return Lab.model_validate(table, context=table.get("why"))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "lab"
        said = first["msg"].removeprefix("Value error, ")
        raise GraderError(f"{path}: {key}: {said}", "correct that key") from error
    # tomllib also passes on errors of Python's own parsers of dates and numbers.
    except (ValueError, RecursionError) as error:
        raise GraderError(f"{path} is not TOML: {error}", "correct the line it names") from error
