"""Kinds of assignments besides the labs themselves, for every lab: LAB-tests, LAB-hunt.

An assignment's name stands wherever a lab's may: in course.toml, in `--lab`, in stored results.
"""

LAB = "lab"
TESTS = "tests"
HUNT = "hunt"


def assignment(lab: str, kind: str) -> str:
    """Its name."""
    return lab if kind == LAB else f"{lab}-{kind}"


def lab_of(assignment_name: str) -> str:
    """The lab that an assignment is about: its folder."""
    lab, _, kind = assignment_name.rpartition("-")
    return lab if kind in (TESTS, HUNT) else assignment_name
