"""Where submissions are graded: on this machine, or by a cluster's batch system."""

from grader.executors.executor import Executor, Work
from grader.executors.local import LocalExecutor

__all__ = ["Executor", "LocalExecutor", "Work"]
