"""The store keeps texts, kits and replaced results, also in a database of an older grader."""

import hashlib
import json
import os
import shutil
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from grader.cli.app import main
from grader.judging.store import FILE_NAME, Store
from grader.judging.store.opening import pragma
from grader.model.errors import GraderError
from grader.model.manifest import Kit, load_kit
from grader.proof.fakes.fake_kit import GOOD, log, make_kit
from grader.proof.fakes.fake_results import judge_error, result, who
from grader.proof.faults.damage import to_schema_1

ACCEPTED = f"""{GOOD}// fake: tests SumATest accepted
// fake: tests SumBTest accepted
// fake: races SumATest accepted
// fake: races SumBTest accepted
// fake: timing SumATiming 1.0 1.1 1.2 full
"""


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return load_kit(make_kit(tmp_path / "kits"))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def grade(kit: Kit, out: Path, **texts: str) -> int:
    """Grades a class of these texts by the command, in a folder beside `out`."""
    submissions = out.parent / "class"
    for student, text in texts.items():
        (submissions / student).mkdir(parents=True, exist_ok=True)
        (submissions / student / "sum.cc").write_text(text, encoding="utf-8")
    arguments = ["--kit", str(kit.root), "--submissions", str(submissions), "--out", str(out)]
    return main(["grade", "--lab", kit.manifest.lab, *arguments])


def tables(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {row[0] for row in rows}


def test_keeps_texts_and_the_kit_when_the_class_and_the_workspace_are_gone(
    kit: Kit, out: Path, tmp_path: Path
) -> None:
    before = {
        path.relative_to(kit.root): path.read_bytes()
        for path in kit.root.rglob("*")
        if path.is_file()
    }
    assert grade(kit, out, anna=ACCEPTED, bert=GOOD) == 0
    shutil.rmtree(tmp_path / "class")
    shutil.rmtree(kit.root)
    with Store(out, create=False) as store:
        assert (store.text("anna"), store.text("bert")) == (ACCEPTED, GOOD)
        found = store.kit(kit.manifest.digest, tmp_path / "unpacked")
    assert found.manifest == kit.manifest
    after = [path for path in found.root.rglob("*") if path.is_file()]
    assert {path.relative_to(found.root): path.read_bytes() for path in after} == before
    assert os.access(found.checker, os.X_OK)


def test_has_no_text_of_a_student_who_handed_no_file_in(kit: Kit, out: Path) -> None:
    (out.parent / "class" / "anna").mkdir(parents=True)
    (out.parent / "class" / "anna" / "notes.txt").write_text("int x;\n", encoding="utf-8")
    assert grade(kit, out, bert=ACCEPTED) == 0
    with Store(out, create=False) as store:
        assert store.text("anna") is None
        with pytest.raises(GraderError, match="no result of 'bret'") as error:
            store.text("bret")
    assert error.value.next_step == "there is bert"


def test_kits_that_differ_in_one_file_share_the_others(kit: Kit, out: Path) -> None:
    manifest = json.loads((kit.root / "manifest.json").read_text(encoding="utf-8"))
    with Store(out, create=True) as store:
        store.archive.keep(kit, [])
        one = store.archive.digests()
        manifest["digest"] = "1" * 64
        (kit.root / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        store.archive.keep(load_kit(kit.root), [])
        assert len(store.archive.digests()) == len(one) + 1
        first, second = (store.archive.kit_files(name * 64) for name in "01")
    assert {place for place in first if first[place] != second[place]} == {"manifest.json"}


def test_names_a_kit_that_is_not_kept(out: Path, tmp_path: Path) -> None:
    with Store(out, create=True) as store:
        with pytest.raises(GraderError, match="does not keep the kit abcabcabcabc") as error:
            store.kit("abc" * 20, tmp_path / "unpacked")
        assert "run `grade` once more" in error.value.next_step
    assert not (tmp_path / "unpacked").exists()


def test_refuses_a_content_that_is_not_what_its_digest_says(kit: Kit, out: Path) -> None:
    with Store(out, create=True) as store:
        store.archive.keep(kit, [(digest(b"mine"), b"mine"), (digest(b"yours"), b"yours")])
        for packed in (zlib.compress(b"other"), b"no zlib"):
            store._database.execute(
                "UPDATE contents SET packed = ? WHERE digest = ?", (packed, digest(b"mine"))
            )
            with pytest.raises(GraderError, match="is damaged: its content"):
                store.archive.content(digest(b"mine"))
        assert store.archive.content(digest(b"yours")) == b"yours"


@pytest.mark.parametrize("place", ["../outside", "/outside", "public/../../outside"])
def test_writes_no_file_of_a_kit_outside_its_folder(
    kit: Kit, out: Path, tmp_path: Path, place: str
) -> None:
    with Store(out, create=True) as store:
        store.archive.keep(kit, [])
        store._database.execute("UPDATE kit_files SET place = ? WHERE place = 'checker'", (place,))
        with pytest.raises(GraderError, match=r"is damaged: .*outside' of a kit"):
            store.kit(kit.manifest.digest, tmp_path / "unpacked")
    assert not (tmp_path / "outside").exists()


def test_reads_a_database_of_schema_1_and_leaves_it_as_it_is(
    kit: Kit, out: Path, tmp_path: Path
) -> None:
    assert grade(kit, out, anna=ACCEPTED) == 0
    to_schema_1(out / FILE_NAME)
    before = (out / FILE_NAME).read_bytes()
    with Store(out, create=False) as store:
        assert [found.student for found in store.results()] == ["anna"]
        assert store.text("anna") is None
        assert store.earlier("anna") == []
        with pytest.raises(GraderError, match="does not keep the kit"):
            store.kit(kit.manifest.digest, tmp_path / "unpacked")
    assert (out / FILE_NAME).read_bytes() == before


def test_brings_schema_1_up_to_date_and_grades_nothing_again(kit: Kit, out: Path) -> None:
    assert grade(kit, out, anna=ACCEPTED) == 0
    to_schema_1(out / FILE_NAME)
    with Store(out, create=False) as store:
        stored = list(store.results())
    runs = log(kit.root)
    assert grade(kit, out) == 0
    assert log(kit.root) == runs
    with Store(out, create=False) as store:
        assert pragma(store._database, "user_version") == 2
        assert list(store.results()) == stored
        assert store.text("anna") == ACCEPTED
        assert "checker" in store.archive.kit_files(kit.manifest.digest)


def test_a_migration_that_fails_halfway_leaves_schema_1(
    kit: Kit, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert grade(kit, out, anna=ACCEPTED) == 0
    to_schema_1(out / FILE_NAME)
    with monkeypatch.context() as patch:
        broken = "CREATE TABLE contents (x); INSERT INTO nowhere VALUES (1)"
        patch.setattr("grader.judging.store.schema._ADDED", {2: broken})
        with pytest.raises(GraderError, match="no such table: nowhere"):
            Store(out, create=True)
    assert tables(out / FILE_NAME) == {"facts", "results", "students"}
    with Store(out, create=True) as store:
        assert store.students() == ["anna"]
        assert "contents" in tables(out / FILE_NAME)


def points_before(store: Store, student: str) -> list[float]:
    return [found.points for _, found in store.earlier(student)]


def test_keeps_the_result_that_another_submission_or_kit_replaces(out: Path) -> None:
    with Store(out, create=True) as store:
        store.put(result(points=10), who("student01", "student02"))
        store.put(result(digest="d2", points=90), who("student01"))
        assert points_before(store, "student01") == [10]
        assert points_before(store, "student02") == []
        row = store.final_keys("k", 1, "m")["d1"]
        store.point([("student01", "/class/student01/sum.cc", row)])
        assert points_before(store, "student01") == [10, 90]
        store.point([("student01", "/class/student01/sum.cc", row)])
        assert points_before(store, "student01") == [10, 90]


def test_keeps_a_result_that_was_measured_again_for_all_who_have_it(out: Path) -> None:
    with Store(out, create=True) as store:
        store.put(result(points=10), who("student01", "student02"))
        store.put(result(points=20), who("student01"))
        assert points_before(store, "student01") == points_before(store, "student02") == [10]
        assert [found.points for found in store.results()] == [20, 20]


def test_keeps_no_judge_error_and_none_that_a_judge_error_did_not_replace(out: Path) -> None:
    with Store(out, create=True) as store:
        store.put(judge_error(), who("student01"))
        store.put(result(points=10), who("student01"))
        store.put(judge_error(), who("student01"))
        assert points_before(store, "student01") == []
        store.put(judge_error("d2"), who("student01"))
        store.put(result(digest="d2", points=30), who("student01"))
        assert points_before(store, "student01") == [10]
