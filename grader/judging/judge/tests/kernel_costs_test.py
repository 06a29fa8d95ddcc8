"""What is kept of a profile for pictures: sums, evenly spaced patterns, and nothing else."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from grader.judging.judge.kernel_costs import kernel_costs, readable_costs
from grader.judging.judge.retold import Readable
from grader.model.kernel_costs import LANES, KernelCosts, Lanes, lanes_of
from grader.model.verdict import Verdict
from grader.sandbox.checker_report import Case


def line(
    addresses: Sequence[int], *, number: int = 7, cost: int = 32, **others: object
) -> dict[str, Any]:
    request = {"which": "worst", "cost": cost, "ideal": 4, "bytes": 4, "addresses": [*addresses]}
    return {
        "file": "/submission/sum.cu",
        "line": number,
        "operation": "global_load",
        "target": "in",
        "requests": 10,
        "cost": cost * 10 / 4,
        "waste": (cost - 4) * 10 / 4,
        "samples": [request],
        "costs": [[cost, 4, 9], [4, 4, 1]],
        **others,
    }


def branch(lanes: int, divergent: int = 8) -> dict[str, Any]:
    place = {"file": "/submission/sum.cu", "line": 9}
    sides = [{**place, "lanes": lanes}, {**place, "lanes": 2**LANES - 1 - lanes, "line": 12}]
    return {**place, "runs": 10, "divergent": divergent, "sides": sides}


def profile(*lines: dict[str, Any], branches: Sequence[object] = (), **others: object) -> str:
    kernel = {
        "library": False,
        "counters": {"branches": 20, "occupancy_limit": "threads"},
        "lines": lines,
        "samples": {"branches": branches},
    }
    return json.dumps({"schema": 1, "kernels": [kernel | others]})


def kept(*profiles: str) -> KernelCosts | None:
    return kernel_costs([Case("PartCounted", "Works", Verdict.ACCEPTED, "", "", None, profiles)])


def addresses(*profiles: str) -> tuple[int | None, ...] | None:
    costs = kept(*profiles)
    assert costs is not None
    worst = costs.lines[0].worst
    return worst.addresses() if worst else None


@pytest.mark.parametrize(
    "pattern",
    [
        [4 * lane for lane in range(32)],
        [128 * lane for lane in range(32)],
        [16] * 32,
        [4 * (31 - lane) for lane in range(32)],
        [4 * (lane % 16) + 4096 * (lane // 16) for lane in range(32)],
        [4096 * (lane % 8) + 4 * (lane // 8) for lane in range(32)],
        [4 * lane if lane % 2 == 0 else -1 for lane in range(32)],
        [4 * lane if lane < 5 else -1 for lane in range(32)],
        [-1] * 31 + [64],
    ],
)
def test_an_evenly_spaced_request_is_kept_as_it_was(pattern: list[int]) -> None:
    assert addresses(profile(line(pattern))) == tuple(a if a >= 0 else None for a in pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        [lane * lane * 4 for lane in range(32)],
        [4 * lane if lane in (0, 1, 3) else -1 for lane in range(32)],
        [2**40 * lane for lane in range(32)],
        [2**40 + 4 * lane for lane in range(32)],
        [-1] * 32,
    ],
)
def test_a_request_that_may_depend_on_data_is_only_counted(pattern: list[int]) -> None:
    costs = kept(profile(line(pattern)))
    assert costs is not None
    assert costs.lines[0].worst is None
    assert costs.lines[0].taken == 9 * 32 + 4


def test_costs_of_a_line_add_up_over_calls_and_the_most_wasteful_line_comes_first() -> None:
    even = [4 * lane for lane in range(32)]
    call = profile(line(even, cost=4), line([128 * lane for lane in range(32)], number=8))
    costs = kept(call, call)
    assert costs is not None
    assert [(found.file, found.line, found.requests) for found in costs.lines] == [
        ("sum.cu", 8, 20),
        ("sum.cu", 7, 20),
    ]
    assert costs.lines[0].waste == 2 * 28 * 10 / 4
    assert costs.cost == 2 * (10 + 80)


def test_a_line_wastes_no_more_than_it_costs() -> None:
    costs = kept(profile(line(EVEN, waste=2.0**53)))
    assert costs is not None
    assert costs.lines[0].waste == costs.lines[0].cost


def test_a_branch_keeps_its_lanes_where_they_are_evenly_spaced() -> None:
    scattered, even = 0b1011, 0x55555555
    for lanes, shown in ((scattered, None), (even, Lanes(first=0, every=2, count=16))):
        costs = kept(profile(branches=[branch(lanes)]))
        assert costs is not None
        (divided,) = costs.branches
        assert (divided.divergent, divided.lines) == (8, (9, 12))
        assert (divided.lanes and divided.lanes[0]) == shown


def test_no_lane_is_a_pattern_as_well() -> None:
    assert lanes_of([]) == Lanes(first=0, every=1, count=0)


EVEN = [4 * lane for lane in range(32)]


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        '{"schema": 1, "kernels": [{"library": false, "counters": {}, "lines": []}]}',
        profile(line(EVEN, operation="<b>")),
        profile(line(EVEN, cost=-1)),
        profile(line(EVEN, waste=float("nan"))),
        profile(line([0] * 31)),
        profile(line([10**400] * 32)),
        profile(line(EVEN, samples=[None] * 2)),
        profile(*[line(EVEN)] * 600),
        profile(branches=[branch(2**LANES)]),
        profile(line(EVEN), library=True),
    ],
)
def test_a_text_without_samples_or_with_damaged_ones_has_no_pictures(text: str) -> None:
    assert kept(text) is None


def test_lines_and_names_that_the_student_may_not_read_are_left_out() -> None:
    student = Readable([], frozenset({"in"}), {"sum.cu": 12})
    hidden = [
        line(EVEN, number=13),
        line(EVEN, number=0),
        line(EVEN, file="a secret"),
        line(EVEN, file="sum.cu\n"),
    ]
    shown = [line(EVEN), line(EVEN, number=8, target="42 is the answer"), *hidden]
    for number, kept_branches in ((9, 1), (13, 0)):
        costs = kept(profile(*shown, branches=[{**branch(1), "line": number}]))
        assert costs is not None
        told = readable_costs(costs, student)
        assert [(x.file, x.line, x.target) for x in told.lines] == [
            ("sum.cu", 7, "in"),
            ("sum.cu", 8, ""),
        ]
        assert len(told.branches) == kept_branches


def test_a_long_name_is_cut() -> None:
    costs = kept(profile(line(EVEN, target="x" * 5000)))
    assert costs is not None
    assert costs.lines[0].target == "x" * 100
