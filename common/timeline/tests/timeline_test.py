"""Programs whose pictures are known: what is recorded of them, said and drawn."""

import json
import os
import re
import subprocess
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import mkdtemp

import pytest

from common.timeline.columns import SPIN, Cause, Columns
from common.timeline.evidence import Evidence
from common.timeline.losses import ENDED, Losses, busiest, losses
from common.timeline.places import Places
from common.timeline.record import Interval, read
from common.timeline.show import draw, main
from common.timeline.words import sentence, what, why

_HERE = Path("common/timeline/tests")
_PROGRAM, _SOURCE = _HERE / "known_programs", _HERE / "known_programs.cc"
_TEXT = _SOURCE.read_text(encoding="utf-8").splitlines()
_FOLDER = Path(mkdtemp())


def line_of(text: str, after: str = "") -> int:
    """The first line with the text, behind the one with `after`."""
    start = next((n for n, line in enumerate(_TEXT) if after in line), 0)
    return next(n for n, line in enumerate(_TEXT[start:], start + 1) if text in line)


@cache
def known() -> dict[str, Evidence]:
    """What is known of each program's run."""
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    subprocess.run([_PROGRAM, _FOLDER], check=True, env=environment)
    places = Places(_PROGRAM, _SOURCE, os.environ["SYMBOLIZER"])
    records = [read(path) for path in _FOLDER.glob("*.json")]
    places.look_up(*records)
    return {record.function: Evidence(record, places) for record in records}


def evidence(name: str) -> Evidence:
    """What is known of a run."""
    return known()[name]


@cache
def lost(name: str) -> Losses:
    """Where its parallelism went."""
    return losses(
        Columns(evidence(name).record, evidence(name).places, evidence(name).names, 300), 4
    )


def intervals(name: str, kind: str) -> list[tuple[int, Interval]]:
    """Those of one kind, with their threads, by their begin."""
    found = [
        (index, interval)
        for index, thread in enumerate(evidence(name).record.threads)
        for interval in thread.intervals
        if interval.kind == kind
    ]
    return sorted(found, key=lambda pair: pair[1].begin)


def shown(name: str, interval: Interval) -> str:
    """What the page calls the object."""
    return evidence(name).names.shown(evidence(name).names.of(interval))


def test_one_lock_is_held_by_one_thread_at_a_time_and_named_by_the_line_that_made_it() -> None:
    held = intervals("one_lock", "held")
    assert sum(interval.count for _, interval in held) == 20
    assert all(before.end <= after.begin for (_, before), (_, after) in pairwise(held))
    made = line_of("std::mutex everything")
    assert {shown("one_lock", held) for _, held in held} == {
        f"everything (known_programs.cc:{made})"
    }


def test_an_arrow_leads_from_the_release_of_a_lock_to_the_thread_that_got_it_then() -> None:
    held = intervals("one_lock", "held")
    links = [link for link in evidence("one_lock").links() if link.why == "released"]
    assert len(links) >= 3
    for link in links:
        assert link.source != link.target
        assert link.left <= link.arrived
        assert any(
            index == link.source and one.begin <= link.left <= one.end for index, one in held
        )
        assert not any(link.left < one.begin and one.end < link.arrived for _, one in held)


def test_the_sentence_on_one_lock_names_it_and_the_lines_that_hold_it() -> None:
    causes = lost("one_lock").causes
    lock = next(cause for cause in causes if cause.state == "lock")
    said = sentence(Losses(4, 1, {lock: 3}), evidence("one_lock"), None)
    first = line_of("lock(everything)")
    assert f"waits for everything (known_programs.cc:{line_of('std::mutex everything')})" in said
    assert f"mostly from known_programs.cc:{first} to " in said
    assert causes[lock] == max(share for cause, share in causes.items() if cause.state != ENDED)


def test_nobody_leaves_a_barrier_before_the_late_thread_has_come() -> None:
    waits = intervals("late_at_barrier", "barrier")
    late, last = max(waits, key=lambda pair: pair[1].begin)
    assert len(waits) == 4
    assert evidence("late_at_barrier").record.threads[late].name == "thread 2"
    assert all(last.begin <= wait.end for _, wait in waits)
    cause = next(iter(lost("late_at_barrier").causes))
    made = line_of("pthread_barrier_t meeting")
    assert what(cause, evidence("late_at_barrier")).endswith(f"meeting (known_programs.cc:{made})")
    assert "Thread 2 usually arrived last" in sentence(
        lost("late_at_barrier"), evidence("late_at_barrier"), 1
    )


def test_unequal_shares_are_threads_that_ended_while_one_still_worked() -> None:
    said = sentence(lost("unequal_shares"), evidence("unequal_shares"), None)
    assert next(iter(lost("unequal_shares").causes)) == Cause(ENDED)
    assert busiest(evidence("unequal_shares").record).name == "thread 3"
    # The clock's own code has no frame, so its caller may be named, or that one's.
    lines = [line_of("CpuMilliseconds() < end"), line_of("Work(t == 3"), line_of("double Cpu") + 2]
    assert any(f"at known_programs.cc:{line}. " in said for line in lines)


def test_threads_of_equal_work_that_end_at_different_times_only_lacked_cores() -> None:
    record = deepcopy(evidence("unequal_shares").record)
    for thread in record.threads[1:]:
        thread.accounts[-1] = replace(thread.accounts[-1], run=thread.accounts[0].run + 10**8)
    known = Evidence(record, evidence("unequal_shares").places)
    causes = losses(Columns(record, known.places, known.names, 300), 4).causes
    assert causes.get(Cause(ENDED), 0) < lost("unequal_shares").causes[Cause(ENDED)] / 4


def test_very_many_tiny_tasks_are_too_many_and_a_few_too_few() -> None:
    assert "create more" in why(Cause("taskwait"), evidence("tasks"))
    record = deepcopy(evidence("tasks").record)
    for thread in record.threads:
        for interval in thread.intervals:
            interval.count *= 1_000_000
    assert "create fewer" in why(Cause("taskwait"), Evidence(record, evidence("tasks").places))


def test_two_locks_in_both_orders_are_seen_to_nest_both_ways() -> None:
    orders: dict[int, list[tuple[str, int]]] = {}
    for index, interval in intervals("both_orders", "held"):
        orders.setdefault(index, []).append((interval.object, interval.end))
    (first, second) = orders.values()
    assert [lock for lock, _ in first] == [lock for lock, _ in reversed(second)]
    assert all(outer[1] >= inner[1] for outer, inner in orders.values())


def test_a_wait_for_a_condition_ends_after_the_notification_of_another_thread() -> None:
    waits = intervals("condition", "condition")
    assert waits
    assert {shown("condition", wait) for _, wait in waits} == {
        f"filled (known_programs.cc:{line_of('condition_variable filled')})"
    }
    notified = line_of("filled.notify_one()")
    places = evidence("condition").places
    for index, wait in waits:
        assert wait.waker is not None
        assert wait.begin <= wait.waker.at <= wait.end
        assert index == 1
        assert wait.waker.thread == evidence("condition").record.threads[0].number
        assert places.line([wait.waker.frame]) == notified


def test_a_static_loop_gives_each_thread_one_chunk_and_who_ends_last_comes_last() -> None:
    chunks = intervals("skewed_loop", "chunk")
    bounds = sorted((int(chunk.object, 16), chunk.detail) for _, chunk in chunks)
    assert bounds == [(0, 9), (10, 19), (20, 29), (30, 39)]
    last = max(chunks, key=lambda found: found[1].end)[0]
    cause = next(c for c in lost("skewed_loop").causes if c.state == "barrier")
    assert evidence("skewed_loop").latest(cause)[0] == last
    assert "waits at the end of the loop" in what(cause, evidence("skewed_loop"))


def test_a_dynamic_loop_is_seen_chunk_by_chunk() -> None:
    bounds = sorted((int(c.object, 16), c.detail) for _, c in intervals("chunked_loop", "chunk"))
    assert bounds == [(begin, begin + 4) for begin in range(0, 40, 5)]


def test_every_task_runs_once_within_the_region_that_made_it() -> None:
    tasks = intervals("tasks", "task")
    _, region = intervals("tasks", "parallel")[0]
    assert sum(task.count for _, task in tasks) == 12
    assert all(region.begin <= task.begin and task.end <= region.end for _, task in tasks)


def test_a_critical_section_is_a_lock_named_by_its_directive() -> None:
    held = intervals("critical_section", "held")
    assert sum(interval.count for _, interval in held) == 20
    assert all(before.end <= after.begin for (_, before), (_, after) in pairwise(held))
    assert shown("critical_section", held[0][1]).startswith("critical section (known_programs.cc:")


def test_tries_of_a_lock_in_a_loop_are_one_spin() -> None:
    spins = intervals("spinning", "spin")
    assert {index for index, _ in spins} == {2}
    assert sum(spin.detail for _, spin in spins) > 100 * len(spins)
    assert all(shown("spinning", spin).startswith("busy (") for _, spin in spins)


def test_a_loop_on_an_atomic_spins_at_its_line() -> None:
    line = line_of("while (!ready.load())")
    assert Cause(SPIN, None, line) in lost("spinning_on_atomic").causes


def test_a_wait_for_an_atomic_variable_is_named_and_woken() -> None:
    waits = intervals("waiting_for_atomic", "atomic")
    names = {shown("waiting_for_atomic", wait) for _, wait in waits}
    assert names == {f"ready (known_programs.cc:{line_of('std::atomic<int> ready')})"}
    notified = line_of("ready.notify_one()")
    wakers = [wait.waker for _, wait in waits if wait.waker is not None]
    assert evidence("waiting_for_atomic").places.line([wakers[-1].frame]) == notified


def test_every_short_hold_counts_although_many_are_drawn_as_one(tmp_path: Path) -> None:
    held = intervals("many_short_locks", "held")
    assert sum(interval.count for _, interval in held) == 100_000
    assert len(held) < 50_000
    page = drawn("many_short_locks", tmp_path)
    assert "Drawn together with others: " in page
    assert re.search(r"Recording cost \d+ % of the CPU time\. So this call differs", page)
    assert len(page) < 100_000


def test_the_parts_of_the_speedup_follow_one_another_and_add_up_to_the_team(tmp_path: Path) -> None:
    page = drawn("unequal_shares", tmp_path)
    svg = page[page.index("Where the speedup") :].partition("</svg>")[0]
    bars = [(float(x), float(w)) for x, w in re.findall(r'<rect x="(\S+)" \S+ width="(\S+)"', svg)]
    assert len(bars) >= 2
    for (x, width), (after, _) in pairwise(bars):
        assert x + width == pytest.approx(after, abs=1)
    ticks = re.findall(r'<text x="(\S+)" \S+ class="muted" text-anchor="middle">(\d)<', svg)
    places = {int(tick): float(x) for x, tick in ticks}
    assert bars[0][0] == pytest.approx(places[0], abs=1)
    assert sum(bars[-1]) == pytest.approx(places[4], abs=0.1 * (places[4] - places[0]))


def test_a_row_is_drawn_from_where_its_thread_began_to_where_it_ended(tmp_path: Path) -> None:
    page = drawn("unequal_shares", tmp_path)
    svg = page[page.index("What the threads") :].partition("</svg>")[0]
    ends = {}
    for y, name in re.findall(r'<text x="0" y="(\S+)">(thread \d)<', svg):
        tops = {f"{float(y) - 14 + step:g}" for step in range(0, 20, 4)}
        boxes = re.findall(r"M([\d.]+) ([\d.]+)H([\d.]+)v", svg)
        ends[name] = max(float(right) for _, top, right in boxes if top in tops)
    assert max(ends, key=lambda name: ends[name]) == "thread 3"
    assert len(ends) == 4


def test_the_trace_is_for_perfetto_with_arrows_that_lead_forward(tmp_path: Path) -> None:
    drawn("late_at_barrier", tmp_path)
    events = json.loads((tmp_path / "page.json").read_text(encoding="utf-8"))["traceEvents"]
    names = [event["args"]["name"] for event in events if event["name"] == "thread_name"]
    assert names == ["caller", "thread 0", "thread 1", "thread 2", "thread 3"]
    starts = {event["id"]: event["ts"] for event in events if event["ph"] == "s"}
    ends = {event["id"]: event["ts"] for event in events if event["ph"] == "f"}
    assert starts
    assert starts.keys() == ends.keys()
    assert all(starts[arrow] <= ends[arrow] for arrow in starts)
    waits = [event for event in events if event["name"] == "waits at meeting"]
    assert len(waits) == 4
    assert all(event["dur"] >= 0 for event in waits)


def test_a_page_and_its_trace_are_two_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--program", str(_PROGRAM), "--source", str(_SOURCE), "one.json"]
    assert main([*options, "--out", str(tmp_path / "page.json")]) == 1
    assert "next: use --out=FILE.html" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_page_says_so_where_openmp_reports_nothing() -> None:
    known = evidence("tasks")
    deaf = Evidence(replace(known.record, openmp_tool=False), known.places)
    section, _ = draw(deaf, None)
    assert "OpenMP's runtime does not report to tools here" in str(section.body[-1])
    section, _ = draw(known, None)
    assert "does not report" not in str(section.body[-1])


def test_a_lock_that_is_never_waited_for_is_not_blamed() -> None:
    assert not any(cause.state == "lock" for cause in lost("both_orders").causes)


def drawn(name: str, folder: Path) -> str:
    """The page of a run; the trace lies beside it."""
    out = folder / "page.html"
    options = ["--program", str(_PROGRAM), "--source", str(_SOURCE), "--out", str(out)]
    options += ["--symbolizer", os.environ["SYMBOLIZER"], str(_FOLDER / f"{name}.json")]
    known()
    assert main(options) == 0
    return out.read_text(encoding="utf-8")
