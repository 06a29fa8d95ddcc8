"""Publishing and updating: students' work stays, and nothing is left half done."""

import errno
import json
import os
import subprocess
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.people.release import publish as publishing
from grader.people.release.manifest import MANIFEST
from grader.people.release.publish import check_place, publish
from grader.people.release.tests.fake_workspace import texts, write
from grader.people.release.tree import File
from grader.people.release.update import Change, Step

STUB = "labs/sum/sum.cc"
FIRST = {STUB: "stub\n", "labs/sum/sum.h": "old\n", "common/a.h": "a\n", "common/gone/b.h": "b\n"}
SECOND = {STUB: "new stub\n", "labs/sum/sum.h": "new\n", "common/a.h": "a\n", "README.md": "hi\n"}


def release(out: Path, files: dict[str, str]) -> list[Change]:
    tree = {name: File(text.encode(), name == "common/a.h") for name, text in files.items()}
    return publish(tree, ["sum"], [STUB], out)


def steps(changes: list[Change]) -> dict[str, str]:
    return {change.name: str(change.step) for change in changes}


def released(folder: Path) -> dict[str, str]:
    return {name: text for name, text in texts(folder).items() if name != MANIFEST}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    release(tmp_path / "copy", FIRST)
    return tmp_path / "copy"


def test_writes_a_new_copy_with_executable_programs_and_nothing_beside_it(out: Path) -> None:
    assert released(out) == FIRST
    assert os.access(out / "common/a.h", os.X_OK)
    assert not os.access(out / STUB, os.X_OK)
    assert [path.name for path in out.parent.iterdir()] == ["copy"]


def test_two_releases_in_a_row_are_the_same(out: Path) -> None:
    before = texts(out)
    assert release(out, FIRST) == []
    assert texts(out) == before


def test_updates_what_nobody_edited(out: Path) -> None:
    assert steps(release(out, SECOND)) == {
        "README.md": "added",
        STUB: "updated",
        "labs/sum/sum.h": "updated",
        "common/gone/b.h": "removed",
    }
    assert released(out) == SECOND
    assert not (out / "common/gone").exists()


def test_keeps_and_names_what_the_student_edited_and_their_own_files(out: Path) -> None:
    mine = {STUB: "mine\n", "labs/sum/sum.h": "mine\n", "common/gone/b.h": "mine\n"}
    own = {"README.md": "my notes\n", "common/gone/notes.txt": "mine\n"}
    for name, text in (mine | own).items():
        write(out, name, text)
    changes = release(out, SECOND)
    assert set(steps(changes).values()) == {"kept"}
    assert set(steps(changes)) == {*mine, "README.md"}
    assert released(out) == {**SECOND, **mine, **own}
    (stub,) = (change for change in changes if change.name == STUB)
    assert "the lab's has changed" in stub.why
    (again,) = (change for change in release(out, SECOND) if change.name == STUB)
    assert again == Change(STUB, Step.KEPT, "your file")


def test_a_file_that_the_student_sets_back_is_updated_again(out: Path) -> None:
    write(out, "labs/sum/sum.h", "mine\n")
    release(out, SECOND)
    write(out, "labs/sum/sum.h", FIRST["labs/sum/sum.h"])
    assert steps(release(out, SECOND)) == {"labs/sum/sum.h": "updated"}


def test_restores_what_was_deleted_and_the_right_to_run_it(out: Path) -> None:
    (out / "labs/sum/sum.h").unlink()
    (out / "common/a.h").chmod(0o644)
    assert steps(release(out, FIRST)) == {"common/a.h": "updated", "labs/sum/sum.h": "added"}
    assert os.access(out / "common/a.h", os.X_OK)


@pytest.mark.parametrize("name", ["labs/sum/sum.h", "labs/sum"])
def test_never_writes_through_a_link(out: Path, tmp_path: Path, name: str) -> None:
    elsewhere = write(tmp_path, "elsewhere/sum.h", "precious\n")
    (out / "labs").rename(tmp_path / "aside")
    link = out / name
    link.parent.mkdir(parents=True)
    link.symlink_to(elsewhere if name.endswith(".h") else elsewhere.parent)
    assert steps(release(out, SECOND))["labs/sum/sum.h"] == "kept"
    assert texts(elsewhere.parent) == {"sum.h": "precious\n"}


def test_a_folder_in_the_place_of_a_file_stays(out: Path) -> None:
    (out / "labs/sum/sum.h").unlink()
    write(out, "labs/sum/sum.h/notes.txt", "mine\n")
    assert steps(release(out, SECOND))["labs/sum/sum.h"] == "kept"
    assert (out / "labs/sum/sum.h/notes.txt").read_text() == "mine\n"


@pytest.mark.parametrize("number", range(5))
def test_an_update_that_was_killed_is_finished_even_by_a_later_release(
    out: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    third = {**SECOND, "labs/sum/sum.h": "newest\n", "README.md": "ho\n"}
    _killed_at_change(number, out, monkeypatch)
    write(out, "common/notes.txt", "mine\n")
    release(out, third)
    assert released(out) == {**third, "common/notes.txt": "mine\n"}
    assert "kept" not in steps(release(out, SECOND)).values()


def _killed_at_change(number: int, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes SECOND of the copy in a process that dies before that change, without any clean-up."""
    apply, calls = publishing._apply, []

    def die(*arguments: object) -> None:
        calls.append(1)
        if len(calls) > number:
            os._exit(9)
        apply(*arguments)  # type: ignore[arg-type]

    child = os.fork()
    if child == 0:
        monkeypatch.setattr(publishing, "_apply", die)
        release(out, SECOND)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == (9 if number < 4 else 0)


def test_a_first_release_that_was_killed_leaves_no_copy_and_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "copy"
    child = os.fork()
    if child == 0:
        monkeypatch.setattr(publishing, "write_manifest", lambda *_: os._exit(9))
        release(out, FIRST)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert not out.exists()
    release(out, SECOND)
    assert released(out) == SECOND
    assert [path.name for path in tmp_path.iterdir()] == ["copy"]


def test_a_full_disk_leaves_no_copy_and_an_old_one_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(tmp_path / "old", FIRST)

    def full(_file: File, path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(File, "write", full)
    for name in ("new", "old"):
        with pytest.raises(GraderError, match=f"{name}: No space left on device") as caught:
            release(tmp_path / name, SECOND)
        assert caught.value.next_step == "free some space there, or name another folder"
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert released(tmp_path / "old") == FIRST
    monkeypatch.undo()
    release(tmp_path / "old", SECOND)
    assert released(tmp_path / "old") == SECOND


def test_git_merges_a_release_into_a_students_work(tmp_path: Path) -> None:
    course, student = tmp_path / "course", tmp_path / "student"
    course.mkdir()
    _git(course, "init", "-q")
    check_place(course, tmp_path / "workspace")
    release(course, FIRST)
    _commit(course)
    _git(tmp_path, "clone", "-q", str(course), str(student))
    write(student, STUB, "mine\n")
    _commit(student)
    release(course, {**SECOND, STUB: "stub\n"})
    _commit(course)
    _git(student, "-c", "pull.rebase=false", "pull", "-q")
    assert released(student) == {**SECOND, STUB: "mine\n"}
    assert steps(release(student, {**SECOND, STUB: "stub\n"})) == {STUB: "kept"}


def _git(folder: Path, *arguments: str) -> None:
    names = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *names, *arguments], cwd=folder, check=True)


def _commit(folder: Path) -> None:
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", "a change")


def _problem(out: Path, root: Path) -> str:
    with pytest.raises(GraderError) as caught:
        check_place(out, root)
    return caught.value.problem


def test_accepts_a_missing_an_empty_and_a_released_folder(out: Path, tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    (tmp_path / "empty").mkdir()
    assert check_place(tmp_path / "missing/deep", root) is None
    assert check_place(tmp_path / "empty", root) is None
    manifest = check_place(out, root)
    assert manifest
    assert manifest.labs == ["sum"]


def test_refuses_places_that_are_no_copy(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    write(root, "setup", "")
    file = write(tmp_path, "file", "text")
    assert "is inside the workspace" in _problem(root, root)
    assert "is inside the workspace" in _problem(root / "copy", root)
    (tmp_path / "link").symlink_to(root)
    assert "is inside the workspace" in _problem(tmp_path / "link/copy", root)
    assert _problem(file, root) == f"{file} is a file"
    assert _problem(file / "copy", root) == f"{file}/copy: {file} is a file"
    assert "neither empty nor a students' copy" in _problem(tmp_path, root)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("files", {"../precious": "0" * 64}),
        ("files", {"/etc/passwd": "0" * 64}),
        ("files", {"a/../b": "0" * 64}),
        ("files", {"a": "no digest"}),
        ("version", 2),
    ],
)
def test_refuses_a_damaged_manifest(out: Path, key: str, value: object) -> None:
    manifest = json.loads((out / MANIFEST).read_text())
    (out / MANIFEST).write_text(json.dumps({**manifest, key: value}))
    assert f"{out / MANIFEST} is damaged: {key}" in _problem(out, out.parent / "workspace")


def test_refuses_a_second_release_at_the_same_time(out: Path) -> None:
    with publishing._locked(out), pytest.raises(GraderError, match="another release is writing"):
        release(out, SECOND)
    assert released(out) == FIRST
