"""Both folders of a new lab are written, or neither."""

import os
from pathlib import Path

import pytest

from grader.cli import app
from grader.cli.options import BAD_INPUT, GRADED
from grader.model.errors import GraderError
from grader.people.authoring.names import NewLab
from grader.people.authoring.write import write_lab

LAB = NewLab("cuda_filter", "cuda", "Filter")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("labs", "solutions"):
        (tmp_path / folder).mkdir()
    return tmp_path


def left(root: Path) -> list[str]:
    """Everything in both folders, hidden files too."""
    return sorted(path.relative_to(root).as_posix() for path in root.glob("*/*"))


def test_writes_every_file_that_it_returns(root: Path) -> None:
    files = write_lab(root, LAB)
    found = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert found == set(files)
    assert {"labs/cuda_filter/filter.cu", "solutions/cuda_filter/hidden_test.cc"} <= found
    assert left(root) == ["labs/cuda_filter", "solutions/cuda_filter"]


@pytest.mark.parametrize("folder", ["labs", "solutions"])
def test_keeps_a_folder_that_exists(root: Path, folder: str) -> None:
    (root / folder / "cuda_filter").mkdir()
    with pytest.raises(GraderError, match=f"{folder}/cuda_filter exists\n  next: choose another"):
        write_lab(root, LAB)
    assert left(root) == [f"{folder}/cuda_filter"]


def test_writes_nothing_through_a_dangling_link(root: Path) -> None:
    (root / "solutions" / "cuda_filter").symlink_to(root / "nowhere")
    with pytest.raises(GraderError, match="exists"):
        write_lab(root, LAB)
    assert not (root / "nowhere").exists()


@pytest.mark.parametrize("folder", ["labs", "solutions"])
def test_writes_neither_where_one_cannot_be_written(
    root: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, target: Path) -> Path:
        if target.parent.name == folder:
            raise PermissionError(13, "Permission denied", str(path), None, str(target))
        return rename(path, target)

    rename = Path.rename
    monkeypatch.setattr(Path, "rename", refuse)
    place = f"{folder}/cuda_filter"
    with pytest.raises(GraderError, match=f"/{place}: Permission denied\n  next: make that folder"):
        write_lab(root, LAB)
    assert left(root) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("folder", ["labs", "solutions"])
def test_writes_neither_into_a_read_only_tree(root: Path, folder: str) -> None:
    (root / folder).chmod(0o555)
    with pytest.raises(GraderError, match=f"/{folder}/cuda_filter: Permission denied"):
        write_lab(root, LAB)
    assert left(root) == []


def test_writes_neither_where_a_disk_is_full(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: str, encoding: str) -> int:
        if path.name == "hidden_test.cc":
            raise OSError(28, "No space left on device")
        return write(path, text, encoding)

    write = Path.write_text
    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(GraderError, match="/solutions/cuda_filter: No space left on device"):
        write_lab(root, LAB)
    assert left(root) == []


def test_removes_the_first_folder_when_interrupted(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(path: Path, target: Path) -> Path:
        if target.parent.name == "solutions":
            raise KeyboardInterrupt
        return rename(path, target)

    rename = Path.rename
    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_lab(root, LAB)
    assert left(root) == []


def test_a_students_copy_has_no_place_for_a_lab(tmp_path: Path) -> None:
    (tmp_path / "labs").mkdir()
    with pytest.raises(GraderError, match="has no folder solutions"):
        write_lab(tmp_path, LAB)
    assert left(tmp_path) == []


def test_the_command_lists_the_files_and_says_what_is_next(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("grader.cli.places.workspace", lambda: root)
    assert app.main(["new-lab", "openmp_filter", "--kind", "openmp"]) == GRADED
    said = capsys.readouterr().out
    assert "labs/openmp_filter/filter.cc\n" in said
    assert "//solutions:openmp_filter_hidden_test" in said
    assert "check --lab openmp_filter --no-mutants" in said
    assert app.main(["new-lab", "openmp_filter", "--kind", "openmp"]) == BAD_INPUT
    assert "exists\n  next: " in capsys.readouterr().err
    assert app.main(["new-lab", "Openmp", "--kind", "openmp"]) == BAD_INPUT
    assert "is no name for a lab" in capsys.readouterr().err
