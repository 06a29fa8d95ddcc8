"""Kinds of assignments besides the labs themselves, for every lab: LAB-tests, LAB-hunt.

An assignment's name stands wherever a lab's may: in course.toml, in `--lab`, in stored results.
"""

LAB = "lab"
TESTS = "tests"
HUNT = "hunt"

DIAGNOSIS = "diagnosis.toml"
SHOWS_TEST = "shows_test.cc"
BESIDE = {HUNT: (DIAGNOSIS, SHOWS_TEST)}
"""By kind, the files that are handed in besides the one that its kit names."""


def assignment(lab: str, kind: str) -> str:
    """Its name."""
    return lab if kind == LAB else f"{lab}-{kind}"


def kind_of(assignment_name: str) -> str:
    """That which its name says."""
    return assignment_name.removeprefix(lab_of(assignment_name)).removeprefix("-") or LAB


def lab_of(assignment_name: str) -> str:
    """The lab that an assignment is about: its folder."""
    lab, _, kind = assignment_name.rpartition("-")
    return lab if kind in (TESTS, HUNT) else assignment_name
