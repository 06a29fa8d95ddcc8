"""A copy of all databases of a data folder, also while the service writes to them.

One zip archive with the databases under their names in the folder: service.sqlite and
results/LAB/results.sqlite. Unpacked into an empty folder it is a data folder again.
"""

import os
import sqlite3
import tempfile
import zipfile
from contextlib import closing, suppress
from pathlib import Path

from grader.judging.store import FILE_NAME as RESULTS
from grader.model.errors import GraderError
from grader.model.files import write_error
from grader.service.database import FILE_NAME, require


def backup(data: Path, file: Path) -> int:
    """Writes the archive, whole or not at all; returns how many databases it holds.

    The service's comes first: what stores have beyond it is found when it is graded anew.
    """
    require(data)
    first = data / FILE_NAME
    stores = sorted((data / "results").glob(f"*/{RESULTS}"))
    aside = file.with_name(f".{file.name}.part")
    try:
        # It holds tokens' digests and the seeds of hidden inputs: a file that someone else put
        # there would stay theirs.
        aside.unlink(missing_ok=True)
        with os.fdopen(os.open(aside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            with zipfile.ZipFile(opened, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
                for path in (first, *stores):
                    _add(archive, path, path.relative_to(data).as_posix(), aside.parent)
            opened.flush()
            os.fsync(opened.fileno())
        aside.replace(file)
    except OSError as error:
        raise write_error(file, error) from error
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
    return 1 + len(stores)


def _add(archive: zipfile.ZipFile, path: Path, name: str, folder: Path) -> None:
    """A copy of one instant, by SQLite's backup: the file alone lacks what is in the journal."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        copy = Path(place) / path.name
        try:
            with (
                closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source,
                closing(sqlite3.connect(copy)) as target,
            ):
                source.backup(target)
        except sqlite3.Error as error:
            raise GraderError(f"cannot copy {path}: {error}", "check that disk") from error
        archive.write(copy, name)
