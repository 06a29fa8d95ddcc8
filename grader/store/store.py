"""Results on disk: one SQLite file per output folder, one transaction per result.

A result is stored under its content key (kit, submission, seed, machine class), and students refer
to results, so that equal submissions are graded once. Judge errors are stored as not final: they
are reported, and graded again by the next run.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import overload

from pydantic import ValidationError

from grader.model.errors import GraderError
from grader.model.lab import Lab
from grader.model.result import Key, Result
from grader.model.verdict import Verdict
from grader.store.opening import ASIDE, check, connect, only_grader_in, prepare, transaction

FILE_NAME = "results.sqlite"
_JOINED = """
SELECT students.student, students.source, results.body, {diagnostics}
FROM students JOIN results ON students.result = results.id
"""

_STEPS = {
    "full": "free some space",
    "locked": "close the program that has it open",
    "readonly": "make sure that you may write to it, and that nobody moved or deleted it",
}
_OTHER_STEP = "check its permissions and its disk"


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
                    self._database.executemany(
                        "INSERT OR REPLACE INTO students VALUES (?, ?, ?)", changed
                    )
                    self._forget_page()

    def put(self, result: Result, students: Sequence[tuple[str, str]]) -> None:
        """Stores a result durably for every (student, source) who handed this content in.

        A judge error never replaces a final result of the same key.
        """
        final = result.verdict is not Verdict.JUDGE_ERROR
        body = result.model_dump_json(exclude={"student", "source", "diagnostics"})
        texts = json.dumps([entry.model_dump() for entry in result.diagnostics])
        key = result.key
        values = (key.kit, key.submission, key.seed, key.machine, final, body, texts)
        with self._translated(), transaction(self._database):
            self._database.execute(
                "INSERT INTO results (kit, submission, seed, machine, final, body, diagnostics)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET final = excluded.final, body = excluded.body,"
                " diagnostics = excluded.diagnostics WHERE excluded.final OR NOT results.final",
                values,
            )
            (row,) = self._database.execute(
                "SELECT id FROM results"
                " WHERE kit = ? AND submission = ? AND seed = ? AND machine = ?",
                values[:4],
            ).fetchone()
            self._database.executemany(
                "INSERT OR REPLACE INTO students VALUES (?, ?, ?)",
                [(student, source, row) for student, source in students],
            )
            self._forget_page()
        self._check_place()

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

    def students(self) -> list[str]:
        with self._translated():
            rows = self._database.execute("SELECT student FROM students ORDER BY student")
            return [row[0] for row in rows.fetchall()]

    def load(self, student: str, *, texts: bool) -> Result:
        """One student's last result."""
        with self._translated():
            row = self._database.execute(
                _joined(texts) + " WHERE students.student = ?", (student,)
            ).fetchone()
        return self._result(row)

    def stream(self, *, texts: bool) -> Iterator[Result]:
        """Every student's last result, one at a time."""
        with self._translated():
            for row in self._database.execute(_joined(texts) + " ORDER BY students.student"):
                yield self._result(row)

    def _result(self, row: tuple[str, str, str, str]) -> Result:
        student, source, body, diagnostics = row
        quoted = f'"student":{json.dumps(student)},"source":{json.dumps(source)}'
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

    def _check_place(self) -> None:
        """GraderError if the file was moved or deleted: SQLite would keep writing to it."""
        try:
            is_there = os.path.samestat(self._file, self.path.stat())
        except OSError:
            is_there = False
        if not is_there:
            raise GraderError(
                f"{self.path} was moved or deleted while this grader wrote to it",
                "put it back if you have it, then run the same command again",
            )

    def _forget_page(self) -> None:
        self._database.execute("DELETE FROM facts WHERE name = 'page'")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _unusable(self, error: sqlite3.Error) -> GraderError:
        text = str(error)
        if isinstance(error, sqlite3.OperationalError) and "malformed" not in text:
            step = next((step for word, step in _STEPS.items() if word in text), _OTHER_STEP)
            return GraderError(
                f"cannot use {self.path}: {text}",
                f"{step}, then run the same command again: what was stored before is kept",
            )
        return GraderError(
            f"{self.path} is not a database, or damaged: {text}",
            ASIDE,
        )

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class Results(Sequence[Result]):
    """Stored results, read on access: a class's diagnostics are never all in memory."""

    def __init__(self, store: Store, texts: bool) -> None:
        self._store = store
        self._texts = texts
        self._students = store.students()

    def __len__(self) -> int:
        return len(self._students)

    def __iter__(self) -> Iterator[Result]:
        return self._store.stream(texts=self._texts)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> list[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | list[Result]:
        if isinstance(index, slice):
            return [self._store.load(s, texts=self._texts) for s in self._students[index]]
        return self._store.load(self._students[index], texts=self._texts)


def _joined(texts: bool) -> str:
    return _JOINED.format(diagnostics="results.diagnostics" if texts else "'[]'")


__all__ = ["FILE_NAME", "Key", "Results", "Store"]
