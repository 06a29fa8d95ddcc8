"""Where the parallelism of a call went: who did nothing while others worked, and why."""

from collections import defaultdict
from dataclasses import dataclass

from common.timeline.columns import ASLEEP, READY, RUN, SERIAL, SPIN, Cause, Columns, Shares
from common.timeline.record import Record, Thread

ENDED, UNBORN, FEWER = "ended", "unborn", "fewer"
_OF_CALLER = ("join", ASLEEP)
"""A caller that waits for its threads is none of the team."""


@dataclass(frozen=True)
class Losses:
    """Of a team's threads: how many could run on average, and what the others waited for.

    The average is over what the call would take on as many cores as the team has threads, as in
    //common/timing:load.h: a stretch counts as much as its runs, divided by the threads that could.
    """

    team: int
    runnable: float
    causes: dict[Cause, float]
    """Threads that are missing on average, by what they wait for, greatest first."""


def losses(columns: Columns, team: int) -> Losses:
    """Of a team of so many threads."""
    span = runnable = 0.0
    causes: dict[Cause, float] = defaultdict(float)
    for index in range(columns.count):
        shares = [row[index] for row in columns.threads]
        runs = sum(share.get(Cause(RUN), 0) for share in shares)
        could = (runs + sum(share.get(Cause(READY), 0) for share in shares)) / columns.width
        weight = runs / max(1.0, could) if could else columns.width
        span += weight
        runnable += weight * min(team, could)
        for cause, missing in _missing(columns, index, shares, team - min(team, could)).items():
            causes[cause] += weight * missing
    span = span or 1.0
    # Where threads take turns on few cores, some end early although all do the same work.
    too_much = max(0.0, causes[Cause(ENDED)] / span - team * (1 - 1 / balance(columns.record)))
    causes[Cause(ENDED)] -= too_much * span
    runnable += too_much * span
    shown = {cause: amount / span for cause, amount in causes.items() if amount / span > 0.01}
    greatest = dict(sorted(shown.items(), key=lambda item: -item[1]))
    return Losses(team, runnable / span, greatest)


def _missing(columns: Columns, index: int, shares: list[Shares], deficit: float) -> Shares:
    waits: Shares = {}
    for number, share in enumerate(shares):
        for cause, amount in share.items():
            if cause in (Cause(RUN), Cause(READY)) or (number == 0 and cause.state in _OF_CALLER):
                continue
            why = Cause(SPIN, None, cause.line) if cause.state == READY else cause
            waits[why] = waits.get(why, 0) + amount / columns.width
    waiting = sum(waits.values())
    if waiting >= deficit > 0:
        return {cause: amount * deficit / waiting for cause, amount in waits.items()}
    return {**waits, Cause(_nobody(columns, index)): max(0.0, deficit - waiting)}


def _nobody(columns: Columns, index: int) -> str:
    """Why there is no thread that could do more."""
    others = columns.record.threads[1:]
    middle = (index + 0.5) * columns.width
    if any(thread.end < middle for thread in others):
        return ENDED
    if any(thread.seen > middle for thread in others):
        return UNBORN
    return FEWER if others else SERIAL


def balance(record: Record) -> float:
    """The busiest thread's run time over the mean, of the threads that a call began, or all."""
    runs = [thread.run for thread in record.threads if thread.run > 0.01 * record.wall]
    return max(runs) * len(runs) / sum(runs) if runs else 1.0


def busiest(record: Record) -> Thread:
    """The thread that ran longest."""
    return max(record.threads, key=lambda thread: thread.run)
