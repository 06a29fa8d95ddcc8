"""Retries while the database is busy or the disk is full, so that no result is dropped."""

import sqlite3
import sys
from collections.abc import Callable
from typing import TypeVar

from grader.model.errors import GraderError
from grader.service.refused import Refused

_FIRST_S, _LAST_S = 0.2, 30.0
_T = TypeVar("_T")


def until_done(action: Callable[[], _T], pause: Callable[[float], None]) -> _T:
    """Repeats an action until it succeeds, with growing pauses; `pause` may raise to end that.

    Prints each new error once on standard error, which is the service's log.
    """
    seconds, said = _FIRST_S, ""
    while True:
        try:
            return action()
        except (GraderError, Refused, sqlite3.OperationalError, OSError) as error:
            if isinstance(error, Refused) and error.retry_after is None:
                raise
            if str(error) != said and seconds > _FIRST_S:
                said = str(error)
                print(f"waiting: {said}", file=sys.stderr, flush=True)
        pause(seconds)
        seconds = min(_LAST_S, 2 * seconds)
