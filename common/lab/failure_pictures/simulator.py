"""The CUDA simulator's findings about order as space-time diagrams.

The sentences are those of common/cudasim/findings/findings.bzl.
"""

import re
from collections.abc import Iterator, Sequence

from common.lab.failure_pictures.report import PLACE, Report, Source
from common.lab.failure_pictures.space_time import Event, Lane, Order, SpaceTime

_INDEX = r"\(\d+, \d+, \d+\)"
_THREAD = rf"thread ({_INDEX}) of block ({_INDEX})"
_DEED = r"(?:atomic or volatile |asynchronous |atomic )?(?:read|write|update|copy)"
_ACCESS = rf"{_THREAD}: ({_DEED})(?: of \d+ bytes?)?(?: at ({PLACE}))?"
_BARRIER = rf"both had passed __syncthreads\(\) at ({PLACE})"
_FLAG = rf"(writer|reader): (.*?)(?: before it sets| after it has read)? the flag at ({PLACE}).*"
_SIDES = (("writer", "sets the flag"), ("reader", "reads the flag"))
_USE = r"(reads?|writes?|allocates|frees)"
_WAITING = rf"(\d+ threads?) (waits?|polls?) (?:in )?(.+?) at ({PLACE}): thread {_INDEX}.*"
_NO_MORE = r"(\d+ threads?) of the block returned"
_MOST_LANES = 3
_NAME = r"[\w:<>~]+"
_LATER = (
    rf"kernel ({_NAME}), ({PLACE}): {_USE} of memory that (.+)",
    rf"(?:kernel )?({_NAME}) (?:launched )?at ({PLACE}) {_USE} memory that (.+)",
    rf"(host code) at ({PLACE}): {_USE} of (?:pinned |managed )?memory that (.+)",
    r"(the function)( )(returned), and (.+) its argument",
)
_EARLIER = (
    rf"kernel ({_NAME}) (?:still )?{_USE} at ({PLACE}).*",
    rf"(?:kernel )?({_NAME}) (?:launched )?at ({PLACE}) (?:still )?{_USE}.*",
)
_LACKS = {
    "no event orders": "cudaEventRecord → cudaStreamWaitEvent",
    "nothing waits for it": "cudaStreamSynchronize()",
    "no dependence orders": "a dependence",
    "call __syncthreads() before the launch": "__syncthreads() before the launch",
    "this is in a host function": "the host function behind that work",
}


def finding_picture(report: Report, source: Source) -> SpaceTime | None:
    """None if the finding is not about the order of accesses, or about threads that wait."""
    kind, _, said = report.head.partition(": ")
    if kind == "data_race":
        return _race(said, report, source)
    if kind == "missing_synchronisation":
        return _streams(said, report, source)
    if kind in ("deadlock", "livelock", "barrier_divergence"):
        return _standstill(said, report, source)
    return None


def _race(said: str, report: Report, source: Source) -> SpaceTime | None:
    """The earlier access on the left."""
    rows = (re.fullmatch(_ACCESS, row.strip()) for row in report.rows)
    accesses = [row for row in rows if row]
    if len(accesses) < 2:
        return None
    later, earlier = accesses[:2]
    is_one_block = later[2] == earlier[2]
    lanes = [_lane(access, is_one_block) for access in (earlier, later)]
    barrier = report.match(_BARRIER)
    first = 1 if barrier else 0
    flags = [match for row in report.rows if (match := re.fullmatch(_FLAG, row.strip()))]
    last = first + (3 if flags else 1)
    events = [_access(0, first, earlier, source), _access(1, last, later, source)]
    if flags:
        more, orders = _by_flag(flags, first, source)
        events += more
    else:
        orders = [_lacking(report, first, is_one_block)]
    if barrier:
        passed = Order(
            (0, 0), (1, 1), f"both passed __syncthreads(), {barrier[1]}", is_barrier=True
        )
        orders.insert(0, passed)
    where = "shared" if " of shared memory " in said else "global"
    caption = (
        f"Both threads use the same element of {where} memory, and nothing orders the "
        f"{earlier[3]} and the {later[3]}: either may come first."
    )
    return SpaceTime("Data race.", caption, lanes, events, orders)


def _lane(access: re.Match[str], is_one_block: bool) -> Lane:
    thread, block = (_short(index) for index in access.group(1, 2))
    return Lane(f"thread {thread}", "of the same block" if is_one_block else f"of block {block}")


def _short(index: str) -> str:
    """`5` for (5, 0, 0)."""
    numbers = index.strip("()").split(", ")
    return numbers[0] if numbers[1:] == ["0", "0"] else index


def _access(lane: int, row: int, access: re.Match[str], source: Source) -> Event:
    place = access[4] or ""
    look = "read" if access[3].endswith("read") else "write"
    return Event(lane, row, access[3], place, source.line(place), look)


def _lacking(report: Report, first: int, is_one_block: bool) -> Order:
    ends = (0, first), (1, first + 1)
    if report.match("no __syncthreads.* lies between the two"):
        return Order(*ends, "__syncthreads()", is_missing=True, is_barrier=True)
    if report.match(".*call cluster.sync.*"):
        return Order(*ends, "cluster.sync()", is_missing=True, is_barrier=True)
    if report.match("the asynchronous copy may still be under way.*"):
        return Order(*ends, "a wait for the copy", is_missing=True)
    if is_one_block:
        return Order(*ends, "a barrier, or an element each", is_missing=True)
    return Order(*ends, "atomics, or a second launch", is_missing=True)


def _by_flag(
    flags: list[re.Match[str]], first: int, source: Source
) -> tuple[list[Event], list[Order]]:
    """A flag leads from one thread to the other, but a fence is missing at one of its ends."""
    events, orders = [], [Order((0, first + 1), (1, first + 2), "the flag")]
    found = {flag[1]: flag for flag in flags}
    for lane, (side, deed) in enumerate(
        {"writer": "sets the flag", "reader": "reads the flag"}.items()
    ):
        flag = found.get(side)
        place = flag[3] if flag else ""
        events.append(Event(lane, first + 1 + lane, deed, place, source.line(place)))
        if flag:
            fence = "a fence of device scope" if "scope" in flag[0] else "__threadfence()"
            row = first + 2 * lane
            orders.append(Order((lane, row), (lane, row + 1), fence, is_missing=True))
    return events, orders


def _streams(said: str, report: Report, source: Source) -> SpaceTime | None:
    """What came first, as far as anything is known, on the left."""
    later = next(filter(None, (re.fullmatch(form, said) for form in _LATER)), None)
    earlier = later and next(
        filter(None, (re.fullmatch(form, later[4]) for form in _EARLIER)), None
    )
    if not later or not earlier:
        return None
    by_place = sorted(earlier.group(2, 3), key=lambda part: ":" in part)
    deed, place = by_place
    other = report.match(rf"the other: .* launched at ({PLACE})")
    own = report.match(rf"launched at ({PLACE}) .*")
    is_node = "in another node" in said
    names = ["another node", "a node"] if is_node else ["another stream", "a stream"]
    if later[1] in ("host code", "the function"):
        names = ["a stream", "the host"]
    lanes = [
        Lane(names[0], f"launched at {other[1]}" if other else ""),
        Lane(names[1], f"launched at {own[1]}" if own else ""),
    ]
    here = later[2].strip()
    events = [
        Event(0, 0, f"{earlier[1]} {deed}", place, source.line(place), _use(deed)),
        Event(1, 1, f"{later[1]} {_third(later[3])}", here, source.line(here), _use(later[3])),
    ]
    lacks = next(
        (what for start, what in _LACKS.items() if report.match(f".*{re.escape(start)}.*")),
        "an order",
    )
    orders = [Order((0, 0), (1, 1), lacks, is_missing=True)]
    caption = "Both use the same memory, and nothing makes one wait for the other."
    return SpaceTime("Missing wait.", caption, lanes, events, orders)


def _first_match(forms: Sequence[str], text: str) -> re.Match[str] | None:
    return next(filter(None, (re.fullmatch(form, text) for form in forms)), None)


def _third(deed: str) -> str:
    """`reads` for read."""
    return f"{deed}s" if deed in ("read", "write") else deed


def _use(deed: str) -> str:
    return "read" if deed.startswith("read") else "write" if deed.startswith("write") else "other"


def _standstill(said: str, report: Report, source: Source) -> SpaceTime | None:
    """Who waits where, and who has returned."""
    groups = _diverged(said) or list(_groups(report))
    if not groups:
        return None
    groups = groups[:_MOST_LANES]
    lanes = [Lane(who) for who, _, _ in groups]
    events = [
        Event(lane, 0, what, place, source.line(place), "wait" if place else "other")
        for lane, (_, what, place) in enumerate(groups)
    ]
    if all(place for _, _, place in groups) and len(groups) == 1:
        caption = "They wait, and nothing that they wait for will come."
        return SpaceTime("Endless wait.", caption, lanes, events)
    last = len(groups) - 1
    missing = Order((0, 1), (last, 1), "the barrier that all reach", True, True)
    caption = "A barrier lets nobody pass until all its threads have come: here some never do."
    return SpaceTime("Threads that wait for ever.", caption, lanes, events, [missing])


def _groups(report: Report) -> Iterator[tuple[str, str, str]]:
    """How many threads, what they do, and where; without a place they do nothing any more."""
    for row in report.rows:
        if match := re.fullmatch(_WAITING, row.strip()):
            who, verb, what, place = match.group(1, 2, 3, 4)
            does = "poll" if verb.startswith("poll") else "wait in"
            yield who, f"{does} {what}", place
        elif match := re.fullmatch(_NO_MORE, row.strip()):
            yield match[1], "have returned", ""


def _diverged(said: str) -> list[tuple[str, str, str]]:
    """The groups that a report of barrier divergence names in its first line."""
    at = re.match(rf"kernel {_NAME}, ({PLACE}): ", said)
    if not at:
        return []
    if other := re.search(rf"wait in the one at ({PLACE})$", said):
        wait = "wait in __syncthreads()"
        return [("some threads", wait, other[1]), ("others", wait, at[1])]
    if match := re.search(r"(\d+) of (\d+) threads returned before the (\S+) that", said):
        left = int(match[2]) - int(match[1])
        wait = f"wait in {match[3]}"
        return [(f"{left} threads", wait, at[1]), (f"{match[1]} threads", "have returned", "")]
    return []
