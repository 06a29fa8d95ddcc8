"""equivalent_mutants.toml: changes of a reference that the lab's contract allows.

A table's name says why; its keys are lines of the reference, their values the changed lines.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from grader.model.errors import GraderError
from grader.people.checks.mutants import Mutant

FILE = "equivalent_mutants.toml"


_Reason = Annotated[str, Field(min_length=1)]
_Lines = Annotated[list[str], Field(min_length=1)]
_FILE = TypeAdapter(dict[_Reason, dict[str, _Lines]])


@dataclass(frozen=True)
class Equivalent:
    """One change, by the line of the reference before and after it."""

    before: str
    after: str

    def covers(self, mutant: Mutant) -> bool:
        return (self.before, self.after) == (mutant.before, mutant.after)


def load_equivalents(folder: Path) -> list[Equivalent]:
    """The equivalents of a lab's folder in solutions; empty without the file. GraderError if it is
    malformed."""
    path = folder / FILE
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        reasons = _FILE.validate_python(data)
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise GraderError(f"{path}: {error}", "correct the file") from error
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise GraderError(
            f"{path}: {place}: {error.errors()[0]['msg']}",
            'under ["reason"], give each line before the change a list of lines after it',
        ) from error
    return [
        Equivalent(before, after)
        for changes in reasons.values()
        for before, lines in changes.items()
        for after in lines
    ]
