"""The executors, by the names that `grade --executor` takes."""

from collections.abc import Sequence
from pathlib import Path

from grader.cli import places
from grader.judging.executors import Executor, LocalExecutor
from grader.judging.executors.slurm import SlurmExecutor


def executor_named(name: str, spool: Path, options: Sequence[str]) -> Executor:
    """`spool` and `options` are for a batch system alone."""
    if name == "local":
        return LocalExecutor()
    return SlurmExecutor(spool, places.workspace(), options)
