"""The store keeps results through kill -9 and full disks, and refuses damaged and foreign files."""

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from grader.judging.store import FILE_NAME, Store
from grader.judging.store.opening import pragma
from grader.model.errors import GraderError
from grader.model.lab import Lab, load_lab
from grader.model.result import Diagnostic
from grader.model.verdict import Verdict
from grader.proof.fakes.fake_kit import make_kit
from grader.proof.fakes.fake_results import judge_error, result, who


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return load_lab(make_kit(tmp_path) / "lab.toml")


def test_gives_back_what_was_stored(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        store.put(result(), who("student01"))
    with Store(tmp_path, create=False) as store:
        assert list(store.results()) == [result()]
        assert store.results(texts=False)[0].diagnostics == []


def test_grades_equal_submissions_once_for_all_who_handed_them_in(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        store.put(result(), who("student01", "student02"))
        assert [r.student for r in store.results()] == ["student01", "student02"]
        assert list(store.final_keys("k", 1, "m")) == ["d1"]


def test_a_students_new_submission_replaces_the_old_one_in_the_class(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        store.put(result(points=10), who("student01"))
        store.put(result(digest="d2", points=90), who("student01"))
        assert [r.points for r in store.results()] == [90]
        keys = store.final_keys("k", 1, "m")
        store.point([("student01", "/class/student01/sum.cc", keys["d1"])])
        assert [r.points for r in store.results()] == [10]


def test_keeps_judge_errors_apart_from_final_results(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        store.put(judge_error(), who("student01"))
        assert store.final_keys("k", 1, "m") == {}
        store.put(result(), who("student01"))
        store.put(judge_error(), who("student01"))
        assert [r.verdict for r in store.results()] == [Verdict.WRONG_ANSWER]


def test_tells_kits_seeds_and_machines_apart(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        store.put(result(), who("student01"))
        assert store.final_keys("other", 1, "m") == {}
        assert store.final_keys("k", 2, "m") == {}
        assert store.final_keys("k", 1, "other") == {}


def test_draws_a_seed_once_and_keeps_it_until_another_is_given(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        drawn = store.seed(None)
    with Store(tmp_path, create=True) as store:
        assert store.seed(None) == drawn
        assert store.seed(7) == 7
        assert store.seed(None) == 7


def test_holds_one_lab(tmp_path: Path, lab: Lab) -> None:
    with Store(tmp_path, create=True) as store:
        store.bind("fake_sum", lab)
        assert store.lab() == ("fake_sum", lab)
        with pytest.raises(GraderError, match="holds results of fake_sum, not of other"):
            store.bind("other", lab)


_WRITER = """
import sys
from pathlib import Path
from grader.judging.store import Store
from grader.proof.fakes.fake_results import result, who
with Store(Path(sys.argv[1]), create=True) as store:
    for number in range(100000):
        store.put(result(f"s{number:06}", f"d{number}"), who(f"s{number:06}"))
        print(number, flush=True)
"""


def killed_writer(folder: Path, count: int) -> int:
    """How many results a process said that it had stored, at least `count`, until it was killed."""
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, folder],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert writer.stdout is not None
    assert [int(writer.stdout.readline()) for _ in range(count)] == list(range(count))
    writer.kill()
    return count + len(writer.communicate()[0].splitlines())


def fill(folder: Path, count: int) -> Path:
    """The database with that many results."""
    with Store(folder, create=True) as store:
        for number in range(count):
            store.put(result(f"s{number}", f"d{number}"), who(f"s{number}"))
    return folder / FILE_NAME


def test_loses_nothing_that_was_stored_when_killed_in_the_middle(tmp_path: Path) -> None:
    confirmed = killed_writer(tmp_path, 30)
    with Store(tmp_path, create=True) as store:
        kept = store.students()
        assert kept[:confirmed] == [f"s{number:06}" for number in range(confirmed)]
        store.put(result("late", "late"), who("late"))


def test_reads_what_a_killed_grader_left_from_a_disk_that_is_read_only_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_writer(tmp_path, 3)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Store(tmp_path, create=False) as store:
        assert store.students()[:3] == ["s000000", "s000001", "s000002"]


def test_leaves_a_damaged_database_as_it_is_when_there_is_a_journal(tmp_path: Path) -> None:
    path = fill(tmp_path, 200)
    killed_writer(tmp_path, 1)
    os.truncate(path, path.stat().st_size // 2)
    assert "damaged" in refused(tmp_path).problem


def refused(folder: Path) -> GraderError:
    """Opening fails both for grading and for reading, and the file stays as it was."""
    before = (folder / FILE_NAME).read_bytes()
    with pytest.raises(GraderError):
        Store(folder, create=True)
    with pytest.raises(GraderError) as error:
        Store(folder, create=False)
    assert (folder / FILE_NAME).read_bytes() == before
    return error.value


def test_refuses_a_file_that_is_no_database_and_leaves_it(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("my thesis\n" * 500, encoding="utf-8")
    assert "not a database, or damaged" in refused(tmp_path).problem


def test_refuses_another_programs_database_and_leaves_it(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE_NAME) as other:
        other.execute("CREATE TABLE results (x)")
    other.close()
    assert "not a database of this grader" in refused(tmp_path).problem


def test_refuses_a_database_of_a_newer_grader(tmp_path: Path) -> None:
    Store(tmp_path, create=True).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()
    assert "schema 99, this grader reads 1" in refused(tmp_path).problem


def test_refuses_a_damaged_database_and_leaves_it(tmp_path: Path) -> None:
    path = fill(tmp_path, 200)
    data = bytearray(path.read_bytes())
    data[8192:16384] = b"\xa5" * 8192
    path.write_bytes(data)
    assert "damaged" in refused(tmp_path).problem


def test_refuses_a_database_that_lost_its_end_wherever_it_was_cut(tmp_path: Path) -> None:
    path = fill(tmp_path, 60)
    data = path.read_bytes()
    for cut in range(256, len(data), 256):
        path.write_bytes(data[:cut])
        with pytest.raises(GraderError, match=r"is damaged|not a database"):
            Store(tmp_path, create=False)
    path.write_bytes(data)
    Store(tmp_path, create=False).close()


def test_a_result_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        store.put(result(), who("student01"))
        store._database.execute("UPDATE results SET body = '{\"lab'")
        with pytest.raises(GraderError, match="the result of student01 cannot be read"):
            list(store.results())


def test_reading_leaves_an_empty_file_empty(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).touch()
    with pytest.raises(GraderError, match="no results in"):
        Store(tmp_path, create=False)
    assert (tmp_path / FILE_NAME).stat().st_size == 0
    Store(tmp_path, create=True).close()


def test_tells_a_disk_without_locks_from_another_grader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(GraderError, match=r"cannot lock .*\.lock: No locks available"):
        Store(tmp_path, create=True)


def test_says_that_another_program_holds_the_database(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        pragma(store._database, "busy_timeout = 100")
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(GraderError, match="locked") as error:
                store.put(result(), who("student01"))
        assert "close the program that has it open" in error.value.next_step
        store.put(result(), who("student01"))


def test_says_that_the_database_was_deleted_meanwhile(tmp_path: Path) -> None:
    with Store(tmp_path / "out", create=True) as store:
        store.put(result(), who("student01"))
        shutil.rmtree(tmp_path / "out")
        with pytest.raises(GraderError, match="was moved or deleted"):
            store.put(result("student02", "d2"), who("student02"))


def test_says_that_nothing_was_graded_yet(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="no results in"):
        Store(tmp_path, create=False)


def test_lets_one_grader_at_a_time_write(tmp_path: Path) -> None:
    with Store(tmp_path, create=True), pytest.raises(GraderError, match="another grader"):
        Store(tmp_path, create=True)
    Store(tmp_path, create=True).close()


def test_says_what_to_do_when_the_disk_is_full_and_keeps_what_was_stored(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        store.put(result(), who("student01"))
        pages = pragma(store._database, "page_count")
        pragma(store._database, f"max_page_count = {pages}")
        large = result("student02", "d2").model_copy(
            update={"diagnostics": [Diagnostic(phase="tests", text="x" * 200_000)]}
        )
        with pytest.raises(GraderError, match="full") as error:
            store.put(large, who("student02"))
        assert "free some space" in error.value.next_step
        assert store.students() == ["student01"]


def test_names_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(GraderError, match="cannot write to"):
        Store(tmp_path / "file" / "out", create=True)


def test_iterates_with_one_result_in_memory_at_a_time(tmp_path: Path) -> None:
    fill(tmp_path, 3)
    with Store(tmp_path, create=False) as store:
        results = store.results()
        assert (len(results), results[-1].student) == (3, "s2")
        assert [r.student for r in results[1:]] == ["s1", "s2"]
        assert next(iter(results)).student == "s0"
