"""What the zip file's maker chose, read in the container."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grader.model.errors import GraderError

FILE = "autograder.json"
KIT = "kit"
PROGRAM = "program"


class Settings(BaseModel):
    """autograder.json."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    schema_version: Literal[1] = Field(1, alias="schema")
    lab: str
    seed: int
    """Of the tests' inputs: the same for every submission, so that a rerun repeats them."""
    secret: str
    """As a store's: drawn for each zip file."""
    allow_unjailed: bool = False
    """Whether submissions are graded where no jail can be made."""


def load_settings(source: Path) -> Settings:
    """Those of the unpacked zip file; GraderError if it is not whole."""
    path = source / FILE
    try:
        return Settings.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        problem = f"cannot read {path}: {error.strerror}"
    except ValidationError as error:
        problem = f"{path}: {error.errors()[0]['msg']}"
    raise GraderError(problem, "upload the zip file again, as `grader autograder` wrote it")
