"""equivalent_mutants.toml: changes of a reference that the lab's contract allows."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grader.model.errors import GraderError
from grader.people.checks.mutants import Mutant

FILE = "equivalent_mutants.toml"


class Equivalent(BaseModel):
    """One change, by the line of the reference before and after it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    before: str
    after: str = ""
    why: str = Field(min_length=1)

    def covers(self, mutant: Mutant) -> bool:
        return (self.before, self.after) == (mutant.before, mutant.after)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    equivalent: list[Equivalent] = []


def load_equivalents(folder: Path) -> list[Equivalent]:
    """The equivalents of a lab's folder in solutions; empty without the file. GraderError if it is
    malformed."""
    path = folder / FILE
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return _File.model_validate(data).equivalent
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise GraderError(f"{path}: {error}", "correct the file") from error
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise GraderError(
            f"{path}: {place}: {error.errors()[0]['msg']}",
            "give each [[equivalent]] the strings before, after and why",
        ) from error
