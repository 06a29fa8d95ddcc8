"""equivalent_mutants.toml: changes of a reference that the lab's contract allows.

A table's name says why. Its keys are lines of the reference with the changed place between two @,
their values what may stand in that place: `"f(@8@);" = ["7", "9"]`.
"""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from grader.judging.sample.mutants import Mutant
from grader.model.errors import GraderError

FILE = "equivalent_mutants.toml"

_MARK = "@"
_Reason = Annotated[str, Field(min_length=1)]
_Line = Annotated[str, Field(pattern=rf"^[^{_MARK}]*{_MARK}[^{_MARK}]+{_MARK}[^{_MARK}]*$")]
_Texts = Annotated[
    list[str],
    BeforeValidator(lambda texts: [texts] if isinstance(texts, str) else texts),
    Field(min_length=1),
]
_FILE = TypeAdapter(dict[_Reason, dict[_Line, _Texts]])


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
            'under ["reason"], write "line with the @changed@ place" = "what may stand there"',
        ) from error
    return [
        one
        for changes in reasons.values()
        for line, texts in changes.items()
        for one in _equivalents(line, texts)
    ]


def _equivalents(line: str, texts: Iterable[str]) -> Iterator[Equivalent]:
    head, changed, tail = line.split(_MARK)
    for text in texts:
        yield Equivalent(f"{head}{changed}{tail}", f"{head}{text}{tail}")
