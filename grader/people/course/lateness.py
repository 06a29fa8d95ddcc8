"""What handing in late costs: pure arithmetic on instants and decimals."""

from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import ROUND_HALF_UP, Decimal

from grader.people.course.course import Late
from grader.people.course.local_time import days_after, days_begun, hours_begun, seconds_late

_CENT = Decimal("0.01")


def rounded(value: Decimal) -> Decimal:
    """Two decimals, halves up: how every score of the term is rounded."""
    return value.quantize(_CENT, ROUND_HALF_UP)


@dataclass(frozen=True)
class Lateness:
    """One hand-in against its deadline."""

    seconds: int = 0
    accepted: bool = True
    free_days: int = 0
    """Free late days that it used."""
    units: int = 0
    """Days or hours begun that no free day covers."""
    percent: Decimal = Decimal(0)
    """The penalty, of the score or of the maximum."""
    points: Decimal = Decimal(0)
    """The points that it takes from the score, rounded."""


def lateness(
    score: Decimal, at: datetime, deadline: datetime, late: Late, free_left: int, zone: tzinfo
) -> Lateness:
    """Uses as few free days as give the smallest penalty; none if the score is 0."""
    seconds, days = seconds_late(deadline, at), days_begun(deadline, at, zone)
    if days > late.accept_days:
        return Lateness(seconds, accepted=False)
    most_free = min(days, free_left) if score else 0
    choices = [
        _with_free_days(used, seconds, days, at, deadline, late, zone, score)
        for used in range(most_free + 1)
    ]
    return min(choices, key=lambda choice: (choice.percent, choice.free_days))


def _with_free_days(
    used: int,
    seconds: int,
    days: int,
    at: datetime,
    deadline: datetime,
    late: Late,
    zone: tzinfo,
    score: Decimal,
) -> Lateness:
    units = days - used
    if late.per == "hour":
        units = hours_begun(days_after(deadline, used, zone), at)
    percent = min(late.at_most, units * late.penalty)
    points = score * percent / 100 if late.of == "score" else min(score, percent)
    return Lateness(seconds, True, used, units, percent, rounded(points))
