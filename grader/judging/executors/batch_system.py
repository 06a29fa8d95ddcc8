"""Slurm's commands, as far as an array of jobs needs them."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import GraderError

TIMEOUT_S = 60
_FULL = ("QOSMaxSubmit", "AssocMaxSubmit", "job submit limit", "temporarily unable", "MaxJobCount")
"""What sbatch says when the queue is full for now."""


class QueueFullError(Exception):
    """The batch system takes no more jobs for now."""


class UnreachableError(Exception):
    """The batch system does not answer: its jobs may go on."""


@dataclass(frozen=True)
class Array:
    """An array of jobs, one for each index below `size`."""

    script: Path
    name: str
    size: int
    log: Path
    gpu: bool
    options: Sequence[str]
    """Further options of sbatch, such as --partition=NAME."""


def submit(array: Array) -> str:
    """Submits it and returns its number. QueueFullError; GraderError for what sbatch refuses.

    Jobs get whole nodes, as they measure time, and are queued again if their node fails.
    """
    command = [
        "sbatch",
        "--parsable",
        f"--array=0-{array.size - 1}",
        f"--job-name={array.name}",
        "--exclusive",
        "--requeue",
        "--open-mode=append",
        f"--output={array.log}",
        *(["--gres=gpu:1"] if array.gpu else []),
        *array.options,
        str(array.script),
    ]
    ended = _run(command)
    if ended.returncode == 0:
        return ended.stdout.strip().partition(";")[0]
    said = " ".join(ended.stderr.split())
    if any(words.lower() in said.lower() for words in _FULL):
        raise QueueFullError(said)
    if _is_unreachable(said):
        raise UnreachableError(said)
    raise GraderError(f"sbatch refused the jobs: {said}", "correct --slurm-option")


def is_queued(job: str) -> bool:
    """Whether any job of the array waits or runs. UnreachableError if nobody answers."""
    ended = _run(["squeue", "--noheader", f"--jobs={job}", "--format=%T"])
    if ended.returncode == 0:
        return bool(ended.stdout.strip())
    said = " ".join(ended.stderr.split())
    if "Invalid job id" in said:  # it ended some minutes ago
        return False
    raise UnreachableError(said)


def cancel(job: str) -> None:
    """Ends an array's jobs; nothing if they have ended."""
    _run(["scancel", "--quiet", job])


def _is_unreachable(said: str) -> bool:
    return "Unable to contact" in said or "Connection refused" in said or "timed out" in said


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    except FileNotFoundError as error:
        raise GraderError(
            f"--executor slurm: there is no {command[0]} on this machine",
            "grade on a login node of the cluster, or leave --executor out",
        ) from error
    except subprocess.TimeoutExpired as error:
        said = " ".join((error.stderr or b"").decode("utf-8", "replace").split()[-16:])
        raise UnreachableError(
            f"{command[0]} did not answer within {TIMEOUT_S} s" + (f": {said}" if said else "")
        ) from error
