"""A hunt of two faults can be drawn in every lab."""

import pytest

from grader.cli.places import lab_names, sample_root, workspace
from grader.judging.hunts.book import Book
from grader.judging.hunts.program import edits
from grader.judging.hunts.rules import rules_for
from grader.people.hunts.draw import draw
from grader.people.hunts.faults import pool

_ROSTER = [f"student{number:02d}" for number in range(40)]


@pytest.mark.parametrize("lab", lab_names())
def test_a_class_can_hunt_in_the_lab(lab: str) -> None:
    found = pool(sample_root() / lab, rules_for(workspace() / "labs" / lab))
    students = draw("key", _ROSTER, found.faults, 2, {})
    faults = {fault.name: fault for fault in found.faults}
    libraries = dict.fromkeys(found.programs, "")
    book = Book(
        lab=lab,
        key="key",
        programs=found.programs,
        libraries=libraries,
        faults=faults,
        students=students,
    )
    assert len({tuple(names) for names in students.values()}) > 5, "hunts differ"
    for student in _ROSTER:
        hunt = book.hunt(student)
        assert hunt
        assert "//" not in hunt.program.replace("://", ""), "comments tell"
        changed = sum(edit.size for edit in edits(hunt.right.split("\n"), hunt.program.split("\n")))
        assert 0 < changed <= sum(fault.size for fault in hunt.faults)
        assert not hunt.lines(hunt.faults[0]) & hunt.lines(hunt.faults[1])
