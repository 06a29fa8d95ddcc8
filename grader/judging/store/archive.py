"""What judged the results, kept beside them: submitted texts, kits, and results of before.

Contents are compressed and stored once, under their SHA-256: kits of one lab that differ in a few
files share the others. So a result can be explained and repeated when the class's folder and the
workspace that built the kit no longer exist.
"""

import hashlib
import sqlite3
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from grader.judging.store.opening import ASIDE, pragma, transaction, translated
from grader.judging.store.schema import SCHEMA
from grader.model.errors import GraderError
from grader.model.manifest import Kit, load_kit

Columns = tuple[str, str, str, str]
"""Student, source, body and diagnostics of a result."""

_KEEP = """
INSERT INTO earlier (student, source, body, diagnostics, replaced_at)
SELECT students.student, students.source, results.body, results.diagnostics, ?
FROM students JOIN results ON students.result = results.id WHERE results.final
"""
_KEEP_OF_STUDENT = _KEEP + " AND students.student = ? AND results.id IS NOT ?"
_KEEP_OF_ROW = _KEEP + " AND results.id IS ?"


class Archive:
    """The archive of one open database. That of schema 1, opened to be read, has nothing."""

    def __init__(self, database: sqlite3.Connection, path: Path) -> None:
        self._database = database
        self._path = path
        self._exists = pragma(database, "user_version") == SCHEMA

    def keep(self, kit: Kit, texts: Iterable[tuple[str, bytes]]) -> None:
        """Keeps the kit and submitted texts (digest, bytes)."""
        with translated(self._path):
            if not self.kit_files(kit.manifest.digest):
                with transaction(self._database):
                    self._keep_kit(kit)
            with transaction(self._database):
                for digest, text in texts:
                    self._keep(digest, text)

    def _keep_kit(self, kit: Kit) -> None:
        for source in sorted(kit.root.rglob("*")):
            if source.is_file():
                data = _read(source)
                digest = hashlib.sha256(data).hexdigest()
                self._keep(digest, data)
                row = (kit.manifest.digest, source.relative_to(kit.root).as_posix(), digest)
                self._database.execute("INSERT INTO kit_files VALUES (?, ?, ?)", row)

    def _keep(self, digest: str, data: bytes) -> None:
        query = "SELECT 1 FROM contents WHERE digest = ?"
        if self._database.execute(query, (digest,)).fetchone() is None:
            row = (digest, zlib.compress(data))
            self._database.execute("INSERT INTO contents VALUES (?, ?)", row)

    def digests(self) -> set[str]:
        """Digests of all texts, and of all files of kits, that are kept."""
        with translated(self._path):
            query = "SELECT digest FROM contents"
            return {row[0] for row in self._database.execute(query)} if self._exists else set()

    def content(self, digest: str) -> bytes | None:
        """A text or a kit's file; None if it is not kept, GraderError if it is damaged."""
        if not self._exists:
            return None
        with translated(self._path):
            row = self._database.execute(
                "SELECT packed FROM contents WHERE digest = ?", (digest,)
            ).fetchone()
        if row is None:
            return None
        try:
            data = zlib.decompress(row[0])
        except zlib.error:
            data = b""
        if hashlib.sha256(data).hexdigest() != digest:
            raise self._damaged(f"its content {digest[:12]}")
        return data

    def kit_files(self, kit: str) -> dict[str, str]:
        """Place in a kit -> digest of the file; empty if the kit is not kept."""
        if not self._exists:
            return {}
        with translated(self._path):
            rows = self._database.execute(
                "SELECT place, digest FROM kit_files WHERE kit = ?", (kit,)
            )
            return dict(rows.fetchall())

    def unpack_kit(self, kit: str, into: Path) -> Kit:
        """Writes a kit into a folder, made if it is missing; GraderError if it is not kept."""
        files = self.kit_files(kit)
        if not files:
            raise self.not_kept(f"the kit {kit[:12]}")
        for place, digest in files.items():
            inside = PurePosixPath(place)
            data = self.content(digest)
            if data is None or inside.is_absolute() or ".." in inside.parts:
                raise self._damaged(f"{place!r} of a kit")
            _write(into / inside, data)
        return load_kit(into)

    def not_kept(self, what: str) -> GraderError:
        return GraderError(
            f"{self._path} does not keep {what}: an older version of the grader stored that result",
            "run `grade` once more with the same kit and submissions: it keeps them then",
        )

    def keep_replaced(
        self, students: Iterable[tuple[str, int | None]], rewritten: int | None = None
    ) -> None:
        """Keeps final results before others take their place. Call it in a transaction.

        `students` with the row that each will refer to (None: a new one). `rewritten` is a row
        that gets another result, for all who refer to it.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [(now, *student) for student in students]
        self._database.executemany(_KEEP_OF_STUDENT, rows)
        self._database.execute(_KEEP_OF_ROW, (now, rewritten))

    def replaced(self, student: str) -> list[tuple[str, Columns]]:
        """A student's earlier results, oldest first: when each was replaced, and its columns."""
        if not self._exists:
            return []
        with translated(self._path):
            rows = self._database.execute(
                "SELECT replaced_at, student, source, body, diagnostics FROM earlier"
                " WHERE student = ? ORDER BY id",
                (student,),
            )
            return [(row[0], (row[1], row[2], row[3], row[4])) for row in rows]

    def replaced_texts(self) -> dict[str, set[str]]:
        """Digests of the submissions that others took the place of, by student."""
        found: dict[str, set[str]] = {}
        if self._exists:
            query = "SELECT student, json_extract(body, '$.key.submission') FROM earlier"
            with translated(self._path):
                for student, digest in self._database.execute(query):
                    found.setdefault(student, set()).add(digest)
        return found

    def _damaged(self, what: str) -> GraderError:
        return GraderError(f"{self._path} is damaged: {what} cannot be read", ASIDE)


def _read(source: Path) -> bytes:
    try:
        return source.read_bytes()
    except OSError as error:
        raise GraderError(
            f"cannot read {source}: {error.strerror}", "build the kit again, or check --kit"
        ) from error


def _write(target: Path, data: bytes) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        target.chmod(0o755)  # as the rule that makes kits does
    except OSError as error:
        raise GraderError(
            f"cannot write {target}: {error.strerror}", "free some space there, or set TMPDIR"
        ) from error
