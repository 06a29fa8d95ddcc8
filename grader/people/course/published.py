"""The published scores, kept beside course.toml: what students were told, and when."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from grader.model.errors import GraderError
from grader.model.files import write_text
from grader.people.course.term import Student

_TOTAL = ""
"""The key of a student's total among the names of labs, which are never empty."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Publication(_Record):
    """The scores that one `--publish` changed: student -> lab -> score."""

    at: datetime
    scores: dict[str, dict[str, Decimal]]


class Published(_Record):
    """Every publication, oldest first: an old score is never forgotten."""

    schema_version: Literal[1] = 1
    publications: list[Publication] = []

    def score(self, student: str, lab: str) -> Decimal | None:
        """The score that was published last."""
        for publication in reversed(self.publications):
            if (found := publication.scores.get(student, {}).get(lab)) is not None:
                return found
        return None


def published_path(course: Path) -> Path:
    return course.with_name(f"{course.stem}.published.json")


def read_published(path: Path) -> Published:
    """Nothing published yet if there is no such file."""
    try:
        return Published.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Published()
    except OSError as error:
        raise GraderError(f"cannot read {path}: {error.strerror}", "check it") from error
    except ValidationError as error:
        raise GraderError(f"{path} is damaged: {error.errors()[0]['msg']}", "restore it") from error


def with_published(table: list[Student], published: Published) -> list[Student]:
    """The table with what was published before; a changed score says so."""
    shown = []
    for student in table:
        labs = []
        for line in student.labs:
            old = published.score(student.student, line.lab)
            why = line.why
            if old is not None and old != line.counted:
                now = "not counted" if line.counted is None else str(line.counted)
                why = f"{why} Published {old}, now {now}."
            labs.append(replace(line, published=old, why=why))
        total = published.score(student.student, _TOTAL)
        shown.append(replace(student, labs=labs, published_total=total))
    return shown


def publish(path: Path, published: Published, table: list[Student], at: datetime) -> int:
    """Adds what changed since the last publication to the file; returns the number of scores."""
    changed: dict[str, dict[str, Decimal]] = {}
    for student in table:
        scores = {line.lab: line.counted for line in student.labs} | {_TOTAL: student.total}
        for lab, score in scores.items():
            if score is not None and score != published.score(student.student, lab):
                changed.setdefault(student.student, {})[lab] = score
    if changed:
        entry = Publication(at=at, scores=changed)
        whole = Published(publications=[*published.publications, entry])
        write_text(path, whole.model_dump_json(indent=1) + "\n")
    return sum(len(set(scores) - {_TOTAL}) for scores in changed.values())
