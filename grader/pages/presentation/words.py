"""The label of each verdict and the sentences that explain it to a student."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from common.lab.programming_models.catalogues import findings
from grader.model import kind
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
        "accepted", "Your code gave the right answer in every test.", "There is nothing to fix."
    ),
    Verdict.WRONG_ANSWER: Words(
        "wrong answer",
        "Your code ran to its end, but a result differs from the expected one.",
        "Work through the first failing case by hand, with an input of that size, or make it a "
        "case of the public test.",
    ),
    Verdict.COMPILE_ERROR: Words(
        "compile error",
        "Your file did not compile, so nothing could be tested.",
        "Fix the first error that the compiler reports, then run the public tests before you "
        "hand in again.",
    ),
    Verdict.RUNTIME_ERROR: Words(
        "runtime error",
        "Your code ended before it returned: it crashed, called exit or let an exception escape.",
        "Run the failing case under a debugger or with --config=asan and look at the first line "
        "of your own file in the stack trace.",
    ),
    Verdict.TIME_LIMIT: Words(
        "time limit",
        "A call of your function did not return within its time limit.",
        "Look for an endless loop, a deadlock or a waiting thread that is never woken; begin with "
        "the input size below.",
    ),
    Verdict.MEMORY_LIMIT: Words(
        "memory limit",
        "Your code asked for more memory than the lab allows.",
        "Check what you allocate per thread and per call, and that all of it is freed.",
    ),
    Verdict.OUTPUT_LIMIT: Words(
        "output limit",
        "Your code printed more than the lab allows.",
        "Remove the print statements: results are compared in memory, so nothing has to be "
        "printed.",
    ),
    Verdict.DATA_RACE: Words(
        "data race",
        "Two threads accessed the same memory without synchronization, and at least one of them "
        "wrote to it.",
        "Find the two lines that the report names and synchronize them with a lock, an atomic "
        "operation, a reduction or a barrier; a right answer in other runs was luck.",
    ),
    Verdict.DEADLOCK: Words(
        "deadlock",
        "Your threads can wait for each other forever: each waits for a lock or a signal that "
        "only another waiting thread can release or send.",
        "Take locks in the same order everywhere, or only one at a time, and let every thread "
        "reach each barrier and send each signal that others wait for.",
    ),
    Verdict.OUT_OF_BOUNDS: Words(
        "out of bounds",
        "Your code accessed memory outside its data, or memory that was already freed.",
        "Check the first and the last index that each thread accesses, above all where the size "
        "is not a multiple of the number of threads. If the case passes with one thread, look "
        "for a data race.",
    ),
    Verdict.UNINITIALISED_READ: Words(
        "uninitialised read",
        "Your code read memory before any value was written to it.",
        "Find the line that should have written it: a copy or cudaMemset that is missing or too "
        "short, or a tile of shared memory that is filled only in part.",
    ),
    Verdict.BARRIER_DIVERGENCE: Words(
        "barrier divergence",
        "Some threads waited at a barrier that other threads of their block or warp never reached.",
        "Move the barrier out of the branch or the loop, so that all threads execute it equally "
        "often.",
    ),
    Verdict.TOO_SLOW: Words(
        "too slow",
        # Another part may have failed otherwise.
        "A function gave the right answer in every test, but misses points for time, parallelism "
        "or counters.",
        "Compare the figures below with their thresholds, then look at how much of the work runs "
        "in parallel and in which order threads access memory.",
    ),
    Verdict.POLICY: Words(
        "policy",
        "Your file breaks a rule of this lab, so it earns no points here.",
        "The line below names the include, the symbol or the size that is not allowed or is "
        "missing; the handout and lab.toml list the rules.",
    ),
    Verdict.TAMPERING: Words(
        "tampering",
        "Your code interfered with the grader: it used something that is not part of the task.",
        "Use only the arguments of the function; if you did not mean to interfere, show the lines "
        "below to your instructor.",
    ),
    Verdict.JUDGE_ERROR: Words(
        "not judged",
        "The grader failed here: this is not the fault of your code and costs you no points.",
        "There is nothing for you to do: your submission will be graded again.",
    ),
    Verdict.NOT_GRADED: Words(
        "not graded",
        "Your file was found, but the run that grades the class has not graded it.",
        "There is nothing for you to do: your submission will be graded.",
    ),
    Verdict.NOTHING_GRADABLE: Words(
        "nothing gradable",
        "What you handed in holds no file that can be graded, so nothing could be tested.",
        "Hand in the one file that the lab asks for, as text: the line below says what was found "
        "and which name is expected.",
    ),
}


def _of_finding(entry: Mapping[str, str]) -> Words:
    label = entry.get("label", WORDS[Verdict(entry["verdict"])].label)
    return Words(label, entry["sentence"], entry["next_step"])


# Findings of the CUDA simulator, by their kind, that the words of their verdict do not fit.
_OF_FINDINGS = {entry["name"]: _of_finding(entry) for entry in findings() if "sentence" in entry}

_FOUND = Words(
    WORDS[Verdict.RUNTIME_ERROR].label,
    "The CUDA simulator found an error in a kernel or in a call of the CUDA runtime.",
    "The line below names the error and its place; the public test prints the same report.",
)

_KIND = re.compile(r"([a-z]+(?:_[a-z]+)*): ")

NOT_WRITTEN = Words(
    "not written",
    "This function is still the stub that you were given.",
    "Replace LAB_NOT_WRITTEN() with your own code and run the public tests.",
)

NOT_AS_ASKED = Words(
    WORDS[Verdict.POLICY].label,
    "A function gives right answers but not in the way that the lab requires, so its part earns "
    "no points.",
    "The line below names the requirement; the handout explains it.",
)

NOT_ALL_POINTS = Words(
    WORDS[Verdict.ACCEPTED].label,
    "Your code gave the right answer in every test, but it misses points for speed.",
    "Compare the figures below with their thresholds. Look first for printing, allocations, and "
    "locks in inner loops.",
)

# Of an exercise that hands in tests, where a verdict means something else than in a lab.
_OF_TESTS = {
    Verdict.WRONG_ANSWER: Words(
        "refuses a right program",
        "One of your tests fails with a program that is right, so its part earns no points.",
        "Read the contract again: what may differ from one right program to another? A test must "
        "allow that.",
    ),
    Verdict.RUNTIME_ERROR: Words(
        "ended early",
        "With a right program your tests crashed, or called exit, before GoogleTest had ended.",
        "Run bazel test on your file with your own program, and with --config=asan.",
    ),
    Verdict.TIME_LIMIT: Words(
        WORDS[Verdict.TIME_LIMIT].label,
        "With a right program your tests of a part do not end within their time limit.",
        "Test with smaller inputs and fewer cases: most faults show with few elements.",
    ),
}
NO_TESTS = Words(
    NOT_WRITTEN.label,
    "Your file has no test of this part.",
    "Write one in the suite that the line below names.",
)
ALL_FAULTS = Words(
    WORDS[Verdict.ACCEPTED].label,
    "Your tests pass with every right program and fail with every faulty one.",
    "There is nothing to fix.",
)
MISSED_FAULTS = Words(
    WORDS[Verdict.ACCEPTED].label,
    "Your tests pass with every right program, but miss faults.",
    "The lines below name one fault of each part that no test of yours detects: write one for it.",
)

# Of a hunt, for what only a hunt asks; its program is judged as in the lab.
_OF_HUNT = {
    Verdict.WRONG_ANSWER: Words(
        "incomplete",
        "Something of the hunt is missing, or does not fit the faults.",
        "The line below says what.",
    ),
    Verdict.ACCEPTED: Words(
        WORDS[Verdict.ACCEPTED].label,
        "You found, showed and fixed the faults.",
        "There is nothing to fix.",
    ),
}


def is_not_written(part: PartResult) -> bool:
    """Whether a wrong answer is only an untouched stub."""
    return part.failure is not None and part.failure.not_written


def _finding_words(part: PartResult) -> Words | None:
    """The words for what the simulator found; None if those of the verdict fit."""
    kind = _KIND.match(part.failure.message) if part.failure else None
    if kind is None:
        return None
    return _OF_FINDINGS.get(kind[1], _FOUND if part.verdict is Verdict.RUNTIME_ERROR else None)


def part_words(part: PartResult) -> Words:
    """The words for one part: a stub, a missed requirement and some findings have their own."""
    if part.of_kind == kind.TESTS:
        own = _OF_TESTS.get(part.verdict, WORDS[part.verdict])
        return NO_TESTS if is_not_written(part) else own
    if part.of_kind == kind.HUNT:
        return _OF_HUNT.get(part.verdict, WORDS[part.verdict])
    if is_not_written(part):
        return NOT_WRITTEN
    if part.verdict is Verdict.POLICY and part.tests_total:
        return NOT_AS_ASKED
    return _finding_words(part) or WORDS[part.verdict]


def result_words(result: Result) -> Words:
    """The words for a whole submission: those of the part that decided its verdict."""
    of_tests = any(part.of_kind == kind.TESTS for part in result.parts)
    if result.verdict is Verdict.ACCEPTED and points_text(result.points) != points_text(
        result.max_points
    ):
        return MISSED_FAULTS if of_tests else NOT_ALL_POINTS
    if result.verdict is Verdict.ACCEPTED and of_tests:
        return ALL_FAULTS
    of_hunt = next((part for part in result.parts if part.of_kind == kind.HUNT), None)
    if result.verdict is Verdict.ACCEPTED and of_hunt:
        return part_words(of_hunt)
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
    """What the seed is for; only instructors have the hidden tests."""
    return f"Your instructor can repeat these tests with seed {result.key.seed}."


PHASES = {
    "handed_in": "What was handed in",
    "policy": "Rules of the lab",
    "compile": "Compiler",
    "tests": "Tests",
    "memory": "Memory checker",
    "races": "Race checker",
    "counters": "Simulator: counters",
    "timing": "Timing",
    "judge": "The grader's own log (not the student's fault)",
}
"""What heads a diagnostic in the texts for instructors."""

DECISIONS = {
    "full": "at or below the threshold for all points",
    "zero": "at or above the threshold for no points",
    "between": "between the thresholds, so a share of the points is given",
    "undecided": "undecided within the time budget, so the better end of the interval counts",
}


def timing_words(timing: TimingResult) -> str:
    """Two sentences: the ratio with its interval, and the points that the thresholds give."""
    return (
        f"{ratio_text(timing.ratio)} times the reference's time "
        f"(confidence interval {ratio_text(timing.low)} to {ratio_text(timing.high)}, "
        f"{timing.pairs} pairs; {timing.student_ms:.3g} ms against {timing.reference_ms:.3g} ms): "
        f"{DECISIONS[timing.decision]}. All {points_text(timing.max_points)} timing points up to "
        f"a ratio of {timing.full:g}, none from {timing.zero:g}; "
        f"you have {points_text(timing.points)}."
    )
