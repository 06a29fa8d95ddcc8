"""Where the threads of a call stood that did not return, as lanes: the grader's message says it."""

import re

from common.lab.failure_pictures.report import PLACE, Source
from common.lab.failure_pictures.space_time import Event, Lane, SpaceTime

_GROUP = re.compile(
    rf"(\d{{1,6}} threads?) (?:waits?|is|are) (?:in ([\w:#][\w:# ]{{0,60}}?) called )?at ({PLACE})"
)
_MOST_LANES = 3


def standstill_picture(text: str, source: Source) -> SpaceTime | None:
    """None if the text does not say that a thread waits."""
    groups = _GROUP.findall(text)[:_MOST_LANES]
    if not any(called for _, called, _ in groups):
        return None
    lanes = [Lane(who) for who, _, _ in groups]
    events = [
        Event(
            lane,
            0,
            f"in {called}" if called else "busy",
            place,
            source.line(place),
            "wait" if called else "other",
        )
        for lane, (_, called, place) in enumerate(groups)
    ]
    caption = "Where the threads stood when the time was up: who should have woken whom?"
    return SpaceTime("A call that did not return.", caption, lanes, events)
