"""How many later submissions will be graded before one that waits.

In the last minutes before a deadline a team's second submission waits for the first ones of teams
that have not handed in yet. All teams are taken to hand in at the rate of the last minutes, for as
long again, but not beyond the deadline. Then the number of a team's submissions has a Poisson
distribution, and as many of them overtake as the team has free rounds.
"""

import math
from collections import Counter
from datetime import datetime, timedelta

from grader.service.database import text_of
from grader.service.service import Service

_WINDOW = timedelta(minutes=10)


class Arrivals:
    """The recent rate of submissions, and how many are expected from it."""

    def __init__(self, service: Service, now: datetime, virtual_time: int) -> None:
        database = service.connect()
        recent = database.execute(
            "SELECT COUNT(*) AS count, MIN(received_at) AS first FROM submissions"
            " WHERE received_at >= ? GROUP BY +team",  # by the index of times
            (text_of(now - _WINDOW),),
        ).fetchall()
        first = min((datetime.fromisoformat(row["first"]) for row in recent), default=now)
        span = (now - first).total_seconds()
        counts = [row["count"] for row in recent]
        # The most active team is left out: it says nothing about the others.
        others = sum(counts) - max(counts, default=0)
        last = database.execute("SELECT MAX(round) FROM submissions GROUP BY team").fetchall()
        self._next = Counter(max(virtual_time, int(row[0]) + 1) for row in last)
        students = "SELECT COUNT(*) FROM people WHERE role = 'student'"
        teams = max(int(database.execute(students).fetchone()[0]), len(last))
        self._next[virtual_time] += teams - len(last)
        self._rate = others / span / teams if span > 0 else 0.0
        self._longest = min(span, _until_deadline(service, now))

    def before(self, round_number: int, wait: float) -> float:
        """How many are expected that come before those of a round who wait for so many seconds."""
        mean = self._rate * min(wait, self._longest)
        if mean <= 0:
            return 0.0
        free = [(round_number - number, teams) for number, teams in self._next.items()]
        most = max((rounds for rounds, _ in free), default=0)
        expected = _expected_at_most(mean, most)
        return sum(teams * expected[rounds] for rounds, teams in free if rounds > 0)


def _expected_at_most(mean: float, most: int) -> list[float]:
    """E[min(X, n)] of a Poisson variable X for n = 0 to `most`."""
    probability = below = math.exp(-mean)
    expected = [0.0]
    for count in range(1, most + 1):
        expected.append(expected[-1] + 1 - below)
        probability *= mean / count
        below += probability
    return expected


def _until_deadline(service: Service, now: datetime) -> float:
    """Seconds to the next deadline of the course; infinite without one."""
    course = service.course
    due = (course.instant(lab.deadline) for lab in course.labs if lab.deadline is not None)
    return min(((at - now).total_seconds() for at in due if at > now), default=math.inf)
