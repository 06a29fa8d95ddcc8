"""Grades on a Slurm cluster: arrays of jobs that each grade a chunk of a hand-over folder."""

import contextlib
import math
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.judging.collect import Submission
from grader.judging.executors import batch_system
from grader.judging.executors.batch_system import Array, QueueFullError, UnreachableError
from grader.judging.executors.executor import Work
from grader.judging.executors.handover import Assignment, Handover
from grader.model.result import Diagnostic, Key, Result
from grader.model.verdict import Verdict

CHUNK = 16
"""Submissions of a job: enough that starting it costs little, few enough to share the nodes."""
_ROUNDS = 3
"""How often what has no result is submitted; the last time each submission has its own job."""
_MAX_JOBS = 1000
"""Of an array: Slurm's own default limit is 1001."""
_POLL_S = 5.0
_JOB = "job.txt"


@dataclass(frozen=True)
class SlurmExecutor:
    """Results of an earlier run in the same folder count; jobs that it left behind are ended."""

    spool: Path
    """On storage that this machine and all nodes share, as are the workspace and its .venv."""
    workspace: Path
    options: Sequence[str] = ()
    chunk: int = CHUNK
    poll_s: float = _POLL_S
    sleep: Callable[[float], None] = time.sleep

    def machine(self, *, gpu: bool) -> str | None:  # noqa: ARG002
        """None: a ratio to the reference is measured on one node, whichever it is."""
        return None

    def results(self, work: Work) -> Generator[tuple[Submission, Result], None, None]:
        digest = work.kit.manifest.digest
        folder = self.spool / f"{work.kit.manifest.lab}-{digest[:12]}-{work.seed}"
        handover = Handover(folder.resolve())
        assignment = Assignment(
            lab=work.kit.manifest.lab,
            kit=digest,
            seed=work.seed,
            secret=work.secret,
            gpu=work.gpu,
        )
        handover.lay_out(assignment, work.kit, work.submissions)
        _end_left_jobs(handover)
        handover.forget(everything=work.again)
        left = {submission.digest: submission for submission in work.submissions}
        yield from _arrived(handover, left)
        for turn in range(_ROUNDS):
            if not left:
                break
            wanted = 1 if turn == _ROUNDS - 1 else self.chunk
            chunk = max(wanted, math.ceil(len(left) / _MAX_JOBS))
            yield from self._round(handover, left, work, f"round{turn}", chunk)
        for submission in left.values():
            yield submission, _not_graded(work, submission, handover)
        if not left:
            shutil.rmtree(handover.root, ignore_errors=True)
            with contextlib.suppress(OSError):  # other work is in it
                self.spool.rmdir()

    def _round(
        self, handover: Handover, left: dict[str, Submission], work: Work, name: str, chunk: int
    ) -> Iterator[tuple[Submission, Result]]:
        """Submits one array for what is left, and yields until the array has ended."""
        waiting = list(left.values())
        chunks = [waiting[i : i + chunk] for i in range(0, len(waiting), chunk)]
        for index, submissions in enumerate(chunks):
            handover.add_chunk(f"{name}-{index}", submissions)
        job = self._submit(handover, work, name, len(chunks))
        (handover.root / _JOB).write_text(job, encoding="utf-8")
        try:
            yield from self._until_it_ends(job, handover, left, work)
        except BaseException:
            with contextlib.suppress(UnreachableError):
                batch_system.cancel(job)
            raise
        (handover.root / _JOB).unlink(missing_ok=True)

    def _submit(self, handover: Handover, work: Work, name: str, size: int) -> str:
        script = handover.root / f"{name}.sh"
        script.write_text(self._script(handover, name), encoding="utf-8")
        array = Array(
            script,
            f"grader-{work.kit.manifest.lab}",
            size,
            handover.root / "logs" / "%A_%a.txt",
            work.gpu,
            self.options,
        )
        told = False
        while True:
            try:
                return batch_system.submit(array)
            except (QueueFullError, UnreachableError) as error:
                if not told:
                    work.say(f"waiting: sbatch: {error}\n  next: none needed, it is tried again")
                told = True
                self.sleep(self.poll_s)

    def _script(self, handover: Handover, name: str) -> str:
        main = self.workspace / "grader" / "main.py"
        chunk = f"{shlex.quote(str(handover.root / 'chunks' / name))}-$SLURM_ARRAY_TASK_ID.json"
        command = f"{shlex.quote(sys.executable)} {shlex.quote(str(main))} grade-chunk {chunk}"
        return f"#!/bin/sh\ncd {shlex.quote(str(self.workspace))} || exit 1\nexec {command}\n"

    def _until_it_ends(
        self, job: str, handover: Handover, left: dict[str, Submission], work: Work
    ) -> Iterator[tuple[Submission, Result]]:
        told = False
        while True:
            try:
                is_queued = batch_system.is_queued(job)
            except UnreachableError as error:
                if not told:
                    work.say(f"waiting: squeue: {error}\n  next: none needed, the jobs may go on")
                told, is_queued = True, True
            yield from _arrived(handover, left)
            if not left or not is_queued:
                return
            self.sleep(self.poll_s)


def _arrived(
    handover: Handover, left: dict[str, Submission]
) -> Iterator[tuple[Submission, Result]]:
    """Results that are there, under their student's name; they are left no more."""
    for result in handover.results(set(left)):
        submission = left.pop(result.key.submission)
        named = {"student": submission.student, "source": submission.source}
        yield submission, result.model_copy(update=named)


def _end_left_jobs(handover: Handover) -> None:
    """Those of a grader that was killed."""
    path = handover.root / _JOB
    try:
        job = path.read_text(encoding="utf-8")
    except OSError:
        return
    batch_system.cancel(job)
    path.unlink(missing_ok=True)


def _not_graded(work: Work, submission: Submission, handover: Handover) -> Result:
    text = f"{_ROUNDS} jobs ended without a result: see {handover.root / 'logs'}"
    lab = work.kit.lab
    return Result(
        lab=work.kit.manifest.lab,
        student=submission.student,
        source=submission.source,
        key=Key(
            kit=work.kit.manifest.digest,
            submission=submission.digest,
            seed=work.seed,
            machine="slurm",
        ),
        verdict=Verdict.JUDGE_ERROR,
        points=0,
        max_points=lab.max_points,
        diagnostics=[Diagnostic(phase="judge", text=text)],
    )
