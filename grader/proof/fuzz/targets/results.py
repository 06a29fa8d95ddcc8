"""Readers of the checker's output: the submission's counters, and the checker's result."""

import functools
import math
from collections.abc import Sequence

from grader.judging.judge.counter_points import judge_counters
from grader.judging.judge.kernel_costs import kernel_costs
from grader.model.errors import JudgeError
from grader.model.lab import CounterThreshold, Parallelism, Part
from grader.model.verdict import Verdict
from grader.proof.fuzz.target import Target
from grader.proof.fuzz.targets.scratch import scratch_folder
from grader.sandbox.call_profile import ProfileError, parse_profile
from grader.sandbox.checker_report import Case, read_report

_PART = Part(
    function="Sum",
    title="Sum",
    suite="Sum",
    points=60,
    parallelism=Parallelism(suite="Sum", points=20, full=100, zero=2),
    counters=[
        CounterThreshold(
            suite="Sum",
            counter="global_load_requests",
            at_least=0.9,
            zero=0.5,
            points=10,
            why="Load less",
        ),
        CounterThreshold(
            suite="Sum",
            counter="global_load_sectors",
            at_most=0,
            zero=9,
            points=10,
            why="Load less",
        ),
    ],
)

scratch = functools.cache(scratch_folder)


def _profile(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    cases = [Case("Sum", "Works", None, profiles=(text,))]
    _pictures(cases)
    counted = judge_counters(_PART, cases)
    # Nothing the program writes is a judge error or earns more than all points.
    assert counted.verdict is not Verdict.JUDGE_ERROR
    for result in counted.results:
        assert 0 <= result.points <= result.max_points
        assert result.value is None or math.isfinite(result.value)
        assert all(len(line) <= 400 for line in result.advice)
    if counted.parallelism:
        assert 0 <= counted.parallelism.points <= counted.parallelism.max_points
    assert len(counted.message) < 1000
    parse_profile(text)


def _pictures(cases: Sequence[Case]) -> None:
    """What a forged profile can tell by pictures is bounded, and can be drawn."""
    costs = kernel_costs(cases)
    for line in costs.lines if costs else ():
        assert 0 <= line.waste <= line.cost < math.inf
        if line.worst:
            assert all(
                address is None or abs(address) < 2**27 for address in line.worst.addresses()
            )


def _result(data: bytes) -> None:
    path = scratch() / "result.json"
    path.write_bytes(data)
    read_report(path)


TARGETS = [
    Target("call_profile", _profile, (ProfileError,)),
    Target("checker_result", _result, (JudgeError,)),
]
