"""Which files a release has, and what their texts say."""

import subprocess
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.people.release.contents import Chosen, choose, strangers, student_tree
from grader.people.release.leaks import hidden_lines, leaks, other_labs
from grader.people.release.tests.fake_workspace import LABS, make_workspace, write
from grader.people.release.tree import File, Tree


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_workspace(tmp_path / "workspace")


def release(root: Path, *labs: str) -> tuple[Tree, Chosen]:
    chosen = choose(root, labs or LABS, LABS)
    return student_tree(root, chosen), chosen


def problems(root: Path, *labs: str) -> list[str]:
    tree, chosen = release(root, *labs)
    hidden = hidden_lines(root / "solutions")
    return leaks(tree, chosen.stubs, hidden) + other_labs(tree, chosen.others)


def text(tree: Tree, name: str) -> str:
    return tree[name].data.decode()


def test_has_the_labs_and_what_they_need_and_nothing_of_the_staff(root: Path) -> None:
    tree, _ = release(root)
    assert {"labs/threads/sum.cc", "labs/kernels/scale.cu", "common/lab/not_written.h"} <= set(tree)
    assert {"README.md", "setup", ".bazelrc", "labs/README.md"} <= set(tree)
    assert tree["setup"].executable
    assert not tree["BUILD"].executable
    for name in tree:
        assert not name.startswith(("solutions/", "grader/", "staff", "common/lab/tests/")), name


def test_has_only_the_chosen_labs_and_names_no_other(root: Path) -> None:
    tree, _ = release(root, "kernels")
    assert not [name for name in tree if "threads" in name]
    index = text(tree, "labs/README.md")
    assert "| `kernels` | threads | | 60 |" in index
    assert "`threads`" not in index
    assert "threads/README.md" not in index
    assert "labs/kernels/scale.cu" in text(tree, "README.md")
    assert "labs/threads" not in text(tree, "README.md")
    assert problems(root, "kernels") == []


def test_says_nothing_of_ceilings(root: Path) -> None:
    file = root / "labs/threads/lab.toml"
    before = file.read_text()
    ceilings = "# For whoever does less.\n[ceilings]\nqueue = 35\n"
    file.write_text(f"{before}\n{ceilings}")
    assert text(release(root)[0], "labs/threads/lab.toml") == before
    file.write_text(before.replace("\n\n", f"\n{ceilings}\n", 1))
    with pytest.raises(GraderError, match="cannot be left out of the students' copy"):
        release(root)


def test_links_to_what_students_lack_become_text_and_others_stay(root: Path) -> None:
    handout = text(release(root, "kernels")[0], "labs/kernels/README.md")
    assert "**Builds on:** Lab of threads.\n\nSee how to grade,\n" in handout
    assert "[the contract](scale.h)" in handout
    assert "`[code](../kernels/README.md)`" in handout
    both = text(release(root)[0], "labs/kernels/README.md")
    assert "[Lab of threads](../threads/README.md)" in both


def test_examples_name_a_lab_of_the_same_kind_or_a_placeholder(root: Path) -> None:
    assert "bazel test //labs/LAB/..." in text(release(root, "kernels")[0], "labs/README.md")
    toml = root / "labs/kernels/lab.toml"
    toml.write_text(toml.read_text().replace('"cuda"', '"cpu"'))
    index = text(release(root, "kernels")[0], "labs/README.md")
    assert "bazel test //labs/kernels/... --test_filter='FirstKernelsTest.*'" in index
    assert "bazel run //labs/kernels:scale_test" in index


def test_takes_the_files_that_git_tracks_and_names_the_others(root: Path) -> None:
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=root, check=True)
    write(root, "labs/threads/my_attempt.cc", "int x;\n")
    tree, chosen = release(root)
    assert "labs/threads/my_attempt.cc" not in tree
    assert strangers(root, chosen) == ["labs/threads/my_attempt.cc"]
    (root / "common/lab/not_written.h").unlink()
    assert "common/lab/not_written.h" not in release(root)[0]


def test_refuses_a_lab_whose_file_is_missing_or_that_git_does_not_track(root: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "labs/kernels"], cwd=root, check=True)
    assert "labs/kernels/scale.cu" in release(root, "kernels")[0]
    with pytest.raises(GraderError, match=r"labs/threads/sum\.cc is missing, or git does not"):
        release(root, "threads")


def test_refuses_a_symbolic_link(root: Path) -> None:
    (root / "labs/threads/link.h").symlink_to(root / "solutions/threads/sum.cc")
    with pytest.raises(GraderError, match=r"link\.h is a symbolic link"):
        release(root)


def test_finds_nothing_in_a_right_release(root: Path) -> None:
    assert problems(root) == []


def test_finds_a_line_of_the_reference_in_a_stub_however_it_is_indented(root: Path) -> None:
    stub = root / "labs/threads/sum.cc"
    line = "\tconst int share_of_threads =  number_of_values/number_of_workers;\n"
    stub.write_text(stub.read_text() + line)
    (found,) = problems(root)
    assert found.startswith("labs/threads/sum.cc:7: a line of solutions/threads/sum.cc: const int")


def test_finds_lines_of_labs_that_are_left_out(root: Path) -> None:
    stub = root / "labs/kernels/scale.cu"
    stub.write_text("int a_secret_serial_loop_of_threads = 0;\n")
    (found,) = problems(root, "kernels")
    assert "a line of solutions/threads/lazy/serial.cc" in found


def test_finds_hidden_lines_in_a_file_that_a_lab_does_not_need(root: Path) -> None:
    reference = (root / "solutions/threads/sum.cc").read_text()
    write(root, "labs/threads/sum_old.cc", reference)
    found = problems(root)
    assert [line.partition(": ")[0] for line in found] == [
        "labs/threads/sum_old.cc:4",
        "labs/threads/sum_old.cc:5",
    ]


def test_finds_a_whole_hidden_text_in_a_public_one_but_allows_common_helpers(root: Path) -> None:
    hidden = [f"int helper_of_all_the_tests_{number};" for number in range(25)]
    write(root, "solutions/threads/hidden_test.cc", "\n".join(hidden))
    write(root, "labs/threads/sum_test.cc", "\n".join(hidden[:24]))
    assert problems(root) == []
    write(root, "labs/threads/sum_test.cc", "\n".join(hidden))
    (found,) = problems(root)
    assert found.startswith("labs/threads/sum_test.cc:1: 25 lines in a row of hidden texts")


@pytest.mark.parametrize(
    "line",
    ["# see solutions/threads", 'deps = ["//grader"]', "// from hidden_test.cc", "//solutions:x"],
)
def test_finds_names_of_what_students_do_not_get(root: Path, line: str) -> None:
    write(root, "common/lab/not_written.h", f"\n{line}\n")
    (found,) = problems(root)
    assert found.startswith("common/lab/not_written.h:2: names what students do not get: ")


@pytest.mark.parametrize("line", ["// grader: see", "as the grader compiles", "/my-grader/x"])
def test_the_word_grader_is_no_secret(root: Path, line: str) -> None:
    write(root, "common/lab/not_written.h", f"{line}\n")
    assert problems(root) == []


def test_finds_the_path_of_a_lab_that_is_left_out(root: Path) -> None:
    write(root, "common/lab/not_written.h", "// as in labs/threads/sum.h\n")
    assert problems(root) == []
    assert problems(root, "kernels") == [
        "common/lab/not_written.h:1: names a lab that is left out: labs/threads"
    ]


def test_pictures_are_released_as_they_are(root: Path) -> None:
    (root / "labs/threads/picture.png").write_bytes(b"\x89PNG\xff")
    tree, _ = release(root)
    assert tree["labs/threads/picture.png"] == File(b"\x89PNG\xff")
    assert problems(root) == []


def test_has_submit_if_there_is_an_address_to_hand_in_to(root: Path) -> None:
    chosen = choose(root, LABS, LABS)
    without = student_tree(root, chosen)
    assert "submit" not in without
    assert "Hand in" not in text(without, "README.md")
    tree = student_tree(root, chosen, "https://labs.example.edu")
    assert tree["submit"].executable
    assert tree["submit"].data == (root / "grader/service/client/submit.py").read_bytes()
    assert "<https://labs.example.edu>, prints a receipt" in text(tree, "README.md")
