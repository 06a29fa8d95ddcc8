"""The same events in Chrome's trace format, which Perfetto opens."""

from collections.abc import Iterator
from typing import Any

from common.timeline.evidence import Evidence
from common.timeline.record import Interval

_WORDS = {
    "lock": "waits for",
    "spin": "spins for",
    "held": "holds",
    "condition": "waits for",
    "semaphore": "waits for",
    "barrier": "waits at",
    "atomic": "waits for",
}


def events(process: int, evidence: Evidence) -> Iterator[dict[str, Any]]:
    """Those of one call, which is a process of the trace. Times are in microseconds."""
    about = {"pid": process, "ph": "M"}
    yield {**about, "name": "process_name", "args": {"name": evidence.record.function}}
    for index, thread in enumerate(evidence.record.threads):
        yield {**about, "tid": index, "name": "thread_name", "args": {"name": thread.name}}
        yield {**about, "tid": index, "name": "thread_sort_index", "args": {"sort_index": index}}
        for interval in thread.intervals:
            yield from _interval(process, index, interval, evidence)
        for account in thread.accounts:
            yield {
                "pid": process,
                "ph": "C",
                "name": f"CPU time of {thread.name}",
                "ts": account.at / 1e3,
                "args": {"run ms": account.run / 1e6, "ready ms": max(0, account.ready) / 1e6},
            }
    for number, link in enumerate(evidence.links()):
        arrow = {"pid": process, "name": link.why, "cat": "wake", "id": process << 20 | number}
        yield {**arrow, "ph": "s", "tid": link.source, "ts": link.left / 1e3}
        yield {**arrow, "ph": "f", "bp": "e", "tid": link.target, "ts": link.arrived / 1e3}


def _interval(
    process: int, index: int, interval: Interval, evidence: Evidence
) -> Iterator[dict[str, Any]]:
    name = interval.kind
    if interval.kind in _WORDS:
        name = f"{_WORDS[name]} {evidence.names.of(interval).words}"
    arguments = {"line": evidence.places.at(evidence.places.line(interval.place))}
    if interval.kind == "chunk":
        arguments["iterations"] = f"{int(interval.object, 16)} to {interval.detail}"
    if interval.count > 1:
        arguments["together"] = f"{interval.count}, {interval.sum / 1e3:.1f} us"
    common = {"pid": process, "tid": index, "name": name, "cat": interval.kind, "args": arguments}
    begin, length = interval.begin / 1e3, (interval.end - interval.begin) / 1e3
    if interval.kind == "held":  # may overlap with others of the thread
        held = {**common, "id": f"{index}.{interval.object}.{interval.begin}"}
        yield {**held, "ph": "b", "ts": begin}
        yield {**held, "ph": "e", "ts": begin + length}
    else:
        yield {**common, "ph": "X", "ts": begin, "dur": length}
