"""Where submissions are graded: on this machine, or by a cluster's batch system."""

from grader.judging.executors.executor import Executor, Work
from grader.judging.executors.local import LocalExecutor

__all__ = ["Executor", "LocalExecutor", "Work"]
