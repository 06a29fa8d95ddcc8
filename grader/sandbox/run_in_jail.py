"""The jail program as a function: one command in a jail, its outcome as data."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from grader.model.errors import GraderError, JudgeError
from grader.sandbox.processes import Processes

MAX_RESULT_BYTES = 64 << 20
PROBE_S = 30
_MAX_FACTOR = 5
"""A command may take this multiple of its limit, run-queue wait included; a machine on which it
takes longer is too busy to judge it."""
_NEXT = "run ./setup, then build the kit again"


@dataclass(frozen=True)
class Bounds:
    """The resource limits of the command."""

    wall_s: float
    """Wall time minus run-queue wait."""
    memory_mb: int
    pids: int = 64
    file_mb: int = 256
    tmp_mb: int = 512
    stack_mb: int = 64
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
    unjailed: bool = False,
    compiles: bool = True,
    reserves: bool = False,
    ranks: bool = False,
    env: Mapping[str, str] = MappingProxyType({}),
) -> Outcome:
    """Runs argv with these folders mounted and /usr visible; JudgeError if the jail fails.

    Unless it `compiles` it sees of /usr the libraries alone, and may start no processes but the
    `ranks` of a message-passing program. `reserves`: far more memory than it uses.

    `unjailed`: nothing can be mounted, so the jail program replaces the places in argv by the
    folders' own paths; what is read back has the places again, as if they had been mounted.
    """
    command: list[str | Path] = [jail, "--result", result]
    command += ["--to-compile"] if compiles else []
    command += ["--huge-address-space"] if reserves else []
    command += ["--ranks"] if ranks else []
    command += [word for name, value in env.items() for word in ("--env", f"{name}={value}")]
    command += ["--allow-unjailed"] if unjailed else []
    for option, value in (
        ("--wall", bounds.wall_s),
        ("--cpu", 2 * bounds.wall_s),
        ("--memory-mb", bounds.memory_mb),
        ("--pids", bounds.pids),
        ("--file-mb", bounds.file_mb),
        ("--tmp-mb", bounds.tmp_mb),
        ("--stack-mb", bounds.stack_mb),
        ("--output-kb", bounds.output_kb),
    ):
        command += [option, f"{value:g}"]
    for source, target in read_only.items():
        command += ["--ro", source, target]
    for source, target in writable.items():
        command += ["--rw", source, target]
    # The jail's limit excludes run-queue wait, so the deadline bounds the total.
    deadline_s = _MAX_FACTOR * bounds.wall_s + 30
    finished = processes.run([*command, "--", *argv], deadline_s=deadline_s, yields=True)
    if finished.code != 0:
        raise JudgeError(f"the jail failed with code {finished.code}: {finished.stderr.strip()}")
    outcome = _read(result)
    if not unjailed:
        return outcome
    places = {os.fsencode(source): place.encode() for source, place in _mounts(read_only, writable)}
    for written in _preprocessed(argv, writable):
        _put_back(written, places)
    output = outcome.output.encode("utf-8", "surrogateescape")
    text = _with_places(output, places).decode("utf-8", "surrogateescape")
    return outcome.model_copy(update={"output": text})


def _mounts(*mounts: Mapping[Path, str]) -> list[tuple[Path, str]]:
    """Longest paths first, so that a folder does not hide one that lies in it."""
    found = [(path, place) for mount in mounts for path, place in mount.items()]
    return sorted(found, key=lambda entry: -len(os.fsencode(entry[0])))


def _preprocessed(argv: Sequence[str], writable: Mapping[Path, str]) -> list[Path]:
    """The text that a preprocessing step wrote, which names files."""
    if "-E" not in argv or "-o" not in argv:
        return []
    named = argv[argv.index("-o") + 1]
    return [
        source / named.removeprefix(f"{place}/")
        for source, place in writable.items()
        if named.startswith(f"{place}/")
    ]


def _put_back(written: Path, places: Mapping[bytes, bytes]) -> None:
    """Rewrites line markers and __FILE__; a link, which no compiler leaves, is not followed."""
    if not written.is_symlink() and written.is_file():
        written.write_bytes(_with_places(written.read_bytes(), places))


def _with_places(text: bytes, places: Mapping[bytes, bytes]) -> bytes:
    for source, place in places.items():
        text = text.replace(source, place)
    return text


def probe(jail: Path) -> list[str]:
    """Which protections this machine lacks; asked once, before grading.

    GraderError with the jail's message when it cannot work at all.
    """
    try:
        answer = Processes().run([jail, "--probe"], deadline_s=PROBE_S, is_timed=False)
    except (JudgeError, OSError) as error:
        raise GraderError(f"cannot ask {jail} what it protects: {error}", _NEXT) from error
    if answer.code < 0:
        problem = f"{jail} was killed by signal {-answer.code} when asked what it protects"
        raise GraderError(problem, "run the same command again")
    if answer.code != 0:
        problem, _, step = answer.stderr.strip().removeprefix("error: ").partition("\n  next: ")
        raise GraderError(problem or f"the jail ended with code {answer.code}", step or _NEXT)
    try:
        return [str(line) for line in json.loads(answer.stdout)["protections_lost"]]
    except (ValueError, KeyError, TypeError) as error:
        raise GraderError(f"{jail} does not say what it protects", _NEXT) from error


def _read(path: Path) -> Outcome:
    try:
        with path.open("rb") as stream:
            return Outcome.model_validate_json(stream.read(MAX_RESULT_BYTES))
    except (OSError, ValidationError) as error:
        raise JudgeError(f"the jail left no result: {str(error).splitlines()[0]}") from error
