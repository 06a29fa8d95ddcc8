"""Which of a team's submissions counts: as the term's table will say."""

from grader.people.course.term import counting
from grader.service.hand_ins import of_teams
from grader.service.rules import lab_of, team_of
from grader.service.service import Service


def counting_submission(service: Service, person: str, lab: str) -> int | None:
    """Number of the one that counts in the lab for a person's team; None if none is judged.

    A judge error counts only where there is nothing else: it costs no point.
    """
    entry = lab_of(service, lab)
    team = team_of(service, person, entry)
    judged = {
        name: {who: [each for each in found if each.score is not None] for who, found in of.items()}
        for name, of in of_teams(service, person).items()
    }
    chosen = counting(service.course, person, entry, judged)
    query = (
        "SELECT number FROM submissions WHERE team = ? AND lab = ? AND result IS NOT NULL"
        " ORDER BY id = ? DESC, points IS NULL, number DESC LIMIT 1"
    )
    values = team, lab, chosen.source if chosen else None
    row = service.connect().execute(query, values).fetchone()
    return None if row is None else int(row["number"])
