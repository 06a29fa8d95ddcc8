"""The jail program as a function: one command in a jail, its outcome as data."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from grader.model.errors import JudgeError
from grader.run.processes import Processes

MAX_RESULT_BYTES = 64 << 20


@dataclass(frozen=True)
class Bounds:
    """What the command may use."""

    wall_s: float
    memory_mb: int
    pids: int = 64
    file_mb: int = 256
    tmp_mb: int = 512
    output_kb: int = 64


class Outcome(BaseModel):
    """How the command ended, as the jail says."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    outcome: Literal[
        "exited", "signaled", "time_limit", "memory_limit", "output_limit", "pids_limit"
    ]
    code: int = 0
    signal: int = 0
    wall_s: float = 0
    output: str = ""
    output_truncated: bool = False
    protections_lost: list[str] = []


def run_in_jail(
    processes: Processes,
    jail: Path,
    argv: Sequence[str],
    bounds: Bounds,
    *,
    result: Path,
    read_only: Mapping[Path, str],
    writable: Mapping[Path, str],
) -> Outcome:
    """Runs argv with these folders mounted and /usr visible; JudgeError if the jail fails."""
    command: list[str | Path] = [jail, "--all-of-usr", "--result", result]
    for option, value in (
        ("--wall", bounds.wall_s),
        ("--cpu", 2 * bounds.wall_s),
        ("--memory-mb", bounds.memory_mb),
        ("--pids", bounds.pids),
        ("--file-mb", bounds.file_mb),
        ("--tmp-mb", bounds.tmp_mb),
        ("--output-kb", bounds.output_kb),
    ):
        command += [option, f"{value:g}"]
    for source, target in read_only.items():
        command += ["--ro", source, target]
    for source, target in writable.items():
        command += ["--rw", source, target]
    finished = processes.run([*command, "--", *argv], deadline_s=bounds.wall_s + 30)
    if finished.code != 0:
        raise JudgeError(f"the jail failed with code {finished.code}: {finished.stderr.strip()}")
    return _read(result)


def probe(jail: Path) -> list[str]:
    """Which protections this machine lacks; asked once, before grading."""
    try:
        answer = subprocess.run([jail, "--probe"], capture_output=True, timeout=30, check=True)
        lost = json.loads(answer.stdout)["protections_lost"]
        return [str(line) for line in lost]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as error:
        raise JudgeError(f"cannot ask the jail what it protects: {error}") from error


def _read(path: Path) -> Outcome:
    try:
        with path.open("rb") as stream:
            return Outcome.model_validate_json(stream.read(MAX_RESULT_BYTES))
    except (OSError, ValidationError) as error:
        raise JudgeError(f"the jail left no result: {str(error).splitlines()[0]}") from error
