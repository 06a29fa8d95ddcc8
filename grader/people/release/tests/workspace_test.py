"""This workspace's own labs: any choice of them can be released. Bazel builds them in .ci/run."""

from pathlib import Path

import pytest

from grader.people.handouts.links import problems as link_problems
from grader.people.release.contents import choose, student_tree
from grader.people.release.leaks import hidden_lines, leaks, other_labs
from grader.people.release.tree import write_tree

_ROOT = Path("pyproject.toml").resolve().parent


@pytest.fixture(scope="module")
def hidden() -> dict[str, str]:
    return hidden_lines(_ROOT / "solutions")


@pytest.fixture(scope="module")
def labs() -> list[str]:
    return [path.parent.name for path in sorted(_ROOT.glob("labs/*/lab.toml"))]


def _problems(
    labs: list[str], every: list[str], hidden: dict[str, str], scratch: Path
) -> list[str]:
    chosen = choose(_ROOT, labs, every)
    tree = student_tree(_ROOT, chosen, "https://labs.example.edu")
    assert {*chosen.stubs, "submit"} <= set(tree)
    write_tree(tree, scratch)
    found = leaks(tree, chosen.stubs, hidden) + other_labs(tree, chosen.others)
    return found + link_problems(scratch)


def test_all_labs_can_be_released(labs: list[str], hidden: dict[str, str], tmp_path: Path) -> None:
    assert len(hidden) > 1000
    assert _problems(labs, labs, hidden, tmp_path) == []


def test_each_lab_can_be_released_alone(
    labs: list[str], hidden: dict[str, str], tmp_path: Path
) -> None:
    for lab in labs:
        assert _problems([lab], labs, hidden, tmp_path / lab) == [], lab


def test_finds_each_reference_in_the_place_of_its_stub(
    labs: list[str], hidden: dict[str, str]
) -> None:
    for lab in labs:
        chosen = choose(_ROOT, [lab], labs)
        tree = dict(student_tree(_ROOT, chosen))
        stub = chosen.stub(lab)
        reference = _ROOT / "solutions" / lab / chosen.labs[lab].file
        tree[stub] = type(tree[stub])(reference.read_bytes())
        assert leaks(tree, chosen.stubs, hidden) != [], lab
