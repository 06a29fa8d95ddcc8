"""Opening an output folder's database, and keeping a second grader out of the folder."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from grader.judging.store.schema import APPLICATION_ID, OLDEST, SCHEMA, create_tables, migrate
from grader.model.errors import GraderError

ASIDE = "move it away, or choose another --out; it was left as it is"

_STEPS = {
    "full": "free some space",
    "locked": "close the program that has it open",
    "readonly": "make sure that you may write to it, and that nobody moved or deleted it",
}
_OTHER_STEP = "check its permissions and its disk"


def connect(path: Path, create: bool) -> sqlite3.Connection:
    """Opens the database to write or, without `create`, to read, also on a read-only disk.

    Results that a killed grader left in the journal are read as well. A writing connection merges
    the journal into the file, so a read-only one checks it first: a refused file is unchanged.
    """
    if has_journal(path):
        reader = _open(path, "?mode=ro")
        if not create:
            return reader
        with closing(reader):
            check(reader, path)
    may_write = create or os.access(path.parent, os.W_OK)
    # In a read-only folder SQLite cannot create the journal's index.
    return _open(path, "" if may_write else "?immutable=1")


def _open(path: Path, how: str) -> sqlite3.Connection:
    target = path.absolute().as_uri() + how
    return sqlite3.connect(target, uri=True, isolation_level=None, timeout=10)


def has_journal(path: Path) -> bool:
    """Whether some results are only in the journal, as after a kill or during grading."""
    journal = path.with_name(f"{path.name}-wal")
    return journal.exists() and journal.stat().st_size > 0


def prepare(database: sqlite3.Connection, path: Path) -> None:
    """Prepares the database for writing; creates the tables in an empty file.

    An older one is checked and brought up to date in one transaction: what ends it halfway leaves
    the database as it was.
    """
    pragma(database, "application_id")  # rolls back an unfinished transaction
    if path.stat().st_size == 0:
        with transaction(database):
            create_tables(database)
    version = check(database, path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    if version != SCHEMA:
        with transaction(database):
            migrate(database, version)


def check(database: sqlite3.Connection, path: Path) -> int:
    """The database's schema; GraderError if it is not the grader's, newer, or damaged."""
    application = pragma(database, "application_id")
    if path.stat().st_size == 0:
        raise GraderError(f"no results in {path.parent}", "grade into it first: grade --out")
    if application != APPLICATION_ID:
        raise GraderError(f"{path} is not a database of this grader", ASIDE)
    version = int(str(pragma(database, "user_version")))
    if not OLDEST <= version <= SCHEMA:
        raise GraderError(
            f"{path} was written by another version of the grader: schema {version}, "
            f"this grader reads {OLDEST} to {SCHEMA}",
            "use that version, or choose another --out; it was left as it is",
        )
    verdict = pragma(database, "quick_check(1)")
    if verdict != "ok":
        raise GraderError(f"{path} is damaged: {verdict}", ASIDE)
    size, page = path.stat().st_size, int(str(pragma(database, "page_size")))
    if size % page and not has_journal(path):  # SQLite reads the missing bytes as zeros
        raise GraderError(
            f"{path} is damaged: {size} bytes, not a multiple of its page size {page}", ASIDE
        )
    return version


def require_in_place(path: Path, opened: os.stat_result) -> None:
    """GraderError if the file was moved or deleted: SQLite would keep writing to it."""
    try:
        is_there = os.path.samestat(opened, path.stat())
    except OSError:
        is_there = False
    if not is_there:
        raise GraderError(
            f"{path} was moved or deleted while this grader wrote to it",
            "put it back if you have it, then run the same command again",
        )


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Commits everything that the block writes, or nothing if it raises."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns the database's errors into GraderErrors."""
    try:
        yield
    except sqlite3.Error as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: sqlite3.Error) -> GraderError:
    text = str(error)
    if isinstance(error, sqlite3.OperationalError) and "malformed" not in text:
        step = next((step for word, step in _STEPS.items() if word in text), _OTHER_STEP)
        return GraderError(
            f"cannot use {path}: {text}",
            f"{step}, then run the same command again: what was stored before is kept",
        )
    return GraderError(f"{path} is not a database, or damaged: {text}", ASIDE)


def pragma(database: sqlite3.Connection, text: str) -> int | str | None:
    """The result of `PRAGMA text`, if any."""
    row = database.execute(f"PRAGMA {text}").fetchone()
    return row[0] if row else None


def only_grader_in(folder: Path) -> int:
    """Creates the folder and locks it against a second grader; returns the lock's descriptor.

    The lock ends with the process.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise GraderError(
            f"cannot write to {folder}: {error.strerror}", "choose another --out"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise GraderError(
            f"another grader is at work in {folder}", "wait for it, or choose another --out"
        ) from error
    except OSError as error:
        os.close(lock)
        raise GraderError(
            f"cannot lock {folder / '.lock'}: {error.strerror}",
            "choose an --out on a disk that supports locks, such as a local one",
        ) from error
    return lock
