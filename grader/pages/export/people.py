"""Which row of another program's table is which student of ours: by evidence, never by guess."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from grader.judging.collect.shapes import CANVAS, MOODLE
from grader.pages.export.scores import Score


@dataclass(frozen=True)
class Person:
    """What a table says of one student."""

    row: int
    name: str
    number: str = ""
    """The platform's own, which names of downloaded files have, too."""
    handles: tuple[str, ...] = ()
    """Login, student number, e-mail address."""


@dataclass
class Matches:
    """Each result's row, and who is left over on both sides."""

    rows: dict[int, str] = field(default_factory=dict)
    """row -> student."""
    unknown: list[str] = field(default_factory=list)
    """Students with a result and no row."""
    unclear: list[str] = field(default_factory=list)
    """Students for whom there are several rows, and those who share a row."""


class Roster:
    """The people of one table."""

    def __init__(self, people: Sequence[Person]) -> None:
        self.people = people
        self._numbers = _index((person.number, person) for person in people)
        self._handles = _index((h.casefold(), p) for p in people for h in p.handles)
        self._locals = _index((_local(h), p) for p in people for h in p.handles if "@" in h)
        self._names = _index((_words(person.name), person) for person in people)
        self._squeezed = _index((_squeezed(person.name), person) for person in people)

    def rows_of(self, score: Score) -> list[int]:
        """The rows that the strongest evidence names: one, none, or several."""
        student = score.student
        evidence = (
            self._numbers.get(platform_number(score.source), []),
            self._handles.get(student.casefold(), []),
            self._handles.get(_local(student), []) if "@" in student else [],
            self._locals.get(student.casefold(), []),
            self._names.get(_words(student), []),
            self._squeezed.get(_squeezed(student), []),
        )
        return next((rows for rows in evidence if rows), [])


def match(found: Iterable[tuple[str, list[int]]]) -> Matches:
    """Matches students to the rows that the evidence names for each."""
    matches = Matches()
    claims: dict[int, list[str]] = {}
    for student, rows in found:
        if len(rows) == 1:
            claims.setdefault(rows[0], []).append(student)
        else:
            (matches.unclear if rows else matches.unknown).append(student)
    for row, students in claims.items():
        if len(students) == 1:
            matches.rows[row] = students[0]
        else:
            matches.unclear += students
    return matches


def platform_number(source: str) -> str:
    """The student's number in the name of a file or folder that Canvas or Moodle made."""
    for part in reversed(source.split("/")):
        found = MOODLE.fullmatch(part) or CANVAS.fullmatch(part)
        if found:
            return found["id"]
    return ""


def _index(entries: Iterable[tuple[str, Person]]) -> dict[str, list[int]]:
    index: dict[str, list[int]] = {}
    for key, person in entries:
        if key and person.row not in index.setdefault(key, []):
            index[key].append(person.row)
    return index


def _local(address: str) -> str:
    return address.partition("@")[0].casefold()


def _plain(name: str) -> str:
    """Without accents and case, as platforms write names in file names."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _words(name: str) -> str:
    """The same for "Doe, Jane" and "Jane Doe"."""
    return " ".join(sorted(re.findall(r"\w+", _plain(name))))


def _squeezed(name: str) -> str:
    """doejane, as Canvas begins the names of files of "Doe, Jane"."""
    return re.sub(r"\W|_", "", _plain(name))
