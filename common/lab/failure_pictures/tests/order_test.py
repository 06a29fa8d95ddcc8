"""Pictures of races, missing waits and deadlocks show what the report says."""

import re
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from pathlib import Path

import pytest

from common.lab.failure_pictures.pictures import pictures_of
from common.lab.failure_pictures.report import Report, Source, reports_in
from common.lab.failure_pictures.simulator import finding_picture
from common.lab.race_checker import race_words
from common.pictures.picture import Picture

SOURCE = Source({"sum.cc": [f"line{number}();" for number in range(1, 100)]})
LOST_UPDATE = """SumTest.Adds:
ThreadSanitizer: data race
  Write by thread T3, holding no lock
    Sum(std::span<int>) at sum.cc:56
    Sum(std::span<int>) at sum.cc:80
  Previous read by thread T1, holding no lock
    Sum(std::span<int>) at sum.cc:55
  The memory is the variable total
  Thread T3 was started by main thread
    Sum(std::span<int>) at sum.cc:9
"""
NOT_JOINED = """ThreadSanitizer: data race
  Read by main thread, holding no lock
    Sum() at sum.cc:60
  Previous write by thread T1, holding no lock
    Sum() at sum.cc:30
  Thread T1 was started by main thread
    Sum() at sum.cc:9
"""
TWO_ORDERS = """ThreadSanitizer: lock-order-inversion (potential deadlock)
  M1 was locked by thread T3
    Give() at sum.cc:13
  M0 had been locked by the same thread
    Give() at sum.cc:12
  M0 was locked by thread T4
    Take() at sum.cc:23
  M1 had been locked by the same thread
    Take() at sum.cc:22
"""
NO_BARRIER = """cudasim: data_race: kernel K, sum.cc:40: read of shared memory races with the \
write at sum.cc:33
  thread (1, 0, 0) of block (7, 0, 0): read of 4 bytes at sum.cc:40
  thread (0, 2, 0) of block (7, 0, 0): write at sum.cc:33
  memory: index 0 of tile (__shared__, 32 elements, sum.cc:30)
  launched at sum.cc:80 with grid (8, 1, 1) and block (16, 16, 1)
  both had passed __syncthreads() at sum.cc:31
  no __syncthreads() lies between the two
"""
NO_EVENT = """cudasim: missing_synchronisation: kernel Mix, sum.cc:8: read of memory that \
cudaMemcpyAsync at sum.cc:50 writes in another stream
  launched at sum.cc:52 with grid (4, 1, 1) and block (256, 1, 1)
  no event orders the two streams: call cudaEventRecord after the first, cudaStreamWaitEvent \
before the second; or give each stream its own buffer
"""


def _drawn(text: str) -> ElementTree.Element:
    (picture,) = pictures_of(text, SOURCE)
    return _parsed(picture)


def _parsed(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(picture.figure())  # noqa: S314  # our own


def _marks(drawn: ElementTree.Element, name: str) -> list[str]:
    return [mark.get(f"data-{name}", "") for mark in drawn.iter() if mark.get(f"data-{name}")]


def _words(drawn: ElementTree.Element) -> str:
    return "\n".join(mark.text or "" for mark in drawn.iter("text"))


def test_a_lost_update_has_the_earlier_access_on_top_and_an_arrow_missing_between() -> None:
    drawn = _drawn(LOST_UPDATE)
    assert _marks(drawn, "lane") == ["thread T1", "thread T3"]
    assert _marks(drawn, "event") == ["read", "write"]
    assert _marks(drawn, "place") == ["sum.cc:55", "sum.cc:56"]
    assert _marks(drawn, "order") == ["missing"]
    assert "line55();" in _words(drawn)
    assert "holds no lock" in _words(drawn)
    assert "started at sum.cc:9" in _words(drawn)
    assert "called from line 80" in _words(drawn)
    first, second = (mark for mark in drawn.iter("g") if mark.get("data-event"))
    assert _top(first) < _top(second)


def _top(mark: ElementTree.Element) -> float:
    return min(float(box.get("y", "")) for box in mark.iter("rect"))


def test_the_start_of_a_thread_is_an_arrow_and_its_join_is_missing() -> None:
    drawn = _drawn(NOT_JOINED)
    assert _marks(drawn, "event") == ["write", "read", "starts thread T1"]
    assert _marks(drawn, "order") == ["missing", "order"]
    assert _marks(drawn, "what") == ["join", "start"]


def test_two_locks_do_not_order_what_they_protect() -> None:
    text = LOST_UPDATE.replace("no lock", "M5", 1).replace("no lock", "M3")
    drawn = _drawn(text)
    assert _marks(drawn, "what") == ["the same lock on both sides"]
    assert {"holds M3", "holds M5"} <= set(_words(drawn).split("\n"))


def test_two_locks_in_both_orders_are_a_circle() -> None:
    drawn = _drawn(TWO_ORDERS)
    assert _marks(drawn, "node") == ["M0", "a thread A", "M1", "a thread B"]
    assert _marks(drawn, "link") == [
        "a thread A holds M0",
        "a thread A waits for M1",
        "a thread B holds M1",
        "a thread B waits for M0",
    ]
    assert "2  a thread A waits for M1, sum.cc:13" in _words(drawn)
    assert "line13();" in _words(drawn)


def _locks_in_a_circle(locks: int) -> str:
    rows = [
        f"  M{(lock + 1) % locks} was locked by thread T{lock}\n    f at sum.cc:{10 * lock + 10}\n"
        f"  M{lock} had been locked by the same thread\n    f at sum.cc:{10 * lock + 11}\n"
        for lock in range(locks)
    ]
    return "ThreadSanitizer: lock-order-inversion (potential deadlock)\n" + "".join(rows)


@pytest.mark.parametrize("locks", [2, 3, 4, 5])
def test_the_locks_of_a_circle_and_their_threads_do_not_overlap(locks: int) -> None:
    drawn = _drawn(_locks_in_a_circle(locks))
    assert len(_marks(drawn, "node")) == 2 * locks
    assert _marks(drawn, "link")[-1] == f"a thread {'ABCDE'[locks - 1]} waits for M0"
    nodes = [node for node in drawn.iter() if node.get("data-node")]
    boxes = [[float(node[0].get(side, "")) for side in ("x", "y")] for node in nodes]
    for (x, y), (other_x, other_y) in combinations(boxes, 2):
        assert abs(x - other_x) > 78 or abs(y - other_y) > 30


def test_a_circle_of_many_threads_is_told_and_not_drawn() -> None:
    assert list(pictures_of(_locks_in_a_circle(100), SOURCE)) == []


def test_a_missing_barrier_crosses_both_lanes_below_the_one_that_both_passed() -> None:
    drawn = _drawn(NO_BARRIER)
    assert _marks(drawn, "lane") == ["thread (0, 2, 0)", "thread 1"]
    assert _marks(drawn, "order") == ["order", "missing"]
    assert _marks(drawn, "what") == ["both passed __syncthreads(), sum.cc:31", "__syncthreads()"]


def test_another_block_has_no_barrier_to_miss() -> None:
    text = NO_BARRIER.replace("(7, 0, 0): w", "(2, 0, 0): w").replace("(7", "(1")
    text = text.replace(
        "no __syncthreads() lies between the two", "nothing orders different blocks"
    )
    drawn = _drawn(text.replace("  both had passed __syncthreads() at sum.cc:31\n", ""))
    assert _marks(drawn, "what") == ["atomics, or a second launch"]
    assert {"of block 2", "of block 1"} <= set(_words(drawn).split("\n"))


def test_a_missing_fence_stands_before_the_flag() -> None:
    fence = "  writer: no __threadfence() before it sets the flag at sum.cc:35"
    drawn = _drawn(NO_BARRIER.replace("  no __syncthreads() lies between the two", fence))
    assert _marks(drawn, "event") == ["write", "read", "sets the flag", "reads the flag"]
    assert _marks(drawn, "what")[1:] == ["the flag", "__threadfence()"]


def test_two_streams_lack_an_event() -> None:
    drawn = _drawn(NO_EVENT)
    assert _marks(drawn, "lane") == ["another stream", "a stream"]
    assert _marks(drawn, "event") == ["cudaMemcpyAsync writes", "Mix reads"]
    assert _marks(drawn, "place") == ["sum.cc:50", "sum.cc:8"]
    words = _words(drawn).split("\n")
    assert words[words.index("cudaMemcpyAsync writes") + 1] == "sum.cc:50", "no room beside it"
    assert "Mix reads, sum.cc:8" in words
    assert _marks(drawn, "what") == ["cudaEventRecord → cudaStreamWaitEvent"]


@pytest.mark.parametrize(
    ("row", "lanes"),
    [
        ("14 of 64 threads returned before the __syncthreads() that the others wait in", 2),
        (
            "__syncthreads() reached while other threads of the block wait in the one at sum.cc:10",
            2,
        ),
    ],
)
def test_threads_that_miss_a_barrier_stand_beside_those_that_wait(row: str, lanes: int) -> None:
    drawn = _drawn(f"cudasim: barrier_divergence: kernel K, sum.cc:12: {row}\n")
    assert len(_marks(drawn, "lane")) == lanes
    assert _marks(drawn, "order") == ["missing"]


@pytest.mark.parametrize(
    "pause", [*race_words.AFTER_TIME_LIMIT, *race_words.AFTER_WRONG_ANSWER], ids=lambda p: p.said
)
def test_each_pause_of_the_race_checker_has_a_picture(pause: race_words.Pause) -> None:
    rows = [f"  {stack}\n    f at sum.cc:{7 + at}\n" for at, stack in enumerate(pause.stacks)]
    drawn = _drawn(f"Sum.Adds:\n{pause.title}\n{''.join(rows)}")
    assert _marks(drawn, "order") == ["missing"]
    assert "line7();" in _words(drawn)


def test_the_simulators_own_reports_of_races_and_waits_have_pictures() -> None:
    kinds = ("data_race", "missing_synchronisation", "barrier_divergence")
    found = [
        report
        for file in sorted(Path("common/cudasim/tests").glob("*/*.txt"))
        for report in _expected(file.read_text(encoding="utf-8"))
        if report.head.startswith(kinds) and _is_whole(report)
    ]
    assert len(found) > 50
    undrawn = [report.head for report in found if finding_picture(report, SOURCE) is None]
    assert undrawn == [
        head for head in undrawn if "__ldg()" in head or "in the grid" in head or "child" in head
    ]


def _is_whole(report: Report) -> bool:
    """Whether the file expects the rows below, too, that a race's picture needs."""
    accesses = [row for row in report.rows if row.startswith("  thread (") and ": " in row]
    return "data_race" not in report.head or len(accesses) == 2


def _expected(text: str) -> list[Report]:
    """The reports in a file of expected ones, whose lines begin with the program's name."""
    plain = re.sub(r"^(?:\w+ )?\w+: (?=\w+: )", "cudasim: ", text, flags=re.MULTILINE)
    return list(reports_in(plain))


def test_threads_that_stood_still_have_a_lane_for_each_place() -> None:
    drawn = _drawn(
        "SumQueue did not return within 5 s: 2 threads wait in pthread_mutex_lock called at "
        "sum.cc:41; 1 thread waits in #pragma omp barrier called at sum.cc:50; 1 thread is at "
        "sum.cc:7"
    )
    assert _marks(drawn, "lane") == ["2 threads", "1 thread", "1 thread"]
    assert _marks(drawn, "event") == ["in pthread_mutex_lock", "in #pragma omp barrier", "busy"]
    assert _marks(drawn, "place") == ["sum.cc:41", "sum.cc:50", "sum.cc:7"]


def test_text_that_is_no_report_has_no_picture() -> None:
    for text in ("", "data race", "ThreadSanitizer: data race\n", "cudasim: trap: kernel K", "\n"):
        assert list(pictures_of(text, SOURCE)) == []


def test_a_line_of_thousands_of_digits_has_no_picture() -> None:
    assert list(pictures_of(LOST_UPDATE.replace("sum.cc:55", "sum.cc:" + "5" * 5000), SOURCE)) == []


def test_a_picture_without_the_source_has_the_places_alone() -> None:
    (picture,) = pictures_of(LOST_UPDATE, Source())
    assert _marks(_parsed(picture), "place") == ["sum.cc:55", "sum.cc:56"]
    assert "line55" not in picture.figure()


def test_the_table_has_the_same_facts_in_the_same_order() -> None:
    cells = [cell.text for cell in _drawn(LOST_UPDATE).iter("td")]
    assert cells[:4] == ["thread T1", "read (holds no lock)", "sum.cc:55", "line55();"]
    assert cells[4] == "thread T1 → thread T3"
    assert "missing: a lock on both sides, a join or a barrier" in cells
