"""The settings and resources that all submissions of a run share."""

import hmac
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.judging.collect.submission import Submission
from grader.judging.compile.precompiled import PrecompiledHeaders
from grader.model.manifest import Kit
from grader.model.result import Key
from grader.sandbox.folders import stage, work_folder
from grader.sandbox.machine import MachineLock, cores, machine_class
from grader.sandbox.processes import Processes


def _untold(_digest: str, _doing: str) -> None:
    """Nobody waits for phases."""


@dataclass(frozen=True)
class GradingContext:
    """One lab's kit, seed and secret, and where and how submissions to it are built and run."""

    kit: Kit
    seed: int
    machine: str
    processes: Processes
    lock: MachineLock
    folder: Path
    """Where submissions are built; the jail's accounts may traverse it."""
    verdict_only: bool = False
    """Stop when a submission's verdict is known and, if it is too slow, its counters are complete;
    its points are then not."""
    clock: bool = True
    """Without it nothing is timed: what is too slow only by the clock is accepted."""
    bound: bool = False
    """Count only what takes points for performance away: the rest counts as earned, and answers as
    right unless a counted call is wrong. The points are an upper bound."""
    gpu: bool = False
    """Whether CUDA labs are timed on this machine's GPU."""
    secret: str = ""
    """Of whoever grades: without it a seed and a text do not tell a submission's inputs. Empty for
    an author's own samples."""
    spare_cores: bool = False
    """Whether one submission may use several cores: its builds, and its parts where they are not
    timed, then run concurrently."""
    headers: PrecompiledHeaders | None = None
    """Those that many submissions include; None: each compiles its own."""
    on_phase: Callable[[str, str], None] = _untold
    """Told of a submission's digest and what is done with it, in words, whenever that changes."""

    def key_for(self, digest: str) -> str:
        """The key of one submission's inputs, so that a leaked input helps no other submission."""
        said = f"{self.seed} {digest}".encode()
        return hmac.new(self.secret.encode(), said, "sha256").hexdigest()[:32]

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
    clock: bool = True,
    bound: bool = False,
    gpu: bool = False,
    secret: str = "",
    say: Callable[[str], None] | None = None,
    on_phase: Callable[[str, str], None] | None = None,
    processes: Processes | None = None,
) -> Iterator[GradingContext]:
    """For `jobs` submissions at a time; calls `say` once if another grader keeps it waiting.

    `processes` may be shared, by those who stop several gradings at once.

    The work folder is deleted at the end, or by the next grader if this one is killed.
    """
    processes = processes or Processes()
    with work_folder() as folder:
        staged = stage(kit, folder)
        lock = MachineLock(processes, slots=jobs, say=say)
        spare = jobs < cores()
        machine = machine_class(gpu=gpu)
        yield GradingContext(
            staged,
            seed,
            machine,
            processes,
            lock,
            folder,
            verdict_only=verdict_only,
            clock=clock,
            bound=bound,
            gpu=gpu,
            secret=secret,
            spare_cores=spare,
            headers=PrecompiledHeaders(folder / "headers"),
            on_phase=on_phase or _untold,
        )
