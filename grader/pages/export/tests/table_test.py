"""What holds for every export format."""

import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.model.result import Result
from grader.pages.export import FORMATS, write
from grader.pages.presentation.facts import is_graded
from grader.pages.presentation.tests.made_up_class import LAB, made_up_class

_PER_STUDENT = {"classroom50", "feedback", "github", "gradescope", "prairielearn"}
_SINGLE_FILE = sorted(set(FORMATS) - _PER_STUDENT)


def test_names_the_formats_when_one_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(GraderError) as caught:
        write("xlsx", [], LAB, tmp_path)
    assert "'xlsx'" in caught.value.problem
    assert "csv" in caught.value.next_step


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_writes_what_it_says_it_wrote_and_nothing_else(name: str, tmp_path: Path) -> None:
    paths = write(name, made_up_class(15), LAB, tmp_path)
    assert sorted(paths) == sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert all(path.stat().st_size for path in paths)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_writes_the_same_bytes_for_the_same_results(name: str, tmp_path: Path) -> None:
    first = [path.read_bytes() for path in write(name, made_up_class(15), LAB, tmp_path)]
    assert first == [path.read_bytes() for path in write(name, made_up_class(15), LAB, tmp_path)]


@pytest.mark.parametrize("name", _SINGLE_FILE)
def test_keeps_the_old_file_when_results_cannot_be_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old")

    def broken() -> Iterator[Result]:
        yield from made_up_class(3)
        raise GraderError("the database is corrupt", "restore it")

    with pytest.raises(GraderError, match="corrupt"):
        write(name, broken(), LAB, path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", _SINGLE_FILE)
def test_names_a_full_disk(name: str) -> None:
    with pytest.raises(GraderError, match="cannot write /dev/full: No space left"):
        write(name, made_up_class(3), LAB, Path("/dev/full"))


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_names_a_path_that_cannot_be_a_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GraderError, match="cannot write"):
        write(name, made_up_class(1), LAB, tmp_path / "file" / "out")


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_reads_the_results_one_at_a_time(name: str, tmp_path: Path) -> None:
    most = 0

    def results() -> Iterator[Result]:
        nonlocal most
        alive: set[int] = set()
        for number, result in enumerate(made_up_class(50)):
            alive.add(number)
            weakref.finalize(result, alive.discard, number)
            most = max(most, len(alive))
            yield result

    write(name, results(), LAB, tmp_path)
    assert most <= 3


def test_gives_every_student_a_feedback_file_also_who_was_not_judged(tmp_path: Path) -> None:
    results = list(made_up_class(20))
    paths = write("feedback", results, LAB, tmp_path)
    assert [path.name for path in paths] == [f"student{n:02}.md" for n in range(1, 21)]
    assert {path.parent for path in paths} == {tmp_path / "feedback"}
    left = [path for path, result in zip(paths, results, strict=True) if not is_graded(result)]
    assert "has not graded it" in left[0].read_text(encoding="utf-8")
    assert "not the fault of your code" in left[1].read_text(encoding="utf-8")
