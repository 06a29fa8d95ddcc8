"""Grades on this machine."""

from collections.abc import Generator
from contextlib import closing

from grader.judging.collect import Submission
from grader.judging.executors.executor import Work
from grader.model.result import Result
from grader.sandbox.machine import machine_class


class LocalExecutor:
    """Several submissions at a time in this process's jails."""

    def machine(self, *, gpu: bool) -> str | None:
        return machine_class(gpu=gpu)

    def results(self, work: Work) -> Generator[tuple[Submission, Result], None, None]:
        from grader.judging.judge.context import open_context
        from grader.judging.kinds.run import grade_all

        with (
            open_context(
                work.kit,
                work.seed,
                work.jobs,
                gpu=work.gpu,
                secret=work.secret,
                say=work.say,
                on_phase=work.on_phase,
                processes=work.processes,
            ) as context,
            closing(grade_all(context, work.submissions, work.jobs)) as results,
        ):
            yield from results
