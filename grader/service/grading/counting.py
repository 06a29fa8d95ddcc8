"""Which of a team's submissions counts: as the term's table will say."""

from datetime import datetime
from decimal import Decimal

from grader.people.course.term import HandIn, counting
from grader.service.rules import lab_of, team_of
from grader.service.service import Service


def counting_submission(service: Service, person: str, lab: str) -> int | None:
    """Number of the one that counts in the lab for a person's team; None if none is judged.

    A judge error counts only where there is nothing else: it costs no point.
    """
    entry = lab_of(service, lab)
    hand_ins = {
        each.name: _judged(service, team_of(service, person, each), each.name)
        for each in service.course.labs
    }
    chosen = counting(service.course, person, entry, hand_ins)
    team = team_of(service, person, entry)
    row = (
        service.connect()
        .execute(
            "SELECT number FROM submissions WHERE team = ? AND lab = ? AND result IS NOT NULL"
            " ORDER BY number = ? DESC, points IS NULL, number DESC LIMIT 1",
            (team, lab, int(chosen.source) if chosen else None),
        )
        .fetchone()
    )
    return None if row is None else int(row["number"])


def _judged(service: Service, team: str, lab: str) -> dict[str, list[HandIn]]:
    rows = service.connect().execute(
        "SELECT number, received_at, points, max_points FROM submissions"
        " WHERE team = ? AND lab = ? AND points IS NOT NULL ORDER BY number",
        (team, lab),
    )
    found = [
        HandIn(
            Decimal(str(100 * row["points"] / row["max_points"])),
            datetime.fromisoformat(row["received_at"]),
            str(row["number"]),
            str(row["number"]),
        )
        for row in rows
    ]
    return {team: found} if found else {}
