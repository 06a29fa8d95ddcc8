"""Grades one chunk of a hand-over folder on this machine: what a batch system's job runs."""

from contextlib import closing
from pathlib import Path

from grader.judging.executors.executor import Work
from grader.judging.executors.handover import Handover
from grader.judging.executors.local import LocalExecutor
from grader.sandbox.machine import cores


def grade_chunk(chunk: Path) -> int:
    """Grades what has no result yet and keeps each result as it comes; returns their number.

    A job that is started again, after its node has failed, repeats nothing. GraderError for a
    folder that is not one.
    """
    handover = Handover(chunk.parent.parent)
    assignment = handover.assignment()
    submissions = handover.submissions(chunk)
    if not submissions:
        return 0
    jobs = min(cores(), len(submissions))
    kit, seed, secret = handover.kit(), assignment.seed, assignment.secret
    work = Work(kit, seed, secret, submissions, jobs, assignment.gpu, again=True, say=print)
    done = 0
    with closing(LocalExecutor().results(work)) as results:
        for _, result in results:
            handover.put(result)
            done += 1
    return done
