"""This workspace's own labs: any choice of them can be released. Bazel builds them in .ci/run."""

from pathlib import Path

import pytest

from grader.people.handouts.links import problems as link_problems
from grader.people.release.contents import choose, student_tree
from grader.people.release.leaks import hidden_lines, leaks, other_labs
from grader.people.release.tree import File, write_tree

_ROOT = Path("pyproject.toml").resolve().parent


@pytest.fixture(scope="module")
def hidden() -> dict[str, str]:
    return hidden_lines(_ROOT / "solutions")


@pytest.fixture(scope="module")
def labs() -> list[str]:
    return [path.parent.name for path in sorted(_ROOT.glob("labs/*/lab.toml"))]


@pytest.fixture(scope="module")
def whole(labs: list[str]) -> dict[str, File]:
    """The students' copy of all labs."""
    return _tree(labs, labs)


def _tree(labs: list[str], every: list[str]) -> dict[str, File]:
    return dict(student_tree(_ROOT, choose(_ROOT, labs, every), "https://labs.example.edu"))


def _problems(labs: list[str], every: list[str], tree: dict[str, File], scratch: Path) -> list[str]:
    chosen = choose(_ROOT, labs, every)
    assert {*chosen.stubs, "submit"} <= set(tree)
    write_tree(tree, scratch)
    return other_labs(tree, chosen.others) + link_problems(scratch)


def test_all_labs_can_be_released(
    labs: list[str], hidden: dict[str, str], whole: dict[str, File], tmp_path: Path
) -> None:
    assert len(hidden) > 1000
    assert _problems(labs, labs, whole, tmp_path) == []
    assert leaks(whole, choose(_ROOT, labs, labs).stubs, hidden) == []


def test_each_lab_can_be_released_alone(
    labs: list[str], hidden: dict[str, str], whole: dict[str, File], tmp_path: Path
) -> None:
    for lab in labs:
        tree = _tree([lab], labs)
        assert _problems([lab], labs, tree, tmp_path / lab) == [], lab
        other = {path: file for path, file in tree.items() if whole.get(path) != file}
        assert leaks(other, choose(_ROOT, [lab], labs).stubs, hidden) == [], lab


def test_finds_each_reference_in_the_place_of_its_stub(
    labs: list[str], hidden: dict[str, str], whole: dict[str, File]
) -> None:
    chosen = choose(_ROOT, labs, labs)
    for lab in labs:
        stub = chosen.stub(lab)
        reference = (_ROOT / "solutions" / lab / chosen.labs[lab].file).read_bytes()
        own = {path: file for path, file in whole.items() if path.startswith(f"labs/{lab}/")}
        assert leaks({**own, stub: File(reference)}, chosen.stubs, hidden) != [], lab
