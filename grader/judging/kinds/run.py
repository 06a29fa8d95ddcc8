"""Grades a class, several submissions at a time, and yields each result once it is ready."""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from grader.judging.collect.submission import Submission
from grader.judging.judge.context import GradingContext
from grader.judging.judge.grading import judge_error
from grader.judging.kinds.kinds import grade
from grader.model.errors import JudgeError, TooBusyError
from grader.model.result import Result
from grader.sandbox.processes import StoppedError

BACKOFF_S = (0.5, 3.0)
"""Waits before a submission is tried again after a judge error."""


def grade_with_retries(
    context: GradingContext,
    submission: Submission,
    grade_once: Callable[[GradingContext, Submission], Result] = grade,
    backoff: Sequence[float] = BACKOFF_S,
) -> Result:
    """Tries again after a judge error; the last one becomes a JUDGE_ERROR result."""
    for pause in (*backoff, None):
        try:
            return grade_once(context, submission)
        except TooBusyError as error:
            return judge_error(context, submission, str(error))
        except JudgeError as error:
            text = str(error)
        except StoppedError:
            raise
        except Exception as error:  # a defect of the grader must not end the whole run
            text = f"{type(error).__name__}: {error}"
        if pause is None or submission.problem:
            break
        context.processes.pause(pause)
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
    pool = ThreadPoolExecutor(max_workers=3 * jobs - 2, thread_name_prefix="grade")
    try:
        under_way = {pool.submit(grade_one, context, entry): entry for entry in submissions}
        for future in as_completed(under_way):
            yield under_way.pop(future), future.result()
    except BaseException:
        context.processes.stop()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
