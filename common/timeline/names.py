"""What the source calls the objects for which threads wait, and the lines that made them."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from common.timeline.places import Places
from common.timeline.record import Interval, Record

_GUARD = re.compile(
    r"(?:lock_guard|unique_lock|scoped_lock|shared_lock)\s*(?:<.*?>)?\s+\w+\s*[({]\s*([^,(){}]+)"
)
_CALL = re.compile(r"\b(?:pthread_\w+|sem_\w+|omp_\w+lock)\s*\(\s*&?\s*([^,()]+)")
_MEMBER = re.compile(
    r"([\w.\[\]]+(?:->[\w.\[\]]+)*)\s*(?:\.|->)\s*"
    r"(?:lock|try_lock|lock_shared|wait|wait_for|wait_until|acquire|arrive_and_wait|arrive)\s*\("
)
_TYPE = (
    r"\b(?:\w*mutex|pthread_\w+_t|sem_t|omp_(?:nest_)?lock_t|condition_variable(?:_any)?"
    r"|barrier(?:<[^;=]*?>)?|latch|\w*semaphore(?:<[^;=]*?>)?|atomic(?:<[^;=]*?>)?|Atomic<[^;=]*?>"
    r"|atomic_\w+)\b"
)
_WORDS = {
    "lock": "lock",
    "spin": "lock",
    "held": "lock",
    "condition": "condition variable",
    "semaphore": "semaphore",
    "barrier": "barrier",
    "atomic": "atomic variable",
}


ORDERED = "ordered region"
_DIRECTIVES = {
    " for": "loop",
    " sections": "sections",
    " single": "single region",
    " parallel": "parallel region",
}


@dataclass(frozen=True)
class Name:
    """An object, or several that the source gives one name."""

    words: str
    line: int
    """That made it; or, if `is_use`, that first used it."""
    is_use: bool = False


class Names:
    """The names of a record's objects."""

    def __init__(self, record: Record, places: Places) -> None:
        self._places = places
        self._names: dict[tuple[str, str], Name] = {}
        uses: dict[tuple[str, str], list[Interval]] = {}
        for thread in record.threads:
            for interval in thread.intervals:
                if interval.kind in _WORDS:
                    uses.setdefault(_key(interval), []).append(interval)
        for key, intervals in uses.items():
            self._names[key] = self._find(intervals)

    def of(self, interval: Interval) -> Name:
        """The name of what the interval waits for, or holds."""
        return self._names[_key(interval)]

    def shown(self, name: Name) -> str:
        """`total` (sum.cc:12)."""
        if not name.line:
            return name.words
        first = "first used at " if name.is_use else ""
        return f"{name.words} ({first}{self._places.at(name.line)})"

    def _find(self, intervals: list[Interval]) -> Name:
        lines = Counter(line for i in intervals if (line := self._places.line(i.place)))
        first = min(lines, default=0)
        word = _WORDS[intervals[0].kind]
        if intervals[0].object == "0":
            return Name(f"several {word}s", first, is_use=True)
        for line, _ in lines.most_common():
            for called in _called(self._places.text, line):
                if made := _made(self._places.text, called, line):
                    return Name(called, made)
            if directive := _directive(self._places.text, line):
                return Name(directive, line)
        return Name(f"a {word}" if word[0] not in "a" else f"an {word}", first, is_use=True)


def _key(interval: Interval) -> tuple[str, str]:
    return _WORDS[interval.kind], interval.object


def _text(text: list[str], line: int) -> str:
    return text[line - 1].partition("//")[0] if 0 < line <= len(text) else ""


def _directive(text: list[str], line: int) -> str:
    """What OpenMP's directive at the line, or shortly above it, makes threads wait for."""
    for above in range(line, max(0, line - 3), -1):
        shown = _text(text, above)
        if "#pragma omp" not in shown:
            continue
        if named := re.search(r"\bcritical\b\s*(?:\((\w+)\))?", shown):
            return f"critical section {named[1] or ''}".strip()
        if " barrier" in shown:
            return "barrier"
        if re.search(r"\bomp ordered\b", shown):
            return ORDERED
        for word, what in _DIRECTIVES.items():
            if word in shown:
                return f"end of the {what}"
    return ""


def _called(text: list[str], line: int) -> Iterable[str]:
    """What the line locks or waits for, or the one before where a statement is broken."""
    for shown in (_text(text, line), _text(text, line - 1) + _text(text, line)):
        for pattern in (_GUARD, _CALL, _MEMBER):
            for expression in pattern.findall(shown):
                words = re.findall(r"[A-Za-z_]\w*", re.sub(r"\[[^\]]*\]", "", expression))
                if words:
                    yield words[-1]
                    yield from _behind_guard(text, words[-1], line)


def _behind_guard(text: list[str], guard: str, line: int) -> Iterable[str]:
    """The mutex of a std::unique_lock that has this name."""
    pattern = re.compile(rf"unique_lock\s*(?:<.*?>)?\s+{guard}\s*[({{]\s*([^,(){{}}]+)")
    for shown in reversed(text[:line]):
        if found := pattern.search(shown):
            yield from re.findall(r"[A-Za-z_]\w*", found[1])[-1:]
            return


def _made(text: list[str], name: str, line: int) -> int:
    """The declaration: the last one before the line, or else the first; 0 if there is none."""
    pattern = re.compile(rf"{_TYPE}[^;()]*[\s&*,>]{name}\b\s*(?:[;={{,\[(]|$)")
    lines = [number for number, shown in enumerate(text, 1) if pattern.search(shown)]
    return max((number for number in lines if number <= line), default=min(lines, default=0))
