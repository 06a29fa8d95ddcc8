"""What every submission of a run is graded with."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.collect.submission import Submission
from grader.model.manifest import Kit
from grader.model.result import Key
from grader.run.folders import stage, work_folder
from grader.run.machine import MachineLock, cores, machine_class
from grader.run.processes import Processes


@dataclass(frozen=True)
class GradingContext:
    """One lab's kit and seed, and where and how submissions to it are built and run."""

    kit: Kit
    seed: int
    machine: str
    processes: Processes
    lock: MachineLock
    folder: Path
    """Where submissions are built; the jail's accounts can walk into it."""
    verdict_only: bool = False
    """Stop when a submission's verdict is known and, if too slow, counted: its points are not."""
    gpu: bool = False
    """Whether a CUDA lab's timing is taken on this machine's GPU."""
    spare_cores: bool = False
    """Whether one submission may use more than a core: its builds are then made side by side."""

    def seed_for(self, digest: str) -> int:
        """Of one submission's inputs: what it finds out about them is of no use to the next."""
        own = hashlib.sha256(f"{self.seed} {digest}".encode()).digest()
        return int.from_bytes(own[:4], "big") >> 1

    def key(self, submission: Submission) -> Key:
        return Key(
            kit=self.kit.manifest.digest,
            submission=submission.digest,
            seed=self.seed,
            machine=self.machine,
        )


@contextmanager
def open_context(
    kit: Kit,
    seed: int,
    jobs: int,
    *,
    verdict_only: bool = False,
    gpu: bool = False,
    say: Callable[[str], None] | None = None,
) -> Iterator[GradingContext]:
    """For `jobs` submissions at a time; `say` is told if another grader keeps it waiting.

    Its folder goes at the end, or with the next grader should this one be killed.
    """
    processes = Processes()
    with work_folder() as folder:
        staged = stage(kit, folder)
        lock = MachineLock(processes, slots=jobs, say=say)
        spare = jobs < cores()
        machine = machine_class(gpu=gpu)
        yield GradingContext(
            staged, seed, machine, processes, lock, folder, verdict_only, gpu, spare
        )
