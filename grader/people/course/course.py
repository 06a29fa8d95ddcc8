"""course.toml as typed, validated data."""

from __future__ import annotations

import difflib
import tomllib
from datetime import UTC, date, datetime, time
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic.types import Strict
from pydantic_core import ErrorDetails

from grader.model.errors import GraderError
from grader.people.course.hand_in import HandingIn, Name, PersonName, Rubric
from grader.people.course.local_time import days_after, exists, instants
from grader.people.course.names import check_names

_MAX_BYTES = 1 << 20


_Time = Annotated[datetime, Strict()] | Annotated[date, Strict()]
"""TOML's local time, time with an offset, or date; a date means the last second of its day."""
_Percent = Annotated[Decimal, Field(ge=0, le=100)]
_Days = Annotated[int, Field(ge=0, le=366)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Late(_Strict):
    """What late work costs. A day ends when clocks show the deadline's time again."""

    free_days: _Days = 0
    """Per student and term."""
    accept_days: _Days = 0
    """_Days after the deadline, with its extension, until which work is accepted."""
    penalty: _Percent = Decimal(0)
    """_Percent for each day or hour begun that no free day covers."""
    per: Literal["day", "hour"] = "day"
    of: Literal["score", "maximum"] = "score"
    at_most: _Percent = Decimal(100)

    @model_validator(mode="after")
    def _usable(self) -> Late:
        if self.free_days and not self.accept_days:
            raise ValueError(
                f"free_days = {self.free_days}, but accept_days = 0: nothing late is accepted"
            )
        return self


class CourseLab(_Strict):
    """A lab of the course, and where its results are."""

    name: Name
    results: list[Name] = []
    """Folders that `grade --out` wrote, relative to course.toml: one, or one per attempt."""
    submissions: list[Name] = []
    """For the times, one per folder of results: Gradescope's download or Moodle's worksheet."""
    weight: Decimal = Field(default=Decimal(1), gt=0, le=1_000_000)
    deadline: _Time | None = None
    counts: Literal["best", "last"] = "best"
    """Which of several hand-ins."""
    extra_credit: bool = False
    """Adds to the total, but not to what the total is a share of."""

    @model_validator(mode="after")
    def _pairs(self) -> CourseLab:
        if self.submissions and len(self.submissions) != len(self.results):
            raise ValueError(
                f"{len(self.submissions)} submissions, but {len(self.results)} results: "
                "name one download for each folder of results"
            )
        return self


class Extension(_Strict):
    """A later deadline for students or groups, or for all, in one lab or in all."""

    students: list[PersonName] = []
    lab: Name | None = None
    days: _Days | None = None
    until: _Time | None = None
    why: str = ""

    @model_validator(mode="after")
    def _one_length(self) -> Extension:
        if (self.days is None) == (self.until is None):
            raise ValueError("set one of days and until")
        return self


class Group(_Strict):
    """Students who hand in once; a group that splits ends with `last_lab`."""

    name: Name
    students: list[PersonName] = Field(min_length=1)
    first_lab: Name | None = None
    last_lab: Name | None = None


class ExtraPoints(_Strict):
    """Points for one student, added to a lab's score or, without `lab`, to the total."""

    student: PersonName
    points: Decimal = Field(ge=-100, le=100)
    why: Name
    lab: Name | None = None


class Course(_Strict):
    """A course as its instructor describes it."""

    name: Name
    time_zone: Name
    labs: list[CourseLab] = Field(min_length=1)
    students: list[PersonName] = []
    """The class list; empty: everyone who handed in or is named here."""
    staff: list[PersonName] = []
    """Who sees everything and may change it in the official run."""
    hand_in: HandingIn = HandingIn()
    rubric: list[Rubric] = []
    handed_in: Name | None = None
    """A CSV file of hand-in times, relative to course.toml."""
    late: Late = Late()
    drop_lowest: int = Field(default=0, ge=0, le=100)
    extensions: list[Extension] = []
    groups: list[Group] = []
    extra_points: list[ExtraPoints] = []
    curve: list[tuple[Decimal, Decimal]] = []
    """Points (total, curved total), linear in between and constant beyond the ends."""
    grades: dict[str, Decimal] = {}
    """The least total of each grade."""

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        if name not in available_timezones():
            raise ValueError(f"{name!r} is no IANA time zone, such as Europe/Berlin")
        return name

    @field_validator("curve")
    @classmethod
    def _rising(cls, curve: list[tuple[Decimal, Decimal]]) -> list[tuple[Decimal, Decimal]]:
        for (x, y), (next_x, next_y) in pairwise(curve):
            if not (x < next_x and y <= next_y):
                raise ValueError(f"after [{x}, {y}] comes [{next_x}, {next_y}]: sort the points")
        return curve

    @model_validator(mode="after")
    def _names_fit(self) -> Course:
        check_names(self)
        return self

    @model_validator(mode="after")
    def _times_exist(self) -> Course:
        times = [lab.deadline for lab in self.labs] + [entry.until for entry in self.extensions]
        for when in times:
            if when is not None:
                self.instant(when)
        return self

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    def lab(self, name: str) -> CourseLab | None:
        """None if the course has no lab of this name."""
        return next((lab for lab in self.labs if lab.name == name), None)

    def instant(self, when: datetime | date) -> datetime:
        """The instant (UTC) of a time of course.toml; the later one where clocks show it twice."""
        if not 2000 <= when.year < 2200:
            raise ValueError(f"{when}: the year must be between 2000 and 2199")
        if not isinstance(when, datetime):
            when = datetime.combine(when, time(23, 59, 59))
        if when.tzinfo is not None:
            return when.astimezone(UTC)
        if not exists(when, self.zone):
            raise ValueError(f"{when} does not exist in {self.time_zone}: clocks skip it")
        return instants(when, self.zone)[1]

    def groups_of(self, lab: CourseLab) -> list[Group]:
        """The groups that work together in a lab."""
        order = {entry.name: place for place, entry in enumerate(self.labs)}
        place = order[lab.name]
        return [
            group
            for group in self.groups
            if (group.first_lab is None or order[group.first_lab] <= place)
            and (group.last_lab is None or place <= order[group.last_lab])
        ]

    def group_of(self, student: str, lab: CourseLab) -> Group | None:
        return next((g for g in self.groups_of(lab) if student in g.students), None)

    def deadline(self, student: str, lab: CourseLab) -> datetime | None:
        """With extensions: the latest counts, and one member's holds for the whole group."""
        if lab.deadline is None:
            return None
        group = self.group_of(student, lab)
        names = {student, *((group.name, *group.students) if group else ())}
        usual = self.instant(lab.deadline)
        deadlines = [usual]
        for entry in self.extensions:
            if entry.lab in (None, lab.name) and (not entry.students or names & {*entry.students}):
                if entry.until is not None:
                    deadlines.append(self.instant(entry.until))
                else:
                    deadlines.append(days_after(usual, entry.days or 0, self.zone))
        return max(deadlines)


def load_course(path: Path) -> Course:
    """Reads course.toml; GraderError names the file, the key and the value that is wrong."""
    values: dict[str, Any] = {}
    try:
        raw = path.read_bytes()
        if len(raw) > _MAX_BYTES:
            raise GraderError(f"{path}: {len(raw)} bytes, limit {_MAX_BYTES}", "make it shorter")
        values = tomllib.loads(raw.decode("utf-8"), parse_float=Decimal)
        return Course.model_validate(values)
    except OSError as error:
        raise GraderError(f"cannot read {path}: {error.strerror}", "check --course") from error
    except ValidationError as error:
        raise _wrong_key(path, values, error.errors()[0]) from error
    except (ValueError, RecursionError, ArithmeticError) as error:
        step = "correct the line it names; a time is written 2026-10-23T23:59:59, with seconds"
        raise GraderError(f"{path} is not TOML: {error}", step) from error


_TABLES: dict[str, type[BaseModel]] = {
    "labs": CourseLab,
    "late": Late,
    "extensions": Extension,
    "groups": Group,
    "extra_points": ExtraPoints,
    "hand_in": HandingIn,
    "rubric": Rubric,
}


def _wrong_key(path: Path, values: dict[str, Any], error: ErrorDetails) -> GraderError:
    """Names the key, whose it is, and its value or, where it is unknown, the one that was meant."""
    place, shown = error["loc"], error["input"]
    key = ".".join(str(part) for part in place) or "course"
    table = str(place[0]) if len(place) > 1 else ""
    if len(place) > 2 and isinstance(place[1], int):
        name = values[table][place[1]].get("name")
        whose = f" (of {name!r})" if name else f" (number {place[1] + 1} of {table})"
    else:
        whose = ""
    value = "" if isinstance(shown, dict | list | Course) else f" = {str(shown)[:80]!r}"
    value += whose
    if error["type"] != "extra_forbidden":
        said = error["msg"].removeprefix("Value error, ")
        step = "add that key" if error["type"] == "missing" else "correct that key"
        return GraderError(f"{path}: {key}{value}: {said}", step)
    known = list(_TABLES.get(table, Course).model_fields)
    close = difflib.get_close_matches(str(place[-1]), known, 1)
    step = f"did you mean {close[0]}?" if close else f"use one of {', '.join(known)}"
    return GraderError(f"{path}: {key}{value}: there is no such key", step)
