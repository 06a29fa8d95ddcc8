"""The term's table at its edges: deadlines, daylight saving, groups, late days, resubmissions."""

import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from rich.console import Console

from grader.model.errors import GraderError
from grader.people.course.course import Course, load_course
from grader.people.course.local_time import span_text
from grader.people.course.term import HandIn, HandIns, Line, Student, curve, strangers, term
from grader.people.course.terminal import print_one

Load = Callable[..., Course]
NOW = datetime(2027, 7, 1, tzinfo=UTC)
HEAD = 'name = "C"\ntime_zone = "Europe/Berlin"\n'
LATE = "[late]\nfree_days = 1\naccept_days = 3\npenalty = 10\n"
SUM = '[[labs]]\nname = "sum"\nresults = ["r"]\ndeadline = 2026-10-23T23:59:59\n'
SCAN = '[[labs]]\nname = "scan"\nresults = ["q"]\ndeadline = 2026-11-06T23:59:59\n'


@pytest.fixture
def course_of(tmp_path: Path) -> Load:
    def load(*texts: str) -> Course:
        path = tmp_path / "course.toml"
        path.write_text(HEAD + "".join(texts))
        return load_course(path)

    return load


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def one(score: str, when: str | None = None) -> list[HandIn]:
    return [HandIn(Decimal(score), at(when) if when else None)]


def only(course: Course, hand_ins: HandIns, now: datetime = NOW) -> Student:
    (student,) = term(course, hand_ins, now)
    return student


@pytest.mark.parametrize(
    ("when", "status", "counted"),
    [
        ("2026-10-23T23:59:59.999+02:00", "on_time", "80.00"),
        ("2026-10-24T00:00:00+02:00", "late", "72.00"),
        ("2026-10-24T23:59:59+02:00", "late", "72.00"),
        ("2026-10-25T00:00:00+02:00", "late", "64.00"),
        # This day has 25 hours.
        ("2026-10-25T23:59:59+01:00", "late", "64.00"),
        ("2026-10-26T00:00:00+01:00", "late", "56.00"),
        ("2026-10-26T23:59:59+01:00", "late", "56.00"),
        ("2026-10-27T00:00:00+01:00", "too_late", "0"),
    ],
)
def test_counts_days_from_the_last_second_of_the_deadline(
    course_of: Load, when: str, status: str, counted: str
) -> None:
    course = course_of(LATE.replace("free_days = 1\n", ""), SUM)
    line = only(course, {"sum": {"a": one("80", when)}}).labs[0]
    assert (line.status, line.counted) == (status, Decimal(counted))


def test_counts_hours_as_they_pass_when_the_clocks_go_back(course_of: Load) -> None:
    lab = SUM.replace("10-23T23", "10-24T23")
    course = course_of('[late]\naccept_days = 3\npenalty = 1\nper = "hour"\n', lab)
    line = only(course, {"sum": {"a": one("100", "2026-10-25T23:59:59+01:00")}}).labs[0]
    assert line.counted == 75


def test_refuses_a_deadline_that_the_clocks_skip(course_of: Load) -> None:
    with pytest.raises(GraderError, match="2027-03-28 02:30:00 does not exist in Europe/Berlin"):
        course_of(SUM.replace("2026-10-23T23:59:59", "2027-03-28T02:30:00"))


def test_takes_the_later_of_two_instants_for_a_deadline(course_of: Load) -> None:
    course = course_of(SUM.replace("10-23T23:59:59", "10-25T02:30:00"))
    on_time = only(course, {"sum": {"a": one("80", "2026-10-25T02:30:00+01:00")}})
    assert on_time.labs[0].status == "on_time"
    late = only(course, {"sum": {"a": one("80", "2026-10-25T02:30:01+01:00")}})
    assert late.labs[0].status == "too_late"


def test_uses_free_days_in_the_order_of_deadlines(course_of: Load) -> None:
    course = course_of(LATE, SCAN, SUM)
    hand_ins = {
        "sum": {"a": one("80", "2026-10-24T12:00+02:00")},
        "scan": {"a": one("80", "2026-11-07T12:00+01:00")},
    }
    student = only(course, hand_ins)
    assert [(line.lab, line.late_days_used, line.counted) for line in student.labs] == [
        ("scan", 0, Decimal(72)),
        ("sum", 1, Decimal(80)),
    ]
    assert student.late_days_left == 0


def test_uses_no_free_day_for_a_score_of_zero(course_of: Load) -> None:
    student = only(course_of(LATE, SUM), {"sum": {"a": one("0", "2026-10-24T12:00+02:00")}})
    assert student.late_days_left == 1


def test_work_that_waits_for_marks_uses_its_free_days(course_of: Load) -> None:
    late = HandIn(Decimal(80), at("2026-10-24T12:00+02:00"), not_marked=("style",))
    student = only(course_of(LATE, SUM), {"sum": {"a": [late]}})
    assert (student.labs[0].counted, student.late_days_left) == (None, 0)


@pytest.mark.parametrize(("counts", "counted"), [("best", "80"), ("last", "72")])
def test_counts_the_best_or_the_last_although_it_is_late(
    course_of: Load, counts: str, counted: str
) -> None:
    course = course_of(LATE.replace("free_days = 1\n", ""), SUM + f'counts = "{counts}"\n')
    both = one("80", "2026-10-23T12:00+02:00") + one("80", "2026-10-24T12:00+02:00")
    assert only(course, {"sum": {"a": both}}).labs[0].counted == Decimal(counted)


def test_counts_the_last_that_was_accepted(course_of: Load) -> None:
    both = one("60", "2026-10-23T12:00+02:00") + one("90", "2026-10-30T12:00+02:00")
    line = only(course_of(LATE, SUM + 'counts = "last"\n'), {"sum": {"a": both}}).labs[0]
    assert line.counted == 60


def test_gives_a_groups_score_to_its_members_until_it_splits(course_of: Load) -> None:
    group = '[[groups]]\nname = "g"\nstudents = ["a", "b"]\nlast_lab = "sum"\n'
    hand_ins = {"sum": {"g": one("80")}, "scan": {"a": one("70"), "b": one("60")}}
    table = term(course_of(SUM, SCAN, group), hand_ins, NOW)
    assert [[line.counted for line in student.labs] for student in table] == [[80, 70], [80, 60]]


def test_extends_the_deadline_of_the_whole_group_for_one_member(course_of: Load) -> None:
    group = '[[groups]]\nname = "g"\nstudents = ["a", "b"]\n'
    extension = '[[extensions]]\nstudents = ["a"]\nlab = "sum"\ndays = 2\n'
    hand_ins = {"sum": {"b": one("80", "2026-10-25T23:59:59+01:00")}}
    table = term(course_of(SUM, group, extension), hand_ins, NOW)
    assert [student.labs[0].status for student in table] == ["on_time", "on_time"]


def test_refuses_an_extension_for_a_student_who_is_not_in_the_class(course_of: Load) -> None:
    extension = '[[extensions]]\nstudents = ["studnet"]\ndays = 2\n'
    with pytest.raises(GraderError, match="'studnet' is not in students"):
        course_of('students = ["student"]\n', SUM, extension)
    assert strangers(course_of(SUM, extension), {"sum": {"student": one("1")}}) == ["studnet"]


def test_counts_zero_for_nothing_only_after_the_deadline(course_of: Load) -> None:
    course = course_of('students = ["a"]\n', SUM)
    before = only(course, {"sum": {}}, at("2026-10-23T23:59:59+02:00"))
    assert (before.labs[0].status, before.total) == ("not_due", None)
    after = only(course, {"sum": {}}, at("2026-10-24T00:00:00+02:00"))
    assert (after.labs[0].status, after.total) == ("nothing", Decimal(0))


def test_leaves_out_what_was_not_judged(course_of: Load) -> None:
    student = only(course_of(SUM, SCAN), {"sum": {"a": [HandIn(None)]}, "scan": {"a": one("70")}})
    assert (student.labs[0].status, student.total) == ("not_judged", Decimal(70))


def test_weighs_drops_and_adds_extra_credit(course_of: Load) -> None:
    extra = '[[labs]]\nname = "more"\nresults = ["m"]\nextra_credit = true\nweight = 0.1\n'
    points = '[[extra_points]]\nstudent = "a"\npoints = 1.5\nwhy = "a bug report"\n'
    course = course_of("drop_lowest = 1\n", SUM, SCAN, extra, points)
    scores = {"sum": {"a": one("40")}, "scan": {"a": one("70")}, "more": {"a": one("50")}}
    student = only(course, scores)
    assert [line.dropped for line in student.labs] == [True, False, False]
    assert student.total == Decimal("76.50")


def test_rounds_halves_up_before_it_grades(course_of: Load) -> None:
    course = course_of(SUM, SCAN, "[grades]\nB = 0\nA = 89.99\n")
    student = only(course, {"sum": {"a": one("89.98")}, "scan": {"a": one("89.99")}})
    assert (student.total, student.grade) == (Decimal("89.99"), "A")


@pytest.mark.parametrize(("total", "curved"), [("0", 50), ("25", 60), ("50", 70), ("120", 100)])
def test_curves_linearly_between_points(total: str, curved: int) -> None:
    points = [(Decimal(x), Decimal(y)) for x, y in ((0, 50), (50, 70), (100, 100))]
    assert curve(points, Decimal(total)) == curved


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SUM + "weight = nan\n", "labs.0.weight"),
        (SUM + "weight = -3\n", "labs.0.weight = '-3'"),
        (SUM.replace("2026-10-23T23:59:59", "20261023"), "labs.0.deadline"),
        (SUM.replace("23:59:59", "23:59"), "is not TOML"),
        (SUM + SUM, "two labs are named 'sum'"),
        (SUM + "[late]\nfree_days = 2\n", "nothing late is accepted"),
        (SUM + '[[extensions]]\nlab = "sun"\ndays = 1\n', "no lab is named 'sun'"),
        (SUM + 'colour = "red"\n', "labs.0.colour"),
    ],
)
def test_names_the_key_and_the_value_that_are_wrong(
    course_of: Load, text: str, message: str
) -> None:
    with pytest.raises(GraderError) as caught:
        course_of(text)
    assert message in caught.value.problem
    assert "course.toml" in caught.value.problem


@pytest.mark.parametrize(
    ("text", "message", "step"),
    [
        (SUM + 'dedline = "x"\n', "labs.0.dedline = 'x' (of 'sum')", "did you mean deadline?"),
        (SUM + "[late]\nfree_day = 2\n", "late.free_day", "did you mean free_days?"),
        (SUM + "[[extensions]]\nlabb = 1\ndays = 1\n", "(number 1 of extensions)", "mean lab?"),
        ("drop_lowst = 1\n" + SUM, "drop_lowst", "did you mean drop_lowest?"),
        (SUM + 'colour = "red"\n', "labs.0.colour = 'red' (of 'sum')", "use one of name, results"),
    ],
)
def test_an_unknown_key_names_whose_it_is_and_the_one_that_was_meant(
    course_of: Load, text: str, message: str, step: str
) -> None:
    with pytest.raises(GraderError) as caught:
        course_of(text)
    assert message in caught.value.problem
    assert "there is no such key" in caught.value.problem
    assert step in caught.value.next_step


@pytest.mark.parametrize(("seconds", "text"), [(0, "0 s"), (1, "1 s"), (93600, "1 d 2 h")])
def test_shows_a_span_in_its_two_largest_units(seconds: int, text: str) -> None:
    assert span_text(seconds) == text


def test_reads_the_example_of_the_documentation(tmp_path: Path) -> None:
    page = Path("grader/docs/course.md").read_text(encoding="utf-8")
    path = tmp_path / "course.toml"
    path.write_text(page.split("```toml\n")[1].split("```")[0])
    assert [lab.name for lab in load_course(path).labs] == ["pthreads_sum", "openmp_scan"]


@pytest.mark.parametrize("record", [Line, Student])
def test_documents_every_field(record: type[Line] | type[Student]) -> None:
    page = Path("grader/docs/course.md").read_text(encoding="utf-8")
    names = [entry.name for entry in dataclasses.fields(record)]
    assert [name for name in names if f"`{name}`" not in page] == []


def test_a_total_is_told_with_both_decimals(capsys: pytest.CaptureFixture[str]) -> None:
    total = Decimal("99.05")
    print_one(Student("ann", [], 3, total, total, None), Console(force_terminal=False))
    assert "total 99.05; 3 free late days left" in capsys.readouterr().out
