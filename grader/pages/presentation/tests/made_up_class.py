"""A made-up class with every verdict, timed and untimed parts, and flags; deterministic."""

import random
from collections.abc import Iterator

from grader.model.kernel_costs import KernelCosts
from grader.model.lab import CounterThreshold, Lab, Part, Timing
from grader.model.result import (
    CounterResult,
    Diagnostic,
    Failure,
    GpuTiming,
    Key,
    PartResult,
    Result,
    TimingResult,
)
from grader.model.verdict import Verdict
from grader.pages.presentation.facts import WHOLE_FILE

LAB = Lab(
    title="Sum with threads",
    file="sum.cc",
    model="cpu",
    parts=[
        Part(
            function="SumPartial",
            title="Partial sums",
            suite="SumPartialTest",
            points=30,
            timing=Timing(suite="SumPartialTiming", points=20, full=1.5, zero=4.0),
        ),
        Part(
            function="SumQueue",
            title="Work queue",
            suite="SumQueueTest",
            points=30,
            timing=Timing(suite="SumQueueTiming", points=20, full=2.0, zero=6.0),
        ),
    ],
)

_MESSAGES = {
    Verdict.WRONG_ANSWER: (
        "element 16 of 17: expected 3.5, got nan, tolerance 1e-06\n"
        "input size 17, 4 threads, seed 81985529216486895"
    ),
    Verdict.RUNTIME_ERROR: (
        "SumPartial ended by signal 11 (segmentation fault)\ninput size 0, 4 threads, seed 4711"
    ),
    Verdict.TIME_LIMIT: (
        "SumQueue did not return within 5 s, limit 5 s\ninput size 1024, 8 threads, seed 99"
    ),
    Verdict.MEMORY_LIMIT: "SumPartial used more than 1024 MiB\ninput size 1048576, seed 12",
    Verdict.OUTPUT_LIMIT: "SumPartial printed more than 256 KiB\ninput size 4096, seed 5",
    Verdict.DATA_RACE: "data race in SumPartial\ninput size 1000, 4 threads, seed 42",
    Verdict.OUT_OF_BOUNDS: (
        "SumPartial read element 17 of argument 1, which has 17 elements\ninput size 17, seed 8"
    ),
    Verdict.DEADLOCK: "two threads lock total and next in both orders\ninput size 100, seed 77",
    Verdict.UNINITIALISED_READ: "read of 4 bytes that nothing has written\ninput size 5, seed 6",
    Verdict.BARRIER_DIVERGENCE: "7 of 8 threads wait at a barrier\ninput size 33, seed 15",
    Verdict.TAMPERING: "the reply was not signed by this call\ninput size 64, seed 23",
}

_RACE = """ThreadSanitizer: data race
  Write by thread T2
    Worker(void*) at sum.cc:31
  Previous write by thread T1
    Worker(void*) at sum.cc:31
  The memory is the variable total"""

_DIAGNOSTICS = {
    Verdict.COMPILE_ERROR: Diagnostic(
        phase="compile",
        text="/submission/sum.cc:14:20: error: expected ';' before 'pthread_create'\n"
        "   14 |   int started = 0\n      |                  ^\n      |                  ;",
    ),
    Verdict.POLICY: Diagnostic(
        phase="policy", text="sum.cc:3: #include <omp.h>: not among the headers of this lab"
    ),
    Verdict.DATA_RACE: Diagnostic(phase="races", text=_RACE),
    Verdict.JUDGE_ERROR: Diagnostic(
        phase="judge", text="checker: cannot start the worker: Resource temporarily unavailable"
    ),
}


def _timing(planned: Timing, chance: random.Random) -> TimingResult:
    ratio = min(chance.lognormvariate(0.45, 0.5), 0.8 * planned.zero)
    return _timed(planned, ratio, chance.uniform(0.01, 0.09), chance.randrange(8, 60))


def _timed(planned: Timing, ratio: float, spread: float, pairs: int) -> TimingResult:
    low, high = ratio * (1 - spread), ratio * (1 + spread)
    share = min(1.0, max(0.0, (planned.zero - low) / (planned.zero - planned.full)))
    undecided = low <= planned.full < high
    decision = "full" if high <= planned.full else "zero" if low >= planned.zero else "between"
    return TimingResult(
        ratio=ratio,
        low=low,
        high=high,
        pairs=pairs,
        full=planned.full,
        zero=planned.zero,
        decision="undecided" if undecided else decision,
        student_ms=2.5 * ratio,
        reference_ms=2.5,
        points=round(planned.points * share, 2),
        max_points=planned.points,
        flagged="undecided within the budget of 5 s" if undecided else None,
    )


def _part(planned: Part, verdict: Verdict, chance: random.Random) -> PartResult:
    part = PartResult(
        function=planned.function,
        title=planned.title,
        verdict=verdict,
        points=0,
        max_points=planned.max_points,
        tests_passed=12,
        tests_total=12,
    )
    if verdict in (Verdict.ACCEPTED, Verdict.TOO_SLOW):
        assert planned.timing
        part.timing = _timing(planned.timing, chance)
        if verdict is Verdict.TOO_SLOW:
            slow = {"ratio": 5.0, "low": 6.2, "high": 7.5, "points": 0.0, "decision": "zero"}
            part.timing = part.timing.model_copy(update=slow | {"ratio": 6.8, "flagged": None})
        part.points = planned.points + part.timing.points
    else:
        whole_file = verdict in WHOLE_FILE
        part.tests_total = 0 if whole_file else 12
        part.tests_passed = 0 if whole_file else chance.randrange(0, 11)
        message = _MESSAGES.get(verdict)
        if message:
            part.failure = Failure(test=f"{planned.suite}.AddsEveryElementOnce", message=message)
    return part


def make_result(student: str, first: Verdict, second: Verdict, seed: int = 7) -> Result:
    """One made-up result with these verdicts on the two parts of LAB."""
    chance = random.Random(f"{student}{first}{second}{seed}")  # noqa: S311
    verdicts = (first, second)
    if first in WHOLE_FILE:
        verdicts = (first, first)
    parts = [_part(p, v, chance) for p, v in zip(LAB.parts, verdicts, strict=True)]
    worst = next((v for v in verdicts if v is not Verdict.ACCEPTED), Verdict.ACCEPTED)
    return Result(
        lab="fake_sum",
        student=student,
        source=f"lab1/{student}/sum.cc",
        key=Key(
            kit="5d41402abc4b2a76b971", submission="9f86d081884c7d65", seed=seed, machine="x86"
        ),
        verdict=worst,
        points=sum(part.points for part in parts),
        max_points=LAB.max_points,
        parts=parts,
        diagnostics=[
            _DIAGNOSTICS[v].model_copy() for v in dict.fromkeys(verdicts) if v in _DIAGNOSTICS
        ],
        seconds={"compile": 1.1, "tests": 0.4, "races": 1.3, "timing": 3.2},
        graded_at="2026-03-02T10:15:00+00:00",
    )


def counted_lab() -> Lab:
    """LAB for CUDA, with ten points of its first part on a counter."""
    threshold = CounterThreshold(
        suite="SumPartialCounted",
        counter="global_efficiency",
        at_least=0.9,
        points=10,
        why="Let neighbouring threads use neighbouring elements",
    )
    first = LAB.parts[0].model_copy(update={"points": 20, "counters": [threshold]})
    return LAB.model_copy(update={"model": "cuda", "parts": [first, LAB.parts[1]]})


def counted_result(value: float, kernel: str, advice: str) -> Result:
    """A right submission to counted_lab() whose kernel reaches `value`."""
    result = make_result("counted", Verdict.ACCEPTED, Verdict.ACCEPTED)
    part, threshold = result.parts[0], counted_lab().parts[0].counters[0]
    points = 10.0 if value >= threshold.full else 0.0
    part.counters = [
        CounterResult(
            counter=threshold.counter,
            kernel=threshold.kernel,
            value=value,
            worst=kernel,
            at_least=threshold.at_least,
            points=points,
            max_points=threshold.points,
            why=threshold.why,
            advice=[advice],
        )
    ]
    lost = threshold.points - points
    part.points, result.points = part.points - lost, result.points - lost
    if lost:
        part.verdict = result.verdict = Verdict.TOO_SLOW
    return result


def costly_result(target: str = "in") -> Result:
    """Line 12 loads a column of 32 rows; even lanes go another way than odd ones at line 14."""
    request = {
        "lanes": {"first": 0, "every": 1, "count": 32},
        **{"bytes": 4, "base": 0, "width": 32, "step": 128, "row": 0, "cost": 32, "ideal": 4},
    }
    line = {
        "file": LAB.file,
        "line": 12,
        "operation": "global_load",
        "target": target,
        **{"requests": 10, "cost": 80, "waste": 70, "taken": 320, "ideal": 40, "worst": request},
    }
    divided = {
        "file": LAB.file,
        **{"line": 14, "runs": 10, "divergent": 8, "lines": (15, 17)},
        "lanes": [{"first": first, "every": 2, "count": 16} for first in (0, 1)],
    }
    costs = KernelCosts.model_validate(
        {"cost": 100, "branches_run": 10, "lines": [line], "branches": [divided]}
    )
    result = counted_result(0.3, "SumKernel", f"{LAB.file}:12: every thread skips 31 elements")
    result.parts[0].kernels = costs
    return result


H100 = GpuTiming(
    device="NVIDIA H100 80GB HBM3", copy_gb_s=3000, fp32_gflop_s=60_000, bytes=12e9, operations=1e9
)
"""A device with its ridge at 20 operations per byte; the call does one per 12 bytes."""


def gpu_lab() -> Lab:
    """LAB for CUDA."""
    return LAB.model_copy(update={"file": "sum.cu", "model": "cuda"})


def gpu_result(student: str, *gpus: GpuTiming | None, ms: float = 8) -> Result:
    """A right submission to gpu_lab() whose timed calls, by part, ran on these GPUs.

    Each call takes the student `ms` and the reference 5 ms.
    """
    result = make_result(student, Verdict.ACCEPTED, Verdict.ACCEPTED)
    for part, planned, gpu in zip(result.parts, LAB.parts, gpus, strict=True):
        assert planned.timing
        timing = _timed(planned.timing, ms / 5, 0.02, 20)
        times = {"student_ms": ms, "reference_ms": 5.0}
        part.timing = timing.model_copy(update={"gpu": gpu, **times})
        part.points = planned.points + timing.points
    result.points = sum(part.points for part in result.parts)
    return result


def gpu_class(size: int, *gpus: GpuTiming) -> Iterator[Result]:
    """`size` results of gpu_lab(), with speeds from the device's limit to a hundredth of it."""
    for number in range(1, size + 1):
        chance = random.Random(number)  # noqa: S311
        ms = 4 + chance.lognormvariate(1.2, 1.1)
        yield gpu_result(f"student{number:02}", *gpus, ms=ms)


def made_up_class(size: int) -> Iterator[Result]:
    """`size` results, about half accepted, every verdict among the first 40."""
    verdicts = list(Verdict)
    for number in range(1, size + 1):
        chance = random.Random(number)  # noqa: S311
        index = number - 1
        if index % 40 < len(verdicts):
            first, second = verdicts[index % 40], Verdict.ACCEPTED
        else:
            first = Verdict.ACCEPTED
            second = chance.choice(
                [Verdict.ACCEPTED] * 5 + [Verdict.WRONG_ANSWER, Verdict.DATA_RACE]
            )
        result = make_result(f"student{number:02}", first, second, seed=number)
        result.protections_lost = ["no cgroup: memory of all processes together is not limited"]
        yield result
