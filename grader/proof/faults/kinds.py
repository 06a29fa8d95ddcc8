"""The kinds of faults. Each injects one while a class is graded, and undoes it."""

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from grader.cli.options import BAD_INPUT, GRADED, INTERRUPTED, UNSETTLED
from grader.proof.faults.damage import (
    deleted_results,
    expect,
    fill_results_disk,
    fill_work_disk,
    foreign_database,
    kill_grader,
    killed_migration,
    locked_database,
    older_schema,
    read_only_database,
    truncated_database,
)
from grader.proof.faults.disks import why_no_disk
from grader.proof.faults.handed_in import HandedIn
from grader.proof.faults.scene import InvariantError, Run, Scene
from grader.proof.faults.tree import catches, descendants

_INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_WITH_CHILDREN = 0.5
"""Fraction of the time a class takes; later the grader writes the page."""
_LOOK_S = 5.0
_CLOCK = Path(__file__).parent / "clock_set_back.py"


def interrupt_grader(scene: Scene) -> None:
    """SIGINT, SIGTERM or SIGHUP, once or several times."""
    run = scene.start()
    scene.wait_for_a_moment(run)
    while run.is_alive and not catches(run.process.pid, signal.SIGHUP):
        time.sleep(0.01)  # before that, Python itself ends without the grader's exit code
    scene.struck = run.is_alive
    for _ in range(scene.random.randint(1, 3)):
        _signal(run.process.pid, scene.random.choice(_INTERRUPTS))
    scene.finish(run, INTERRUPTED, GRADED)


def _kill_one(scene: Scene, role: str) -> None:
    run = scene.start()
    scene.wait_for_a_moment(run, _WITH_CHILDREN)
    end = time.monotonic() + _LOOK_S
    while run.is_alive and not scene.struck and time.monotonic() < end:
        if found := scene.processes(run, role):
            time.sleep(scene.random.uniform(0, 0.05))
            scene.struck = _kill(scene.random.choice(found))
    # Exit code 2: the jail was killed while the grader checked its protections.
    scene.finish(run)


def _kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def kill_checker(scene: Scene) -> None:
    """SIGKILL, as the kernel does when memory is short."""
    _kill_one(scene, "checker")


def kill_worker(scene: Scene) -> None:
    """SIGKILL of the process that runs a student's code, or of one that starts it."""
    _kill_one(scene, "worker")


def kill_jail(scene: Scene) -> None:
    """SIGKILL of the program that supervises a compiler."""
    _kill_one(scene, "jail")


def kill_compiler(scene: Scene) -> None:
    """SIGKILL of a compiler, an assembler or a linker."""
    _kill_one(scene, "compiler")


def second_grader(scene: Scene) -> None:
    """Another grader is started for the same --out."""
    first = scene.start()
    scene.wait_for_a_moment(first)
    scene.struck = first.is_alive
    second = scene.start()
    said = scene.finish(second, GRADED, BAD_INPUT)
    first_said = scene.finish(first, GRADED, BAD_INPUT)
    refused = [
        text for text, code in ((said, scene.codes[0]), (first_said, scene.codes[1])) if code
    ]
    for text in refused:
        expect(text, "another grader is at work", str(scene.out))
    if len(refused) > 1:
        raise InvariantError("two graders refused each other")


def clock_set_back(scene: Scene) -> None:
    """The grader's wall clock goes back by a day at a random moment."""
    moment = scene.random.uniform(0, scene.seconds)
    run = scene.start(program=(_CLOCK, str(moment)))
    scene.struck = True
    scene.finish(run, GRADED)


def suspend_all(scene: Scene) -> None:
    """The grader and all its descendants are stopped for longer than a call may take."""
    _suspend(scene, with_grader=True)


def suspend_children(scene: Scene) -> None:
    """All descendants of the grader are stopped for longer than a call may take."""
    _suspend(scene, with_grader=False)


def _suspend(scene: Scene, *, with_grader: bool) -> None:
    run = scene.start()
    scene.wait_for_a_moment(run, _WITH_CHILDREN)
    end = time.monotonic() + _LOOK_S
    while run.is_alive and time.monotonic() < end and not any(descendants(run.process.pid)):
        time.sleep(0.005)
    stopped = _stop(run, with_grader=with_grader)
    scene.struck = len(stopped) > with_grader
    time.sleep(scene.handed_in.patience_s)
    for pid in reversed(stopped):
        _signal(pid, signal.SIGCONT)
    scene.finish(run, GRADED, UNSETTLED)


def _stop(run: Run, *, with_grader: bool) -> list[int]:
    """Stops processes, parents first, until all are stopped; returns their pids."""
    stopped = [run.process.pid] if with_grader else []
    for pid in stopped:
        _signal(pid, signal.SIGSTOP)
    while new := [pid for pid in descendants(run.process.pid) if pid not in stopped]:
        for pid in new:
            _signal(pid, signal.SIGSTOP)
        stopped += new
        if not with_grader:
            break  # the running grader would start new ones for ever
    return stopped


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def full_terminal(scene: Scene) -> None:
    """The grader's standard output is a full disk."""
    scene.struck = True
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        scene.finish(scene.start(stdout=full))


KINDS: dict[str, Callable[[Scene], None]] = {
    kind.__name__: kind
    for kind in (
        kill_grader,
        interrupt_grader,
        kill_checker,
        kill_worker,
        kill_jail,
        kill_compiler,
        fill_results_disk,
        fill_work_disk,
        read_only_database,
        truncated_database,
        foreign_database,
        older_schema,
        killed_migration,
        second_grader,
        locked_database,
        deleted_results,
        clock_set_back,
        suspend_all,
        suspend_children,
        full_terminal,
    )
}
NEEDS_A_DISK = (fill_results_disk, fill_work_disk, read_only_database)


def possible_kinds() -> tuple[list[str], dict[str, str]]:
    """Kinds that can be injected here, and why others cannot."""
    reason = why_no_disk()
    skipped = {kind.__name__: reason for kind in NEEDS_A_DISK if reason}
    return [name for name in KINDS if name not in skipped], skipped


def strike(kind: str, handed_in: HandedIn, folder: Path, seed: str, seconds: float) -> Scene:
    """Injects one fault; InvariantError says what does not hold after it."""
    scene = Scene(handed_in, folder, seed, seconds)
    KINDS[kind](scene)
    scene.settle()
    return scene
