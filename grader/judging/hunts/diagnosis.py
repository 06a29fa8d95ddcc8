"""diagnosis.toml: what a student says of the faults."""

import re
import tomllib
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from grader.model.kind import DIAGNOSIS
from grader.model.verdict import Verdict

KINDS = tuple(
    sorted(
        {
            Verdict.WRONG_ANSWER,
            Verdict.RUNTIME_ERROR,
            Verdict.TIME_LIMIT,
            Verdict.DATA_RACE,
            Verdict.DEADLOCK,
            Verdict.OUT_OF_BOUNDS,
            Verdict.UNINITIALISED_READ,
            Verdict.BARRIER_DIVERGENCE,
        }
    )
)
"""The kinds of faults. Without too_slow, which no input shows, and memory_limit, as that of the
student's machine is not limited."""

_MOST_BYTES = 8 << 10
_LINES = re.compile(r"(\d{1,5})(?:\s*-\s*(\d{1,5}))?")


class Entry(BaseModel):
    """What is said of one fault."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    kind: str
    lines: str
    input: str = Field(max_length=500)
    remedy: str = Field(max_length=500)

    @field_validator("kind")
    @classmethod
    def _is_a_kind(cls, kind: str) -> str:
        if kind and kind not in KINDS:
            raise ValueError(f"{kind[:40]!r} is no kind; use one of {', '.join(KINDS)}")
        return kind

    @field_validator("lines")
    @classmethod
    def _is_a_range(cls, lines: str) -> str:
        found = _LINES.fullmatch(lines.strip())
        if lines and not found:
            raise ValueError(f'{lines[:40]!r} is no range of lines; write "42" or "42-45"')
        if found and found[2] and int(found[1]) > int(found[2]):
            raise ValueError(f"{lines[:40]!r} ends before it begins")
        return lines.strip()

    @property
    def named(self) -> range:
        """The numbers of the lines; empty if none are named."""
        found = _LINES.fullmatch(self.lines)
        return range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)


@dataclass(frozen=True)
class Diagnosis:
    """An entry for each fault, and why some say nothing."""

    entries: tuple[Entry | None, ...]
    problems: tuple[str, ...] = ()


def parse(data: bytes, faults: int) -> Diagnosis:
    """Never raises: what cannot be read says nothing, and its problem says why."""
    nothing: tuple[Entry | None, ...] = (None,) * faults
    if len(data) > _MOST_BYTES:
        return Diagnosis(nothing, (f"{DIAGNOSIS}: {len(data)} bytes, limit {_MOST_BYTES}",))
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError, ArithmeticError) as error:
        return Diagnosis(nothing, (f"{DIAGNOSIS} is not TOML: {str(error)[:200]}",))
    told = table.get("fault")
    if set(table) != {"fault"} or not isinstance(told, list):
        return Diagnosis(
            nothing, (f"{DIAGNOSIS}: write [[fault]] above each entry, and nothing else",)
        )
    if len(told) > faults:
        problem = f"{DIAGNOSIS} has {len(told)} entries, but there are {faults} faults: none counts"
        return Diagnosis(nothing, (problem,))
    read = [_entry(number, entry) for number, entry in enumerate(told, 1)]
    entries = tuple(entry for entry, _ in read) + nothing[len(read) :]
    return Diagnosis(entries, tuple(problem for _, problem in read if problem))


def _entry(number: int, table: object) -> tuple[Entry | None, str]:
    try:
        return Entry.model_validate(table, strict=True), ""
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part)[:40] for part in first["loc"]) or "the entry"
        said = first["msg"].removeprefix("Value error, ")
        return None, f"{DIAGNOSIS}: fault {number}: {key}: {said}"
