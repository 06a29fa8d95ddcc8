"""What course.toml says of the official run, and which of its mistakes are named."""

from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.people.course.course import Course, load_course

HEAD = 'name = "C"\ntime_zone = "UTC"\n'
LAB = '[[labs]]\nname = "sum"\n'
GROUP = '[[groups]]\nname = "{name}"\nstudents = ["ada", "ben"]\n'


def load(folder: Path, text: str) -> Course:
    path = folder / "course.toml"
    path.write_text(HEAD + text)
    return load_course(path)


def rubric(item: str, lab: str = "sum") -> str:
    return f'[[rubric]]\nlab = "{lab}"\nitem = "{item}"\npoints = 5\ntext = "Names"\n'


def test_a_course_without_the_tables_limits_nothing(tmp_path: Path) -> None:
    course = load(tmp_path, LAB)
    assert (course.staff, course.rubric) == ([], [])
    assert course.hand_in.attempts_per_day is None
    assert course.hand_in.pause_s == 0
    assert course.hand_in.address is None


def test_an_address_has_no_slash_at_its_end(tmp_path: Path) -> None:
    course = load(tmp_path, LAB + '[hand_in]\naddress = "https://labs.example.edu/"')
    assert course.hand_in.address == "https://labs.example.edu"


def test_a_group_may_have_the_name_of_a_member(tmp_path: Path) -> None:
    assert load(tmp_path, LAB + GROUP.format(name="ada")).groups[0].name == "ada"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('staff = ["ada"]\nstudents = ["ada"]\n' + LAB, "staff: 'ada' is also a student"),
        ('staff = ["g"]\n' + LAB + GROUP.format(name="g"), "staff: 'g' is also a student or a"),
        ('staff = ["ben"]\n' + LAB + GROUP.format(name="g"), "staff: 'ben' is also a student"),
        (
            'students = ["ada", "ben", "cleo"]\n' + LAB + GROUP.format(name="cleo"),
            "'cleo' is also a student, who is not in that group",
        ),
        ('students = ["ada "]\n' + LAB, "students.0 = 'ada ': 'ada ' has white space around it"),
        ('students = ["a\\nda"]\n' + LAB, "a control character"),
        (LAB + rubric("style") + rubric("style"), "two items of sum are named 'style'"),
        (LAB + rubric("style", "scan"), "no lab is named 'scan'"),
        (LAB + rubric("<b>"), "rubric.0.item"),
        (LAB + '[hand_in]\naddress = "labs.example.edu"', "is no address such as https://"),
        (LAB + '[hand_in]\naddress = "javascript:alert(1)"', "is no address such as https://"),
        (LAB + '[hand_in]\naddress = "http://labs.example.edu"', "it must be https://"),
        (LAB + '[hand_in]\naddress = "https://uni.example.edu/labs"', "has a path"),
        (LAB + '[hand_in]\nhandouts = "javascript:alert(1)"', "is no address such as https://"),
        (LAB + "[hand_in]\nattempts_per_day = 0", "hand_in.attempts_per_day = '0'"),
        (LAB + "[hand_in]\npause_s = -1", "hand_in.pause_s = '-1'"),
        (LAB + '[hand_in]\nshows_after = "everything"', "hand_in.shows_after"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(GraderError) as caught:
        load(tmp_path, text)
    assert problem in caught.value.problem


def test_a_misspelt_key_is_answered_with_the_right_one(tmp_path: Path) -> None:
    with pytest.raises(GraderError) as caught:
        load(tmp_path, LAB + "[hand_in]\npauses = 3")
    assert caught.value.next_step == "did you mean pause_s?"
