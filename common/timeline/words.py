"""Sentences on where the parallelism of a call went, and what to do."""

from common.timeline.columns import ASLEEP, SERIAL, SPIN, Cause
from common.timeline.evidence import Evidence
from common.timeline.losses import ENDED, FEWER, UNBORN, Losses, busiest
from common.timeline.names import ORDERED

_MANY, _TINY = 1000, 5000
"""Tasks, and nanoseconds of each, from which on they are too many and too small."""
STATES = {
    "run": "runs",
    "ready": "ready, without a core",
    "lock": "waits for a lock",
    SPIN: "spins",
    "condition": "waits for a condition, semaphore or atomic",
    "barrier": "waits at a barrier",
    "taskwait": "waits for tasks",
    "join": "waits for a thread's end",
    "sleep": "sleeps for a set time",
    ASLEEP: "sleeps, reason not seen",
    SERIAL: "no parallel region",
}
_ELSE = {
    ENDED: "threads that had ended while others still worked",
    UNBORN: "threads that had not started yet",
    FEWER: "threads that were never started",
    SERIAL: "code outside of parallel regions",
    ASLEEP: "sleep whose reason is not seen",
    "join": "waits for threads to end",
    "sleep": "sleep for a set time",
}


def what(cause: Cause, evidence: Evidence) -> str:
    """The cause, after `went to`."""
    at = evidence.places.at(cause.line)
    if cause.state in _ELSE:
        return _ELSE[cause.state]
    if cause.state == "taskwait":
        return f"waits for tasks at {at}"
    if cause.state == SPIN and cause.name is None:
        return f"spinning at {at}"
    assert cause.name is not None
    shown = evidence.names.shown(cause.name)
    if cause.state == "barrier":
        return f"waits at the {shown}" if "end of" in shown else f"waits at {shown}"
    return f"{'spinning' if cause.state == SPIN else 'waits'} for {shown}"


def why(cause: Cause, evidence: Evidence) -> str:
    """What lies behind the cause, and what to do: one or two sentences."""
    if cause.state in ("lock", SPIN) and cause.name is not None:
        return _of_lock(cause, evidence)
    if cause.state == "barrier":
        if any(i.kind == "task" for thread in evidence.record.threads for i in thread.intervals):
            return _of_tasks(evidence)
        who, line = evidence.latest(cause)
        busy = f", busy at {evidence.places.at(line)}" if line else ""
        return (
            f"{evidence.record.threads[who].name} usually arrived last{busy}. "
            "Give all threads equal work between two barriers."
        )
    if cause.state == "taskwait":
        return _of_tasks(evidence)
    if cause.state == ENDED:
        thread = busiest(evidence.record)
        line = evidence.busy_line(thread)
        busy = f", at {evidence.places.at(line)}" if line else ""
        return f"{thread.name} worked longest{busy}. Give all threads equal work."
    return _ADVICE.get(cause.state, "")


_ADVICE = {
    SPIN: (
        "A thread polls here until another one lets it continue: shorten what that one does "
        "meanwhile, or block instead of polling."
    ),
    "condition": "There was nothing to do: let work arrive sooner, or in larger pieces.",
    UNBORN: "The call is short beside the start of its threads, or one starts after another.",
    FEWER: "Begin as many threads as the team has.",
    SERIAL: "One thread worked alone before, between or after the regions.",
}


def _of_tasks(evidence: Evidence) -> str:
    threads = evidence.record.threads
    number = sum(i.count for thread in threads for i in thread.intervals if i.kind == "task")
    mean = sum(thread.run for thread in threads) / max(1, number)
    if number >= _MANY and mean < _TINY:
        return (
            f"There were {number:,} tasks of {mean / 1000:.1f} µs on average, and each costs about "
            "as much to create: create fewer and larger ones."
        )
    return "Too few tasks were ready at that time: create more, and smaller ones."


def _of_lock(cause: Cause, evidence: Evidence) -> str:
    use = next((use for use in evidence.locks() if use.name == cause.name), None)
    if use is None or not use.lines:
        return "Hold the lock for a shorter time."
    share = min(1.0, sum(use.held.values()) / evidence.record.wall)
    (first, last), _ = use.lines.most_common(1)[0]
    lines = f"{evidence.places.at(first)} to {last}" if last else evidence.places.at(first)
    if use.name.words == ORDERED:
        return "There one iteration runs after the other: leave in it only what must be in order."
    return (
        f"It was taken {use.times:,} times and held {100 * share:.0f} % of the time, mostly from "
        f"{lines}. "
        "Hold it for a shorter time, and less often: give each thread data of its own, which you "
        "combine at the end."
    )


def sentence(lost: Losses, evidence: Evidence, speedup: float | None) -> str:
    """The expected speedup, where the greatest missing part went, why, and what to do."""
    parts, inflated = budget(lost, speedup)
    begin = (
        f"Expected speedup {speedup:.1f} of {lost.team}, as the grader measures it."
        if speedup is not None
        else f"In this call {lost.runnable:.1f} threads of {lost.team} could run on average."
    )
    missing = lost.team - (lost.runnable if speedup is None else speedup)
    if missing < 0.15 * lost.team or not (parts or inflated):
        return f"{begin} Almost nothing is lost."
    cause = next(iter(parts), None)
    if cause is None or inflated > parts[cause]:
        thread = busiest(evidence.record)
        line = evidence.busy_line(thread)
        busy = f" Most of the time was spent at {evidence.places.at(line)}." if line else ""
        return (
            f"{begin} {inflated:.1f} of the missing {missing:.1f} went to work that one thread "
            f"would not need: repeated, or slowed down by other threads.{busy}"
        )
    return (
        f"{begin} {parts[cause]:.1f} of the missing {missing:.1f} went to "
        f"{what(cause, evidence)}. {_capital(why(cause, evidence))}"
    )


def budget(lost: Losses, speedup: float | None) -> tuple[dict[Cause, float], float]:
    """Threads by which the speedup is less than the team, by cause; and by more work."""
    if speedup is None or speedup >= lost.team:
        return lost.causes, 0.0
    idle = lost.team - lost.runnable
    missing = lost.team - speedup
    scale = missing / idle if idle > missing else 1.0
    parts = {cause: amount * scale for cause, amount in lost.causes.items()}
    return parts, max(0.0, missing - idle)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
