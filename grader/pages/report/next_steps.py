"""What a student should look at next: where, and with which command, but not the answer."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.lab import Lab
from grader.model.result import ParallelismResult, PartResult, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.facts import WHOLE_FILE, is_graded
from grader.pages.presentation.text import one_line
from grader.pages.presentation.words import WORDS, Words, part_words, points_text, result_words

_MOST_MISSED = 3
_UNEVEN = 1.3
_OWN_CASES = (
    "Write cases of your own into the public test: sizes 0 and 1, sizes that are no multiple of "
    "the threads or of a block, large ones; compare each result with that of a plain loop."
)


@dataclass(frozen=True)
class Step:
    """One thing to do, and a command that helps."""

    text: str
    command: str = ""


@dataclass(frozen=True)
class _Missed:
    points: float
    step: Step


def next_steps(result: Result, lab: Lab) -> list[Step]:
    """In the order in which to do them; never empty."""
    if not is_graded(result):
        return [Step(WORDS[Verdict.JUDGE_ERROR].next_step)]
    if result.verdict is Verdict.NOTHING_GRADABLE:
        return [Step(result_words(result).next_step)]
    if result.verdict in WHOLE_FILE and not any(part.tests_total for part in result.parts):
        return [Step(result_words(result).next_step, _test(result))]
    steps = [*_repairs(result, lab), *_improvements(result)]
    return steps or [Step("You have all points: there is nothing to fix.")]


def _repairs(result: Result, lab: Lab) -> Iterator[Step]:
    """A step for each kind of failure, with the parts that show it."""
    found: dict[Words, list[PartResult]] = {}
    for part in result.parts:
        if part.verdict not in (Verdict.ACCEPTED, Verdict.TOO_SLOW):
            found.setdefault(part_words(part), []).append(part)
    for words, parts in found.items():
        titles = ", ".join(one_line(part.title) for part in parts)
        text = words.next_step
        if parts[0].verdict is Verdict.WRONG_ANSWER and lab.feedback.hidden == "verdict":
            text = _OWN_CASES
        yield Step(f"{titles}: {text}", _test(result, parts[0].verdict, lab))


def _test(result: Result, verdict: Verdict | None = None, lab: Lab | None = None) -> str:
    option = lab.programming.diagnosis.get(verdict) if lab and verdict else None
    words = ["bazel test", option, shlex.quote(f"//labs/{one_line(result.lab)}/...")]
    return " ".join(filter(None, words))


def _improvements(result: Result) -> list[Step]:
    """Where right answers miss most points."""
    right = (Verdict.ACCEPTED, Verdict.TOO_SLOW)
    missed = [
        entry for part in result.parts if part.verdict in right for entry in _missed(part, result)
    ]
    missed.sort(key=lambda entry: -entry.points)
    return [entry.step for entry in missed[:_MOST_MISSED]]


def _missed(part: PartResult, result: Result) -> Iterator[_Missed]:
    title = one_line(part.title)
    if part.parallelism and (lost := part.parallelism.max_points - part.parallelism.points) > 0:
        text = f"{title}: {_points(lost)} missing for parallelism. {_hint(part.parallelism)}"
        yield _Missed(lost, Step(text))
    if part.timing and (lost := part.timing.max_points - part.timing.points) > 0:
        text = (
            f"{title}: {_points(lost)} missing for time. Look for what each call does more than "
            "once or more than it must: allocations, starting threads, locks or launches in a loop."
        )
        yield _Missed(lost, Step(text))
    for counter in part.counters:
        if (lost := counter.max_points - counter.points) > 0:
            text = f"{title}: {_points(lost)} missing for {one_line(counter.counter)}. "
            profile = f"bazel run {shlex.quote(f'//labs/{one_line(result.lab)}:profile')}"
            yield _Missed(lost, Step(f"{text}{one_line(counter.why)}.", profile))


def _points(points: float) -> str:
    text = points_text(points)
    return f"{text} point{'s' if text != '1' else ''}"


def _hint(parallelism: ParallelismResult) -> str:
    """What the figures say about the reason; the idea is left to the student."""
    threads = parallelism.threads
    if threads is None:
        return (
            "Look for steps that one thread or one block does while the others wait, and for "
            "loops that threads could share."
        )
    if threads.runnable < threads.team / 2:
        return (
            f"On average {threads.runnable:.1f} of {threads.team} threads had something to do: "
            "find out what the others wait for."
        )
    if threads.balance > _UNEVEN:
        return (
            f"The busiest thread ran for {threads.balance:.1f} times the mean time: look at how "
            "the work is divided."
        )
    if threads.shared_by and threads.shared_by < threads.team / 2:
        return (
            f"The inputs and outputs were shared by {threads.shared_by:.1f} threads: the others "
            "may be busy, but with something else, or with the same again."
        )
    if threads.copies > threads.inflation:
        return (
            "The CPU time grows with the number of threads: look for work that each of them does "
            "as a whole, and for threads that wait without sleeping."
        )
    return (
        f"Together the threads used {threads.inflation:.1f} times the CPU time of one thread: look "
        "for work that several of them do, and for memory that they write in turn."
    )
