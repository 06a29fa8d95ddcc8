"""The programs of a kit of the kind "tests": right ones, and faults by the part they are in."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grader.model.errors import GraderError
from grader.model.manifest import Kit
from grader.model.verdict import Verdict

FOLDER = "programs"
LIST = "programs.json"
OWN_TEST = "own_test"
PUBLIC_TEST = "public_test"
"""The lab's tests, linked as a student's are. No jail sees them."""
PLACE = "/program/program.so"
"""Where a test finds the program that it is to test, whichever that is."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fault(_Strict):
    """A program that the lab's own tests of one part detect."""

    library: str
    """The name of its file among the kit's programs."""
    part: str
    """The part's function."""
    kind: Verdict
    """A sample's verdict, or how a mutant shows."""
    case: str
    """The first of the lab's own tests that fails; empty where none ran to its end."""
    public: bool
    """Whether the public test detects it, too."""


class Programs(_Strict):
    right: list[str] = Field(min_length=1)
    """The libraries of programs on which every test must pass."""
    faults: list[Fault] = Field(min_length=1)


def load_programs(kit: Kit) -> Programs:
    """GraderError if the kit's list is missing or malformed."""
    path = kit.root / LIST
    try:
        return Programs.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise GraderError(f"{path}: {str(error).splitlines()[0]}", "build the kit again") from error


def library(kit: Kit, name: str) -> Path:
    """The path of a program of the kit."""
    return kit.root / FOLDER / name
