from grader.model.kind import HUNT, LAB, TESTS, assignment, kind_of, lab_of


def test_an_assignment_of_another_kind_is_named_after_its_lab() -> None:
    assert [assignment("sum", kind) for kind in (LAB, TESTS, HUNT)] == [
        "sum",
        "sum-tests",
        "sum-hunt",
    ]
    names = ("sum", "sum-tests", "sum-hunt")
    assert [lab_of(name) for name in names] == ["sum"] * 3
    assert [kind_of(name) for name in names] == [LAB, TESTS, HUNT]


def test_a_lab_keeps_a_name_with_another_ending() -> None:
    assert (lab_of("sum-test"), kind_of("sum-test")) == ("sum-test", LAB)
