"""What the race checker's pauses tell about a failed call, as space-time diagrams.

The titles and sentences are those of race_words.py.
"""

import re
from collections.abc import Sequence

from common.lab.failure_pictures.report import PLACE, Source
from common.lab.failure_pictures.space_time import Event, Lane, Order, SpaceTime
from common.lab.race_checker import race_words

_OTHER = "another thread"


def pause_picture(text: str, source: Source) -> SpaceTime | None:
    """Of the first such report in a text; None if there is none with its places."""
    lines = text.splitlines()
    for number, title in enumerate(lines):
        places = _places(lines[number + 1 :])
        for pause in _PAUSES:
            if title == pause.title and tuple(places) == pause.stacks:
                return _drawn(pause, list(places.values()), source)
    return None


def _places(lines: Sequence[str]) -> dict[str, str]:
    """Each sentence of the report that begins there, and the first place below it."""
    found: dict[str, str] = {}
    sentence = ""
    for line in lines:
        if not line.startswith("  "):
            break
        if frame := re.fullmatch(rf"    .* at ({PLACE})", line):
            found.setdefault(sentence, frame[1])
        else:
            sentence = line.strip()
    return found


def _drawn(pause: race_words.Pause, places: Sequence[str], source: Source) -> SpaceTime:
    def event(lane: int, row: int, what: str, place: str = "", look: str = "other") -> Event:
        return Event(lane, row, what, place, source.line(place), look)

    first, last = places[0], places[-1]
    one, two = [Lane("one thread")], [Lane("one thread"), Lane(_OTHER)]
    kept = Order((0, 0), (1, 1), "unlock", is_missing=True)
    if pause is race_words.LOST_SIGNAL:
        signal = Order((1, 1), (0, 2), "a signal after the wait began", is_missing=True)
        events = [event(0, 0, "finds its condition false")]
        events += [event(1, 1, "signals", first), event(0, 2, "waits for ever", "", "wait")]
        return SpaceTime(*_TOLD[pause.title], two, events, [signal])
    if pause is race_words.WOKEN:
        events = [event(0, 0, "waits", first, "wait"), event(0, 1, "goes on")]
        look = Order((0, 0), (0, 1), "a look at the condition", is_missing=True)
        return SpaceTime(*_TOLD[pause.title], one, events, [look])
    if pause is race_words.TWICE:
        events = [event(0, 0, "locks", first), event(0, 1, "locks it again", last, "wait")]
        again = Order((0, 0), (0, 1), "unlock", is_missing=True)
        return SpaceTime(*_TOLD[pause.title], one, events, [again])
    if pause is race_words.ENDED:
        events = [event(0, 0, "locks, and ends", first), event(1, 1, "waits for it", "", "wait")]
        return SpaceTime(*_TOLD[pause.title], two, events, [kept])
    if pause is race_words.KEPT:
        events = [event(0, 0, "locks", first), event(1, 1, "waits for it", last, "wait")]
        return SpaceTime(*_TOLD[pause.title], two, events, [kept])
    if pause is race_words.JOINED:
        events = [event(0, 0, "locks", first), event(0, 1, "joins the other", last, "wait")]
        events.append(event(1, 1, "waits for the lock", "", "wait"))
        return SpaceTime(*_TOLD[pause.title], two, events, [kept])
    between = Order((0, 0), (0, 2), "a lock, or one atomic operation", is_missing=True)
    events = [event(0, 0, "before", first, "read"), event(1, 1, "comes between", "", "write")]
    events.append(event(0, 2, "after", last, "write"))
    return SpaceTime(*_TOLD[pause.title], two, events, [between])


_PAUSES = (*race_words.AFTER_TIME_LIMIT, *race_words.AFTER_WRONG_ANSWER)
_TOLD = {
    race_words.LOST_SIGNAL.title: (
        "Lost signal.",
        "The signal came before the wait began, so nobody wakes the thread.",
    ),
    race_words.WOKEN.title: (
        "Spurious wake-up.",
        "A wait may return without a signal: the thread must look at its condition again.",
    ),
    race_words.KEPT.title: (
        "Lock not released.",
        "Whoever waits for the lock waits for ever.",
    ),
    race_words.LOCKED.title: (
        "Another thread came between.",
        "What one thread read is no longer true when it writes: the other's change is lost.",
    ),
}
