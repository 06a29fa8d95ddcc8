"""Pause, resume and drain: facts in the database, which the loop that grades looks at.

A pause outlives a restart. A drain ends the service once what is graded now is done, and is over
when the service starts again.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from grader.service.queue import PAUSED
from grader.service.service import Service

Wish = Literal["grade", "pause", "drain"]
_DRAINING = "draining"


def pause(service: Service, by: str) -> None:
    """Lets current gradings finish and begins no new ones; students may still hand in."""
    _set(service, by, "paused", PAUSED, "yes")


def resume(service: Service, by: str) -> None:
    """Ends a pause, and a drain that has not ended yet."""
    _set(service, by, "resumed", PAUSED, None, _DRAINING)


def drain(service: Service, by: str) -> None:
    """Lets current gradings finish, then ends the service; the queue is kept."""
    _set(service, by, "draining", _DRAINING, "yes")


CHANGES: Mapping[str, Callable[[Service, str], None]] = {
    "pause": pause,
    "resume": resume,
    "drain": drain,
}
"""By the names of staff's buttons and commands."""


def start_afresh(service: Service) -> None:
    """Forgets a drain, as it has ended the service before."""
    if service.fact(_DRAINING):
        with service.change() as change:
            change.set_fact(_DRAINING, None)


def wish(service: Service) -> Wish:
    """What the loop is to do."""
    if service.fact(_DRAINING):
        return "drain"
    return "pause" if service.fact(PAUSED) else "grade"


def _set(service: Service, by: str, what: str, fact: str, value: str | None, *others: str) -> None:
    with service.change() as change:
        change.set_fact(fact, value)
        for other in others:
            change.set_fact(other, None)
        change.log(by, what)
