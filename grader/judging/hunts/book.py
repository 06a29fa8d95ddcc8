"""The hunts of a class: who looks for which faults, in which program. Instructors alone have it."""

import unicodedata
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grader.judging.hunts.program import Edit, apply, places
from grader.model.errors import GraderError
from grader.model.verdict import Verdict


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fault(_Record):
    """A change of a right program that makes it wrong."""

    name: str
    """Of the sample, or "mutant/" and a digest."""
    base: str
    """The right program, by its name in Book.programs."""
    kind: Verdict
    edits: tuple[Edit, ...]
    detected: bool = False
    """Whether the lab's public test detects it."""
    testable: bool = True
    """Whether some test can, in a student's build; if not, only a checker does."""
    library: str = ""
    """The name of the kit's library with this fault alone."""

    @property
    def size(self) -> int:
        """How many lines it concerns."""
        return sum(edit.size for edit in self.edits)

    def fits(self, other: "Fault") -> bool:
        """Whether one program can have both."""
        return self.base == other.base and not any(
            mine.touches(theirs) for mine in self.edits for theirs in other.edits
        )


class Hunt(_Record):
    """One student's: a right program, and the faults that were put into it."""

    right: str
    faults: list[Fault]
    library: str = ""
    """The name of the kit's library of the right program."""

    @property
    def program(self) -> str:
        """What the student gets."""
        return self._with(self.faults)

    def alone(self, fault: Fault) -> str:
        """The program with that fault only."""
        return self._with([fault])

    def lines(self, fault: Fault) -> set[int]:
        """The numbers of the lines in `program` in which the fault is."""
        every = [edit for each in self.faults for edit in each.edits]
        return places(fault.edits, every)

    def _with(self, faults: list[Fault]) -> str:
        changed = apply(self.right.split("\n"), [edit for fault in faults for edit in fault.edits])
        return "\n".join(changed)


class Book(_Record):
    """hunts.json."""

    lab: str
    key: str
    """Secret: with it, whoever has the samples can repeat the draw."""
    programs: dict[str, str]
    libraries: dict[str, str]
    """Of the programs."""
    faults: dict[str, Fault]
    students: dict[str, list[str]] = Field(default_factory=dict)
    """The names of each one's faults, in the order of the roster."""

    def hunt(self, student: str) -> Hunt | None:
        """None for a student who has none. Names are equal as in a roster."""
        names = {_key(name): faults for name, faults in self.students.items()}.get(_key(student))
        if names is None:
            return None
        faults = [self.faults[name] for name in names]
        base = faults[0].base
        return Hunt(right=self.programs[base], faults=faults, library=self.libraries[base])


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()


def read_book(path: Path) -> Book:
    """GraderError if there is none, or it is damaged."""
    try:
        return Book.model_validate_json(path.read_bytes())
    except OSError as error:
        step = "draw the hunts first: bazel run //grader -- hunt --help"
        raise GraderError(f"cannot read {path}: {error.strerror}", step) from error
    except ValidationError as error:
        raise GraderError(f"{path}: {error.errors()[0]['msg']}", "put a copy of it back") from error
