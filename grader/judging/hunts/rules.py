"""hunt.toml as typed data."""

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from grader.model.errors import GraderError

NAME = "hunt.toml"
_DEFAULT = Path(__file__).with_name(NAME)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Points(_Strict):
    program: float = Field(gt=0)
    lines: float = Field(gt=0)
    kind: float = Field(gt=0)
    test: float = Field(gt=0)

    @model_validator(mode="after")
    def _totals_one_hundred(self) -> "Points":
        total = self.program + self.lines + self.kind + self.test
        if abs(total - 100) > 1e-9:
            raise ValueError(f"the points sum to {total:g}, not to 100")
        return self


class Limit(_Strict):
    """A number of lines: so many times those of the faults, and more."""

    times: float = Field(gt=0)
    more: int = Field(ge=0)

    def of(self, size: int) -> int:
        return int(self.times * size) + self.more


class Drawn(_Strict):
    largest: int = Field(gt=0)


class Rules(_Strict):
    """How hunts are drawn and graded."""

    points: Points
    change: Limit
    named: Limit
    drawn: Drawn


def rules_for(lab: Path) -> Rules:
    """Those in the lab's folder, else the usual ones; GraderError names what is wrong."""
    own = lab / NAME
    path = own if own.exists() else _DEFAULT
    try:
        return Rules.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        said = str(error)
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            said = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise GraderError(f"{path}: {said}", f"write it as {_DEFAULT}") from error
