"""A made-up course in a folder: two labs, five students, one group, one member of staff."""

import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from grader.model.lab import Lab
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import LAB, make_result
from grader.people.course.course import load_course
from grader.service import desk, people, queue
from grader.service.desk import Receipt
from grader.service.service import Service

STUDENTS = ("ada", "ben", "cleo", "dan", "eve")
STAFF = "tess"
GROUP = "group-a"
"""Of ada and ben, in fake_sum only."""
RIGHT = b"double Sum(const double* x, int n) { /* ... */ }\n"

NOON = datetime(2026, 10, 20, 12, tzinfo=UTC)
"""What the clock shows at first: three and a half days before fake_sum's deadline."""

COURSE = """
name = "Parallel programming"
time_zone = "Europe/Berlin"
students = ["ada", "ben", "cleo", "dan", "eve"]
staff = ["tess"]

[hand_in]
address = "https://labs.example.edu"
{hand_in}

[late]
free_days = 2
accept_days = 3
penalty = 10

[[labs]]
name = "fake_sum"
deadline = 2026-10-23T23:59:59

[[labs]]
name = "fake_scan"

[[groups]]
name = "group-a"
students = ["ada", "ben"]
last_lab = "fake_sum"

[[rubric]]
lab = "fake_sum"
item = "style"
points = 5
text = "Names, structure, comments"
{more}"""

LABS: dict[str, Lab] = {
    "fake_sum": LAB,
    "fake_scan": LAB.model_copy(update={"title": "Prefix sums", "file": "scan.cc"}),
}


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        """By days, hours, minutes, seconds: back, where they are negative."""
        self.at += timedelta(**by)


def make_service(
    folder: Path,
    *,
    hand_in: str = "",
    more: str = "",
    clock: Callable[[], datetime] | None = None,
) -> Service:
    """The service of COURSE with more lines in [hand_in] and at its end; its clock is a `Clock`."""
    course = folder / "course.toml"
    course.write_text(COURSE.format(hand_in=hand_in, more=more))
    service = Service(load_course(course), course, folder / "data", LABS, clock or Clock())
    people.enrol(service)
    return service


_keys = itertools.count(1)


def new_key() -> str:
    """A key of a request, as the client makes them."""
    return f"{next(_keys):032x}"


def hand_in(
    service: Service,
    person: str = "cleo",
    lab: str = "fake_sum",
    text: bytes | str | None = None,
    key: str | None = None,
) -> Receipt:
    """Hands a text in; without one, one that nobody handed in before."""
    key = key or new_key()
    content = text.encode() if isinstance(text, str) else text
    if content is None:
        content = RIGHT + f"// {key}\n".encode()
    return desk.hand_in(service, person, lab, content, LABS[lab].file, key)


def result_of(
    lab: str = "fake_sum",
    student: str = "cleo",
    first: Verdict = Verdict.ACCEPTED,
    second: Verdict = Verdict.ACCEPTED,
) -> Result:
    """A result with these verdicts on the lab's two parts."""
    return make_result(student, first, second).model_copy(update={"lab": lab})


def grade_next(
    service: Service,
    first: Verdict = Verdict.ACCEPTED,
    second: Verdict = Verdict.ACCEPTED,
    slot: int = 0,
) -> str | None:
    """Grades the next submission of the queue at once; its id, None if none waits."""
    claimed = queue.claim(service, slot)
    if claimed is None:
        return None
    assert queue.finish(
        service, claimed.number, result_of(claimed.lab, claimed.team, first, second)
    )
    return claimed.id
