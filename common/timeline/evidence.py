"""Facts behind a picture: who held a lock, who came last, which line kept a thread busy."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from common.timeline.columns import Cause
from common.timeline.names import Name, Names
from common.timeline.places import Places
from common.timeline.record import Interval, Record, Thread


@dataclass
class LockUse:
    """What happened at one lock, or at several of one name. Nanoseconds, by thread."""

    name: Name
    held: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    waited: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    times: int = 0
    waits: int = 0
    lines: Counter[tuple[int, int]] = field(default_factory=Counter)
    """How long it was held between which lines."""


@dataclass(frozen=True)
class Link:
    """Who ended whose wait."""

    source: int
    """Index of the thread."""
    left: int
    target: int
    arrived: int
    waited: int
    why: str


class Evidence:
    """Of one call."""

    def __init__(self, record: Record, places: Places) -> None:
        self.record, self.places = record, places
        self.names = Names(record, places)
        self.index = {thread.number: index for index, thread in enumerate(record.threads)}

    def locks(self) -> list[LockUse]:
        """Those for which threads waited, longest first, and then the others."""
        uses: dict[Name, LockUse] = {}
        for index, thread in enumerate(self.record.threads):
            for interval in thread.intervals:
                if interval.kind not in ("held", "lock", "spin"):
                    continue
                name = self.names.of(interval)
                use = uses.setdefault(name, LockUse(name))
                if interval.kind == "held":
                    use.held[index] += interval.sum
                    use.times += interval.count
                    use.lines[self._lines(interval)] += interval.sum
                else:
                    use.waited[index] += interval.sum
                    use.waits += interval.count
        order = {
            use.name: (-sum(use.waited.values()), -sum(use.held.values())) for use in uses.values()
        }
        return sorted(uses.values(), key=lambda use: order[use.name])

    def _lines(self, held: Interval) -> tuple[int, int]:
        last = self.places.line([held.waker.frame]) if held.waker is not None else 0
        return self.places.line(held.place), last

    def links(self) -> Iterator[Link]:
        """Who ended whose wait, in no order."""
        for index, thread in enumerate(self.record.threads):
            if thread.creator is not None and thread.creator.thread in self.index:
                began = self.index[thread.creator.thread]
                yield Link(began, thread.creator.at, index, thread.begin, 0, "began")
            for interval in thread.intervals:
                link = self._link(index, interval)
                if link is not None and link.source != index:
                    yield link

    def _link(self, index: int, interval: Interval) -> Link | None:
        if interval.kind == "barrier":
            last = self.last_arrival(interval)
            if last is None:
                return None
            source, at = last
            return Link(source, at, index, interval.end, interval.sum, "arrived last")
        if interval.kind == "join":
            ends = [
                (thread.end, other)
                for other, thread in enumerate(self.record.threads)
                if interval.begin <= thread.end <= interval.end and other != index
            ]
            end, source = max(ends, default=(0, index))
            return Link(source, end, index, interval.end, interval.sum, "ended")
        waker = interval.waker
        if interval.kind == "held" or waker is None or waker.thread not in self.index:
            return None
        if not interval.begin <= waker.at <= interval.end:
            return None
        return Link(
            self.index[waker.thread], waker.at, index, interval.end, interval.sum, "released"
        )

    def last_arrival(self, wait: Interval) -> tuple[int, int] | None:
        """The thread for which a wait at a barrier lasted so long, and when it came."""
        arrivals = [
            (other.begin, index)
            for index, thread in enumerate(self.record.threads)
            for other in thread.intervals
            if other.kind == "barrier" and other.object == wait.object
            if wait.begin <= other.begin <= wait.end
        ]
        at, index = max(arrivals, default=(0, 0))
        return (index, at) if arrivals else None

    def latest(self, cause: Cause) -> tuple[int, int]:
        """Who came last most of the time at the barrier, and the line that kept it busy."""
        late: Counter[int] = Counter()
        lines: dict[int, Counter[int]] = defaultdict(Counter)
        for thread in self.record.threads:
            for wait in thread.intervals:
                if wait.kind != "barrier" or self.names.of(wait) != cause.name:
                    continue
                last = self.last_arrival(wait)
                if last is not None:
                    who, at = last
                    late[who] += wait.sum
                    lines[who][self.busy_line(self.record.threads[who], wait.begin, at)] += 1
        who = max(late, key=lambda index: late[index], default=0)
        del lines[who][0]
        return who, max(lines[who], key=lambda line: lines[who][line], default=0)

    def busy_line(self, thread: Thread, begin: int = 0, end: int | None = None) -> int:
        """Where the thread was found on a core most often; 0 if it never was."""
        end = self.record.wall if end is None else end
        lines = Counter(
            line
            for at, place in thread.samples
            if begin <= at <= end and (line := self.places.line(place, is_sample=True))
        )
        return lines.most_common(1)[0][0] if lines else 0
