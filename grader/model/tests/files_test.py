"""Output files are written atomically, under safe names."""

import os
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.model.files import FileNames, make_folder, replacing, safe_name, spooling, write_text


def test_makes_missing_folders_and_leaves_nothing_but_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "out.txt"
    assert write_text(path, "text") == path
    assert path.read_text() == "text"
    assert list(path.parent.iterdir()) == [path]


def test_keeps_the_old_file_when_writing_the_new_one_fails(tmp_path: Path) -> None:
    path = write_text(tmp_path / "out.txt", "old")

    def fail() -> None:
        with replacing(path) as file:
            file.write("half of the new")
            raise KeyError("the reader of results failed")

    with pytest.raises(KeyError):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_names_path_and_next_step_when_the_disk_is_full() -> None:
    with pytest.raises(GraderError) as caught:
        write_text(Path("/dev/full"), "text")
    assert caught.value.problem == "cannot write /dev/full: No space left on device"
    assert "free some space" in caught.value.next_step


def test_names_the_disk_when_a_large_text_fills_it_half_way() -> None:
    def fill() -> None:
        with replacing(Path("/dev/full")) as file:
            for _ in range(1000):
                file.write("x" * 1000)

    with pytest.raises(GraderError, match="/dev/full"):
        fill()


def test_names_the_path_when_a_file_stands_where_a_folder_is_needed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GraderError) as caught:
        write_text(tmp_path / "file" / "out.txt", "text")
    assert str(tmp_path / "file") in caught.value.problem
    with pytest.raises(GraderError, match="cannot write"):
        make_folder(tmp_path / "file")


def test_names_the_path_on_a_file_system_that_takes_no_files() -> None:
    with pytest.raises(GraderError, match="cannot write /proc/report"):
        write_text(Path("/proc/report/index.html"), "text")


def test_names_the_path_when_links_form_a_loop(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(GraderError, match="cannot write"):
        write_text(tmp_path / "loop", "text")


def test_writes_through_a_link_and_keeps_it(tmp_path: Path) -> None:
    real = write_text(tmp_path / "real.txt", "old")
    (tmp_path / "link.txt").symlink_to(real)
    write_text(tmp_path / "link.txt", "new")
    assert real.read_text() == "new"
    assert (tmp_path / "link.txt").is_symlink()


def test_writes_into_a_pipe_instead_of_replacing_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(pipe, "through")
        assert os.read(reader, 100) == b"through"
        assert pipe.is_fifo()
    finally:
        os.close(reader)


def test_copies_a_spooled_text_after_what_was_written_first(tmp_path: Path) -> None:
    with replacing(tmp_path / "out") as file, spooling() as (spool, spooled):
        spool.write("body")
        file.write("head ")
        file.copy_from(spooled)
    assert (tmp_path / "out").read_text() == "head body"


@pytest.mark.parametrize("name", ["student01", "Ann Lee", "José", "a.b-c_d"])
def test_keeps_ordinary_names_as_file_names(name: str) -> None:
    assert safe_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../../etc/passwd",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "a\nb",
        "a\x00b",
        'quote"d',
        "-rf",
        "CON",
        "x" * 500,
        "é" * 300,
        "e\u0301",
        ".hidden",
        "trailing.",
        "\udcff",
    ],
)
def test_turns_any_name_into_one_plain_file_in_the_folder(name: str, tmp_path: Path) -> None:
    safe = safe_name(name)
    path = write_text(tmp_path / f"{safe}.md", "text")
    assert path.parent == tmp_path
    assert list(tmp_path.iterdir()) == [path]
    assert not safe.startswith((".", "-"))


def test_gives_names_that_differ_in_case_alone_files_that_differ_in_more() -> None:
    names = FileNames()
    files = [names.of(student) for student in ("Ann", "ann", "ANN", "bob")]
    assert files[0] == "Ann"
    assert files[3] == "bob"
    assert len({name.casefold() for name in files}) == len(files)
    assert names.of("ann") == files[1]


def test_never_gives_two_names_the_same_file() -> None:
    names = ["a/b", "a_b", "a\\b", "a b", "a  b", "a\nb", "A/B", "x" * 90, "x" * 91, "x" * 80]
    names += [safe_name(name) for name in names]
    assert len({safe_name(name) for name in set(names)}) == len(set(names))
