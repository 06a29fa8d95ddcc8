"""What a student's pages show of labs and submissions, from the database and the course's rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from grader.model.lab import Lab
from grader.model.verdict import Verdict
from grader.pages.presentation.words import WORDS, points_text
from grader.people.course.course import CourseLab
from grader.people.course.term import Line
from grader.service import desk
from grader.service.desk import Submission
from grader.service.hand_ins import term_so_far
from grader.service.rules import (
    LabRules,
    is_after,
    lab_of,
    lab_rules,
    labs_of,
    seconds_until,
    shows,
    team_of,
)
from grader.service.service import Service
from grader.service.web.words import SHOWN

_UNDER_WAY = {"waiting": "waiting", "grading": "being graded"}


@dataclass(frozen=True)
class Try:
    """A line of the list of submissions."""

    row: Submission
    verdict: Verdict
    label: str
    is_late: bool
    counts: bool


@dataclass(frozen=True)
class LabView:
    """A lab for one student, now."""

    name: str
    lab: Lab
    rules: LabRules
    team: str
    members: list[str]
    tries: list[Try]
    """Newest first."""
    line: Line
    """What counts in the term, and why."""
    per_day: int | None
    now: datetime

    @property
    def title(self) -> str:
        return self.lab.title

    @property
    def points(self) -> float | None:
        """What counts, after penalties; before that is known the most so far, None without any."""
        if self.line.source and self.line.counted is not None:
            return float(self.line.counted)
        return max((t.row.points for t in self.tries if t.row.points is not None), default=None)

    @property
    def under_way(self) -> int:
        return sum(not each.row.is_done for each in self.tries)

    @property
    def left_s(self) -> int:
        return seconds_until(self.rules.deadline, self.now)

    @property
    def late_left_s(self) -> int:
        return seconds_until(self.rules.last_acceptance, self.now)

    @property
    def wait_s(self) -> int:
        return seconds_until(self.rules.wait_until, self.now)

    @property
    def is_closed(self) -> bool:
        return is_after(self.now, self.rules.last_acceptance)


def lab_views(service: Service, person: str) -> tuple[list[LabView], int]:
    """Every lab that can be handed in, in the course's order, and the free late days left."""
    now = service.now()
    term = term_so_far(service, person, now)
    lines = {line.lab: line for line in term.labs}
    mine: dict[str, list[Submission]] = {}
    for row in desk.submissions_of(service, person):
        mine.setdefault(row.lab, []).append(row)
    views = [
        _view(service, person, entry, mine.get(entry.name, []), lines[entry.name], now)
        for entry in labs_of(service)
    ]
    return views, term.late_days_left


def lab_view(service: Service, person: str, name: str) -> LabView:
    """One lab. Refused with 404 if there is none of that name."""
    entry, now = lab_of(service, name), service.now()
    lines = {line.lab: line for line in term_so_far(service, person, now).labs}
    rows = desk.submissions_of(service, person, name)
    return _view(service, person, entry, rows, lines[name], now)


def _view(
    service: Service,
    person: str,
    entry: CourseLab,
    rows: Sequence[Submission],
    line: Line,
    now: datetime,
) -> LabView:
    rules = lab_rules(service, person, entry.name, now)
    group = service.course.group_of(person, entry)
    return LabView(
        entry.name,
        service.labs[entry.name],
        rules,
        team_of(service, person, entry),
        list(group.students) if group else [],
        [_try(row, rules.deadline, line.source) for row in rows],
        line,
        service.course.hand_in.attempts_per_day,
        now,
    )


def _try(row: Submission, deadline: datetime | None, counting: str) -> Try:
    is_late = is_after(row.received_at, deadline)
    verdict = Verdict(row.verdict) if row.verdict else Verdict.NOT_GRADED
    label = _UNDER_WAY.get(row.state) or WORDS[verdict].label
    return Try(row, verdict, label, is_late, row.id == counting)


def rules_in_words(service: Service, view: LabView) -> Iterator[str]:
    """What course.toml and lab.toml say of handing in, a sentence each."""
    course, limit = service.course, view.lab.limits.source_kb
    asked = course.hand_in
    yield f"Hand in one file, {view.lab.file}, of at most {limit} KiB."
    counts = next(entry.counts for entry in course.labs if entry.name == view.name)
    which = "best" if counts == "best" else "last one"
    yield f"Of several hand-ins the {which} counts, with its penalty if it is late."
    if asked.attempts_per_day:
        yield (
            f"{asked.attempts_per_day} attempts a day, counted from midnight. One that the grader "
            "failed to judge does not count."
        )
    if asked.pause_s:
        yield f"{asked.pause_s} seconds between two hand-ins."
    if view.rules.deadline:
        yield _late_words(service)
    yield from _shown_words(service, view)
    if view.members:
        yield "Whatever one of your group hands in counts for all of you."


def _shown_words(service: Service, view: LabView) -> Iterator[str]:
    before, after = (SHOWN[shows(service, view.name, late=late)] for late in (False, True))
    if view.rules.deadline is None or before == after:
        yield f"Hidden tests show {before}."
    else:
        yield f"Until the deadline hidden tests show {before}."
        yield f"After the deadline they show {after}."


def _late_words(service: Service) -> str:
    late = service.course.late
    if not late.accept_days:
        return "After the deadline nothing is accepted."
    cost = f"{points_text(float(late.penalty))} % of the {late.of} for each {late.per} begun"
    free = f"; {late.free_days} days of the term are free" if late.free_days else ""
    days = f"{late.accept_days} days after the deadline"
    return f"Late work is accepted for {days}, and costs {cost}{free}."
