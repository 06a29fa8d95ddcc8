"""`serve`: the kits of a course's labs, the grading process, and the service in front of it."""

import getpass
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from grader.cli import places
from grader.cli.grade import say_what_is_lost
from grader.cli.kits import find_kits
from grader.judging.executors import Executor
from grader.judging.executors.local import LocalExecutor
from grader.judging.executors.slurm import SlurmExecutor
from grader.model.errors import GraderError
from grader.model.kind import lab_of
from grader.model.manifest import Kit, load_kit
from grader.people.course.course import Course, load_course
from grader.sandbox.machine import cores
from grader.sandbox.processes import Processes
from grader.service.grading.kits import kits_in
from grader.service.grading.locks import only_grader_in
from grader.service.grading.loop import Loop
from grader.service.serve import Reached, Ready, Serving, serve
from grader.service.service import Service
from grader.service.unit import unit

NICENESS = 10
"""Of what no clock measures: pages take little time of the processors, but wait at each step."""
_SLURM_JOBS = 16
"""Jobs that the service has in a cluster's queue at a time."""


@dataclass(frozen=True)
class How:
    """How submissions are graded."""

    executor: str
    jobs: int | None
    slurm_options: tuple[str, ...]

    def options(self) -> list[str]:
        jobs = [f"--jobs={self.jobs}"] if self.jobs else []
        slurm = [f"--slurm-option={option}" for option in self.slurm_options]
        return [f"--executor={self.executor}", *jobs, *slurm]


@dataclass(frozen=True)
class Asked:
    """What the user asked of `serve`."""

    course: Path
    data: Path
    reached: Reached
    how: How
    kits: tuple[Path, ...] = ()
    clock_is_right: bool = False


def _say_ready(service: Service, addresses: Sequence[str]) -> None:
    for address in addresses[:2]:
        click.echo(f"serving {service.course.name} at {address}")


def serve_course(asked: Asked, ready: Ready = _say_ready) -> None:
    """Serves until it is ended."""
    course = load_course(asked.course)
    if asked.how.executor != "slurm" and asked.how.slurm_options:
        raise click.UsageError("--slurm-option needs --executor slurm")
    kits = [load_kit(path) for path in asked.kits] or _kits_of(course)
    if asked.how.executor == "local":
        _say_what_is_lost(kits)
    _say_if_readable(asked.reached)
    folders = ["--data", str(asked.data.resolve()), "--course", str(asked.course.resolve())]
    grader = [*_program(), "grading-process", *folders, *asked.how.options()]
    how = Serving(asked.course, asked.data, asked.reached, grader, asked.clock_is_right)
    serve(how, kits, ready)


def _program() -> list[str]:
    return [sys.executable, str(places.workspace() / "grader" / "main.py")]


def _kits_of(course: Course) -> list[Kit]:
    """Of the labs that this workspace has; the others are named."""
    known = places.lab_names()
    labs = [lab.name for lab in course.labs if lab_of(lab.name) in known]
    for lab in course.labs:
        if lab_of(lab.name) not in known:
            click.echo(f"note: no lab {lab.name} in this workspace: it cannot be handed in")
    if not labs:
        raise GraderError(
            f"course.toml names no lab of this workspace: {', '.join(known)}", "correct `labs`"
        )
    return find_kits(labs)


def _say_what_is_lost(kits: Sequence[Kit]) -> None:
    said: set[str] = set()
    for kit in kits[:1]:
        say_what_is_lost(kit, Console(), said)


def _say_if_readable(reached: Reached) -> None:
    is_here = reached.host in ("localhost", "::1") or reached.host.startswith("127.")
    if not (is_here or reached.certificate or reached.proxy_address):
        click.echo(
            "warning: everyone on the network can read tokens and files that are handed in\n"
            "  next: give --certificate and --key, or listen at 127.0.0.1 behind a proxy"
        )


def print_unit(asked: Asked) -> None:
    """Prints a systemd unit that serves as this command would."""
    reached = asked.reached
    host = f"[{reached.host}]" if ":" in reached.host else reached.host
    options = [
        *("--course", str(asked.course.resolve()), "--data", str(asked.data.resolve())),
        *("--address", f"{host}:{reached.port}", *asked.how.options()),
        *(f"--kit={path.resolve()}" for path in asked.kits),
    ]
    for name, value in {
        "--certificate": reached.certificate and reached.certificate.resolve(),
        "--key": reached.key and reached.key.resolve(),
        "--trust-header": reached.trust_header,
        "--proxy-address": reached.proxy_address,
    }.items():
        options += [name, str(value)] if value else []
    command = [*_program(), "serve", *options]
    course = load_course(asked.course)
    user, workspace = getpass.getuser(), places.workspace()
    click.echo(unit(course.name, user, workspace, command), nl=False)


def grade_for_service(course: Path, data: Path, how: How, parent: int) -> int:
    """What the service's child does; 0 when it was drained."""
    kits = kits_in(data)
    labs = {name: kit.lab for name, kit in kits.items()}
    service = Service(load_course(course), course, data, labs)
    processes = Processes(NICENESS)

    def executor_of(submission: str) -> Executor:
        if how.executor == "local":
            return LocalExecutor()
        # A folder for each: it has the results that a grader which was killed did not take.
        spool = data / "spool" / (submission or "none")
        workspace = places.workspace()
        return SlurmExecutor(spool, workspace, how.slurm_options, chunk=1, sleep=processes.pause)

    jobs = how.jobs or (cores() if how.executor == "local" else _SLURM_JOBS)
    with only_grader_in(data, processes.pause):
        loop = Loop(service, kits, executor_of, jobs, processes, parent=parent)
        return 0 if loop.run() == "drained" else 1
