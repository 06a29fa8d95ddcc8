"""Grades a class, several submissions at a time, and yields each result once it is ready."""

from __future__ import annotations

import queue
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor

from grader.collect.submission import Submission
from grader.judge.context import GradingContext
from grader.judge.grading import grade, judge_error
from grader.model.errors import JudgeError
from grader.model.result import Result
from grader.run.processes import StoppedError

BACKOFF_S = (0.5, 3.0)
"""Waits before a submission is tried again after a judge error."""


def grade_with_retries(
    context: GradingContext,
    submission: Submission,
    grade_once: Callable[[GradingContext, Submission], Result] = grade,
    backoff: Sequence[float] = BACKOFF_S,
) -> Result:
    """Tries again after a judge error; the last one becomes a JUDGE_ERROR result."""
    for wait in (*backoff, None):
        try:
            return grade_once(context, submission)
        except JudgeError as error:
            text = str(error)
        except StoppedError:
            raise
        except Exception as error:  # a defect of the grader must not end the whole run
            text = f"{type(error).__name__}: {error}"
        if wait is None or submission.problem:
            break
        context.processes.pause(wait)
    return judge_error(context, submission, text)


def grade_all(
    context: GradingContext,
    submissions: Sequence[Submission],
    jobs: int,
    grade_one: Callable[[GradingContext, Submission], Result] = grade_with_retries,
) -> Generator[tuple[Submission, Result], None, None]:
    """Yields results in the order in which they are ready; `jobs` submissions run at a time.

    There are more threads than jobs, so that submissions waiting to be timed leave no core idle.
    Leaving the iterator early, by an exception or Ctrl-C, ends all children before it returns.
    """
    ready: queue.SimpleQueue[tuple[Submission, Result | BaseException]] = queue.SimpleQueue()

    def work(submission: Submission) -> None:
        try:
            ready.put((submission, grade_one(context, submission)))
        except BaseException as error:
            ready.put((submission, error))

    pool = ThreadPoolExecutor(max_workers=3 * jobs - 2, thread_name_prefix="grade")
    try:
        for submission in submissions:
            pool.submit(work, submission)
        for _ in submissions:
            submission, result = _next(ready)
            if isinstance(result, BaseException):
                raise result
            yield submission, result
    except BaseException:
        context.processes.stop()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _next(
    ready: queue.SimpleQueue[tuple[Submission, Result | BaseException]],
) -> tuple[Submission, Result | BaseException]:
    """Waits in short steps, so that signal handlers run in between."""
    while True:
        try:
            return ready.get(timeout=0.2)
        except queue.Empty:
            continue
