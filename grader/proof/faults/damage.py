"""Faults of the disk and of the database on it."""

import contextlib
import os
import shutil
import signal
import sqlite3
import time
from pathlib import Path

from grader.cli.options import BAD_INPUT, GRADED
from grader.proof.faults.disks import small_disk
from grader.proof.faults.scene import InvariantError, Scene

_RESULTS_DISK = "64m"
"""A real kit takes a quarter of it, in the journal and in the file."""


def kill_grader(scene: Scene) -> None:
    """SIGKILL; the kernel ends its children."""
    run = scene.start()
    scene.wait_for_a_moment(run)
    scene.struck = run.is_alive
    run.process.kill()
    scene.finish(run, -signal.SIGKILL, GRADED)


def fill_results_disk(scene: Scene) -> None:
    """The disk of --out fills up at a random moment, or up to a random number of free bytes."""
    with small_disk(scene.out, _RESULTS_DISK) as disk:
        run = scene.start()
        scene.wait_for_a_moment(run)
        scene.struck = run.is_alive
        disk.fill(scene.random.choice([0, 0, scene.random.randrange(400_000)]))
        scene.finish(run)
        scene.finish(scene.start())
        disk.free()
        scene.settle()


def fill_work_disk(scene: Scene) -> None:
    """The disk on which submissions are built is full for a while, from a random moment on."""
    with small_disk(scene.temporary, "600m") as disk:
        run = scene.start()
        scene.wait_for_a_moment(run)
        scene.struck = run.is_alive
        disk.fill(scene.random.choice([0, 0, scene.random.randrange(400_000)]))
        if scene.random.random() < 0.5:
            time.sleep(scene.random.uniform(0, 1))
            disk.free()
        scene.finish(run)
        disk.free()
        scene.settle()


def read_only_database(scene: Scene) -> None:
    """The disk of --out becomes read-only after a run that was killed."""
    with small_disk(scene.out, _RESULTS_DISK) as disk:
        kill_grader(scene)
        scene.wait_for_strays()  # they have files open there
        disk.make_read_only()
        said = scene.finish(scene.start(), BAD_INPUT)
        expect(said, str(scene.out))
        disk.make_writable()
        scene.settle()


def truncated_database(scene: Scene) -> None:
    """The database is truncated after a run, killed or complete."""
    scene.random.choice([kill_grader, _grade])(scene)
    if scene.database.exists():
        size = scene.database.stat().st_size
        os.truncate(scene.database, scene.random.randrange(1, max(2, size)))
    _replaced_by_hand(scene)


def foreign_database(scene: Scene) -> None:
    """Another file has the database's name: text, random bytes, another SQLite database."""
    scene.random.choice([kill_grader, _grade])(scene)
    _remove(scene.database)
    scene.out.mkdir(exist_ok=True)
    scene.random.choice([_write_text, _write_other_database, _write_garbage])(scene)
    _replaced_by_hand(scene)


def _write_text(scene: Scene) -> None:
    scene.database.write_text("my thesis\n" * 500, encoding="utf-8")


def _write_garbage(scene: Scene) -> None:
    scene.database.write_bytes(scene.random.randbytes(scene.random.randrange(1, 20_000)))


def _write_other_database(scene: Scene) -> None:
    with contextlib.closing(sqlite3.connect(scene.database)) as other, other:
        other.execute("CREATE TABLE results (x)")


def older_schema(scene: Scene) -> None:
    """The database says that an older grader wrote it."""
    _grade(scene)
    with contextlib.closing(sqlite3.connect(scene.database)) as database:
        database.execute("PRAGMA user_version = 0")
    _replaced_by_hand(scene, "schema 0")


def killed_migration(scene: Scene) -> None:
    """SIGKILL of the grader that is the first to open an older grader's database."""
    _grade(scene)
    to_schema_1(scene.database)
    run = scene.start()
    scene.wait_for_a_moment(run)
    scene.struck = run.is_alive
    run.process.kill()
    scene.finish(run, -signal.SIGKILL, GRADED)


def to_schema_1(path: Path) -> None:
    """Turns a database into one of the grader that kept results alone."""
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        for table in ("kit_files", "contents", "earlier"):
            database.execute(f"DROP TABLE {table}")
        database.execute("PRAGMA user_version = 1")


def _replaced_by_hand(scene: Scene, expected: str = "") -> None:
    """The grader refuses the file and leaves it unchanged; then its user removes it."""
    scene.struck = True
    before = scene.database.read_bytes() if scene.database.exists() else b""
    said = scene.finish(scene.start(), GRADED, BAD_INPUT)
    if scene.codes[-1] == BAD_INPUT:
        expect(said, str(scene.database), expected)
        if scene.database.read_bytes() != before:
            raise InvariantError(f"{scene.database} was changed though it was refused")
        _remove(scene.database)
        scene.forget()
    scene.settle()


def _remove(database: Path) -> None:
    for path in database.parent.glob(f"{database.name}*"):
        path.unlink()


def locked_database(scene: Scene) -> None:
    """Another program holds the database's write lock for a second."""
    run = scene.start()
    scene.wait_for_a_moment(run)
    if scene.database.exists() and scene.database.stat().st_size:
        with contextlib.closing(sqlite3.connect(scene.database, isolation_level=None)) as other:
            try:
                other.execute("BEGIN IMMEDIATE")
                scene.struck = run.is_alive
                time.sleep(1)
                other.execute("ROLLBACK")
            except sqlite3.OperationalError:
                pass  # the grader has just made the file
    scene.finish(run, GRADED)


def deleted_results(scene: Scene) -> None:
    """Someone deletes --out while it is written to."""
    run = scene.start()
    scene.wait_for_a_moment(run)
    scene.struck = run.is_alive and scene.database.exists()
    shutil.rmtree(scene.out, ignore_errors=True)
    scene.forget()
    scene.finish(run)


def _grade(scene: Scene) -> None:
    scene.finish(scene.start(), GRADED)


def expect(said: str, *words: str) -> None:
    missing = [word for word in words if word not in said]
    if missing:
        raise InvariantError(f"an error does not name {missing[0]}: {said}")
