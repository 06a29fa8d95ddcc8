"""What every verdict is called, and what a student is told: the one place for these words."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.result import PartResult, Result, TimingResult
from grader.model.verdict import Verdict


@dataclass(frozen=True)
class Words:
    """A verdict as people read it: a label, what happened, and what to do next."""

    label: str
    happened: str
    next_step: str

    @property
    def sentence(self) -> str:
        return f"{self.happened} {self.next_step}"


WORDS: dict[Verdict, Words] = {
    Verdict.ACCEPTED: Words(
        "accepted",
        "Your code gave the right answer in every test.",
        "There is nothing to fix.",
    ),
    Verdict.WRONG_ANSWER: Words(
        "wrong answer",
        "Your code ran to its end, but a result differs from the expected one.",
        "Work through the failing case below by hand, with an input of that size, or make it a "
        "case of the public test.",
    ),
    Verdict.COMPILE_ERROR: Words(
        "compile error",
        "Your file did not compile, so that nothing could be tested.",
        "Mend the first error that the compiler reports, then run the public tests once more "
        "before you hand in.",
    ),
    Verdict.RUNTIME_ERROR: Words(
        "runtime error",
        "Your code stopped in the middle: it crashed or let an exception escape.",
        "Run the failing case under a debugger or with --config=asan and look at the first line "
        "of your own file in the trace.",
    ),
    Verdict.TIME_LIMIT: Words(
        "time limit",
        "A call did not return in the time allowed.",
        "Look for an endless loop, a deadlock or a thread that nobody wakes or joins, starting "
        "with the input size below.",
    ),
    Verdict.MEMORY_LIMIT: Words(
        "memory limit",
        "Your code asked for more memory than the lab allows.",
        "Check what you allocate per thread and per call, and that all of it is freed.",
    ),
    Verdict.OUTPUT_LIMIT: Words(
        "output limit",
        "Your code printed more than the lab allows.",
        "Take the printing out of the loops: results are compared in memory and nothing has to "
        "be printed.",
    ),
    Verdict.DATA_RACE: Words(
        "data race",
        "Two threads used the same memory at the same time and at least one of them wrote to it.",
        "Find the two lines that the report names and put a lock, an atomic, a reduction or a "
        "barrier between them; a right answer in other runs was luck.",
    ),
    Verdict.DEADLOCK: Words(
        "deadlock",
        "Threads can wait for each other forever: each holds what another one waits for.",
        "Take locks in the same order everywhere, or one lock at a time, and let every thread "
        "come to each place where others wait for it.",
    ),
    Verdict.OUT_OF_BOUNDS: Words(
        "out of bounds",
        "Your code read or wrote memory outside the data it was given.",
        "Check the first and the last index that each thread touches, above all where the size "
        "is not a multiple of the number of threads. Where one thread alone gets it right, look "
        "for a race.",
    ),
    Verdict.UNINITIALISED_READ: Words(
        "uninitialised read",
        "Your code read memory that nobody had written.",
        "Find the line that should have written it: a copy or cudaMemset that is missing or too "
        "short, or a tile of shared memory that is filled only in part.",
    ),
    Verdict.BARRIER_DIVERGENCE: Words(
        "barrier divergence",
        "Some threads of a group waited at a barrier that others never reached.",
        "Move the barrier out of the branch or the loop, so that every thread passes it equally "
        "often.",
    ),
    Verdict.TOO_SLOW: Words(
        "too slow",
        "Every answer is right, but points for speed or for counters are missing.",
        "Compare the figures below with their thresholds, then look at how much work runs in "
        "parallel and how memory is walked through.",
    ),
    Verdict.POLICY: Words(
        "policy",
        "Your file does not keep to the rules of this lab, so that it earns no points here.",
        "The line below names the include, the symbol or the size that is not allowed or is "
        "missing; the handout and lab.toml list the rules.",
    ),
    Verdict.TAMPERING: Words(
        "tampering",
        "Your code reached for something that belongs to the grader and not to the task.",
        "Keep to the arguments of the function; if you did not mean to do this, show the lines "
        "below to your instructor.",
    ),
    Verdict.JUDGE_ERROR: Words(
        "not judged",
        "The grader failed here: this is not the fault of your code and costs you no point.",
        "There is nothing for you to do: your submission will be graded again.",
    ),
}

NOT_WRITTEN = Words(
    "not written",
    "This function is still the stub that you were given.",
    "Replace LAB_NOT_WRITTEN() by your own code and run the public tests.",
)

NOT_AS_ASKED = Words(
    WORDS[Verdict.POLICY].label,
    "A function gives right answers but not in the way that the lab asks for, so that its part "
    "earns no points.",
    "The line below names what it does not use; the handout says what that is for.",
)

NOT_ALL_POINTS = Words(
    WORDS[Verdict.ACCEPTED].label,
    "Your code gave the right answer in every test, but it misses points for speed.",
    "Compare the figures below with their thresholds: printing, locks in inner loops and "
    "allocations are what to look for first.",
)


def is_not_written(part: PartResult) -> bool:
    """Whether a wrong answer is only an untouched stub."""
    return part.failure is not None and part.failure.not_written


def part_words(part: PartResult) -> Words:
    """The words for one part: a stub is no wrong answer, and what ran is no file refused."""
    if is_not_written(part):
        return NOT_WRITTEN
    if part.verdict is Verdict.POLICY and part.tests_total:
        return NOT_AS_ASKED
    return WORDS[part.verdict]


def result_words(result: Result) -> Words:
    """The words for a whole submission: those of the part that decided its verdict."""
    if result.verdict is Verdict.ACCEPTED and points_text(result.points) != points_text(
        result.max_points
    ):
        return NOT_ALL_POINTS
    deciding = next((part for part in result.parts if part.verdict is result.verdict), None)
    return part_words(deciding) if deciding else WORDS[result.verdict]


def points_text(points: float) -> str:
    """Points without a trailing `.0`, at most two decimals."""
    return f"{round(points, 2):g}"


def ratio_text(ratio: float) -> str:
    """A time ratio to three significant digits: `0.95`, `1.52`, `12.3`, `140`."""
    digits = 2 if ratio < 10 else 1 if ratio < 100 else 0
    return f"{ratio:.{digits}f}"


def seed_words(result: Result) -> str:
    """What the seed is good for; students have no hidden tests to replay."""
    return f"Seed {result.key.seed} replays these tests for your instructor."


DECISIONS = {
    "full": "at or below the threshold for all points",
    "zero": "at or above the threshold for no points",
    "between": "between the thresholds, so that a share of the points is given",
    "undecided": "not decided within the time budget, so that the better end counts",
}


def timing_words(timing: TimingResult) -> str:
    """One sentence: the ratio, its interval, the thresholds and what follows from them."""
    return (
        f"{ratio_text(timing.ratio)} times the reference "
        f"(interval {ratio_text(timing.low)} to {ratio_text(timing.high)}, {timing.pairs} pairs; "
        f"{timing.student_ms:.3g} ms against {timing.reference_ms:.3g} ms): "
        f"{DECISIONS[timing.decision]}. All {points_text(timing.max_points)} timing points up to "
        f"{timing.full:g}, none from {timing.zero:g}; "
        f"you have {points_text(timing.points)}."
    )
