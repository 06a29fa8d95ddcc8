"""Results on disk: one SQLite file per output folder, one transaction per result.

A result is stored under its content key (kit, submission, seed, machine class), and students refer
to results, so that equal submissions are graded once. Judge errors are stored as not final: they
are reported, and graded again by the next run.
"""

from __future__ import annotations

import difflib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from pydantic import ValidationError

from grader.judging.store.archive import Archive
from grader.judging.store.notes import CHOSEN, NAMES, Notes
from grader.judging.store.opening import (
    ASIDE,
    check,
    connect,
    only_grader_in,
    prepare,
    require_in_place,
    transaction,
    translated,
)
from grader.judging.store.results import Results
from grader.model.errors import GraderError
from grader.model.lab import Lab
from grader.model.manifest import Kit
from grader.model.result import Diagnostic, Key, Result
from grader.model.verdict import Verdict

FILE_NAME = "results.sqlite"
_JOINED = """
SELECT students.student, students.source, results.body, {diagnostics}
FROM students JOIN results ON students.result = results.id
"""


class Store:
    """One output folder's results. Not thread-safe: one thread owns it."""

    def __init__(self, folder: Path, *, create: bool) -> None:
        """Opens or creates FOLDER/results.sqlite.

        GraderError, with the file left as it is, when it is missing (create=False), damaged,
        not the grader's, written by a newer grader, or not writable.
        """
        self.path = folder / FILE_NAME
        self._lock: int | None = None
        if create:
            self._lock = only_grader_in(folder)
        elif not self.path.exists():
            raise GraderError(f"no results in {folder}", "grade into it first: grade --out")
        try:
            with self._translated():
                self._database = self._opened(create)
                self.archive = Archive(self._database, self.path)
                self.notes = Notes(self._database, self.path)
            self._file = self.path.stat()
        except BaseException:
            self._release()
            raise

    def _opened(self, create: bool) -> sqlite3.Connection:
        database = connect(self.path, create)
        try:
            (prepare if create else check)(database, self.path)
        except BaseException:
            database.close()
            raise
        return database

    def close(self) -> None:
        """Merges the journal into the file and releases the lock."""
        try:
            self._database.close()
        finally:
            self._release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def bind(self, name: str, lab: Lab) -> None:
        """Binds the folder to one lab; GraderError if it holds another lab's results."""
        bound = self._fact("lab")
        if bound is not None and bound != name:
            raise GraderError(
                f"{self.path} holds results of {bound}, not of {name}",
                "choose another --out for each lab",
            )
        with self._translated(), transaction(self._database):
            self._set_fact("lab", name)
            self._set_fact("lab_description", lab.model_dump_json())

    def lab(self) -> tuple[str, Lab]:
        """The lab that the folder is bound to, as of the last grading."""
        with self._translated():
            name, description = self._fact("lab"), self._fact("lab_description")
        if name is None or description is None:
            raise GraderError(f"{self.path} holds no results yet", "grade into it first")
        return name, Lab.model_validate_json(description)

    def seed(self, given: int | None) -> int:
        """The folder's seed: `given`, else the stored one, else a new one; stores it."""
        with self._translated():
            kept = self._fact("seed")
            seed = given if given is not None else int(kept) if kept else secrets.randbits(31)
            if str(seed) != kept:
                with transaction(self._database):
                    self._set_fact("seed", str(seed))
        return seed

    def secret(self) -> str:
        """The folder's, drawn once and never shown: see GradingContext."""
        with self._translated():
            kept = self._fact("secret")
            if kept is None:
                kept = secrets.token_hex(16)
                with transaction(self._database):
                    self._set_fact("secret", kept)
        return kept

    def final_keys(self, kit: str, seed: int, machine: str | None) -> dict[str, int]:
        """submission digest -> row of its final result, for one kit, seed and machine class.

        Without a machine class, results of any count, the last one of each submission.
        """
        with self._translated():
            rows = self._database.execute(
                "SELECT submission, id FROM results"
                " WHERE kit = ? AND seed = ? AND machine = coalesce(?, machine) AND final"
                " ORDER BY id",
                (kit, seed, machine),
            )
            return dict(rows.fetchall())

    def point(self, students: Sequence[tuple[str, str, int]]) -> None:
        """Makes students (name, source, row) refer to stored rows, in one transaction."""
        with self._translated():
            known = {
                row[0]: row for row in self._database.execute("SELECT * FROM students").fetchall()
            }
            changed = [row for row in students if known.get(row[0]) != row]
            if changed:
                with transaction(self._database):
                    self.archive.keep_replaced([(row[0], row[2]) for row in changed])
                    self._database.executemany(
                        "INSERT OR REPLACE INTO students VALUES (?, ?, ?)", changed
                    )
                    self._forget_page()

    def put(self, result: Result, students: Sequence[tuple[str, str]]) -> None:
        """Stores a result durably for every (student, source) who handed this content in.

        What is not final never replaces a final result of the same key.
        """
        self.put_all([(result, students)])

    def put_all(self, entries: Iterable[tuple[Result, Sequence[tuple[str, str]]]]) -> None:
        """As `put`, all in one transaction."""
        with self._translated(), transaction(self._database):
            for result, students in entries:
                self._put(result, students)
            self._forget_page()
        require_in_place(self.path, self._file)

    def _put(self, result: Result, students: Sequence[tuple[str, str]]) -> None:
        final = result.verdict.is_final
        body = result.model_dump_json(exclude={"student", "source", "name", "diagnostics"})
        own = result.verdict is Verdict.NOTHING_GRADABLE  # other such lines are the student's note
        kept = [entry for entry in result.diagnostics if own or entry.phase != "handed_in"]
        texts = json.dumps([entry.model_dump() for entry in kept])
        key = result.key
        values = (key.kit, key.submission, key.seed, key.machine, final, body, texts)
        self._keep_replaced(values[:4], [student for student, _ in students], final=final)
        self._database.execute(
            "INSERT INTO results (kit, submission, seed, machine, final, body, diagnostics)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET final = excluded.final, body = excluded.body,"
            " diagnostics = excluded.diagnostics WHERE excluded.final OR NOT results.final",
            values,
        )
        row = self._row(values[:4])
        self._database.executemany(
            "INSERT OR REPLACE INTO students VALUES (?, ?, ?)",
            [(student, source, row) for student, source in students],
        )

    def _row(self, key: tuple[object, ...]) -> int | None:
        """The row of a key (kit, submission, seed, machine)."""
        found = self._database.execute(
            "SELECT id FROM results WHERE kit = ? AND submission = ? AND seed = ? AND machine = ?",
            key,
        ).fetchone()
        return int(found[0]) if found else None

    def _keep_replaced(
        self, key: tuple[object, ...], students: Sequence[str], *, final: bool
    ) -> None:
        row = self._row(key)
        targets = [(student, row) for student in students]
        self.archive.keep_replaced(targets, row if final else None)

    def kit(self, digest: str, into: Path) -> Kit:
        """Writes the kit of this digest into a folder; GraderError if it is not kept."""
        return self.archive.unpack_kit(digest, into)

    def text(self, student: str) -> str | None:
        """What the student handed in; None if there was no file, or it is not kept."""
        data = self.archive.content(self.load(student, texts=False).key.submission)
        return None if data is None else data.decode("utf-8", "replace")

    def earlier(self, student: str) -> list[tuple[str, Result]]:
        """The results that later ones replaced, oldest first, each with the time (UTC) of that."""
        replaced = self.archive.replaced(student)
        return [(replaced_at, self._result(columns)) for replaced_at, columns in replaced]

    def page_is_current(self) -> bool:
        """Whether the class page was written since a student's result last changed."""
        with self._translated():
            return self._fact("page") is not None

    def page_was_written(self) -> None:
        """Marks the class page as current; call after writing it."""
        with self._translated(), transaction(self._database):
            self._set_fact("page", "current")

    def results(self, *, texts: bool = True) -> Results:
        """Every student's last result, by student; without diagnostics if texts is false."""
        return Results(self, texts)

    def handed_in(self) -> dict[str, tuple[str, str]]:
        """Each student's file, by student: its source and digest."""
        query = (
            "SELECT student, source, submission"
            " FROM students JOIN results ON students.result = results.id"
        )
        with self._translated():
            return {row[0]: (row[1], row[2]) for row in self._database.execute(query)}

    def students(self) -> list[str]:
        with self._translated():
            rows = self._database.execute("SELECT student FROM students ORDER BY student")
            return [row[0] for row in rows.fetchall()]

    def load(self, student: str, *, texts: bool) -> Result:
        """One student's last result; GraderError if there is none."""
        with self._translated():
            row = self._database.execute(
                _joined(texts) + " WHERE students.student = ?", (student,)
            ).fetchone()
        if row is None:
            students = self.students()
            close = difflib.get_close_matches(student, students, 3) or students[:3]
            step = f"there is {', '.join(close)}" if close else "grade into it first"
            raise GraderError(f"no result of {student!r} in {self.path.parent}", step)
        return self._with_note(self._result(row), texts=texts)

    def find(self, key: Key, *, any_machine: bool = False) -> Result | None:
        """The final result under a key, without a student's name; None if there is none.

        With `any_machine` the last one of any class of machines.
        """
        with self._translated():
            row = self._database.execute(
                "SELECT '', '', body, diagnostics FROM results"
                " WHERE kit = ? AND submission = ? AND seed = ?"
                " AND machine = coalesce(?, machine) AND final ORDER BY id DESC",
                (key.kit, key.submission, key.seed, None if any_machine else key.machine),
            ).fetchone()
        return self._result(row) if row else None

    def stream(self, *, texts: bool) -> Iterator[Result]:
        """Every student's last result, one at a time."""
        with self._translated():
            for row in self._database.execute(_joined(texts) + " ORDER BY students.student"):
                yield self._with_note(self._result(row), texts=texts)

    def _with_note(self, result: Result, *, texts: bool) -> Result:
        note = self.notes.read(CHOSEN).get(result.student) if texts else None
        if note:
            result.diagnostics.insert(0, Diagnostic(phase="handed_in", text=note))
        return result

    def _result(self, row: tuple[str, str, str, str]) -> Result:
        student, source, body, diagnostics = row
        quoted = f'"student":{json.dumps(student)},"source":{json.dumps(source)}'
        if name := self.notes.read(NAMES).get(student):
            quoted += f',"name":{json.dumps(name)}'
        try:
            return Result.model_validate_json(f'{{{quoted},"diagnostics":{diagnostics},{body[1:]}')
        except ValidationError as error:
            raise GraderError(
                f"{self.path} is damaged: the result of {student} cannot be read", ASIDE
            ) from error

    def _fact(self, name: str) -> str | None:
        row = self._database.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def _set_fact(self, name: str, value: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def _forget_page(self) -> None:
        self._database.execute("DELETE FROM facts WHERE name = 'page'")

    def _translated(self) -> AbstractContextManager[None]:
        return translated(self.path)

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _joined(texts: bool) -> str:
    return _JOINED.format(diagnostics="results.diagnostics" if texts else "'[]'")


__all__ = ["FILE_NAME", "Key", "Results", "Store"]
