"""What a submission could leave behind on the machine that graded it."""

import ctypes
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_FOLDERS = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path("/run"))  # noqa: S108
_CGROUPS = Path("/sys/fs/cgroup")
_JAIL_CGROUP = "grader-jail-"
_MARK = "attack_left"
"""In the name of every file that an attack makes."""
_PATIENCE_S = 10.0


def adopt_orphans() -> None:
    """Makes this process a subreaper: orphaned descendants become its children."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot adopt orphans")


@dataclass(frozen=True)
class Traces:
    """A snapshot of the machine."""

    processes: frozenset[str]
    cgroups: frozenset[str]
    mounts: frozenset[str]
    files: frozenset[str]


def look() -> Traces:
    """Everything on the machine that a submission could have made."""
    return Traces(
        frozenset(_descendants(os.getpid())),
        frozenset(_cgroups()),
        frozenset(Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()),
        frozenset(_files()),
    )


def left_behind(before: Traces, patience_s: float = _PATIENCE_S) -> list[str]:
    """What is there now and was not before; waits `patience_s` for it to disappear."""
    end = time.monotonic() + patience_s
    while (left := _added(before, look())) and time.monotonic() < end:
        time.sleep(0.2)
    return left


def _added(before: Traces, now: Traces) -> list[str]:
    return sorted(
        f"{kind}: {name}"
        for kind in ("processes", "cgroups", "mounts", "files")
        for name in getattr(now, kind) - getattr(before, kind)
    )


def _descendants(pid: int) -> Iterator[str]:
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(word) for word in task.read_text(encoding="utf-8").split()]
        except OSError:  # it ends just now
            continue
        for child in children:
            if not _is_dead(child):
                yield f"{child} {_command(child)}"
            yield from _descendants(child)


def _is_dead(pid: int) -> bool:
    """Whether it is gone or a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except (OSError, UnicodeDecodeError):
        return "?"


def _cgroups() -> Iterator[str]:
    """Cgroups of jails, except those whose owner is another, living grader."""
    ours = {int(line.split()[0]) for line in _descendants(os.getpid())}
    for folder, names, _ in os.walk(_CGROUPS):
        for name in names:
            if name.startswith(_JAIL_CGROUP):
                owner = int(name.split("-")[2])
                if owner in ours or _is_dead(owner):
                    yield f"{folder}/{name}"


def _files() -> Iterator[str]:
    """Without recursion, as os.walk is before Python 3.12: folders may be nested thousands deep."""
    left = [str(folder) for folder in _FOLDERS]
    while left:
        with suppress(OSError), os.scandir(left.pop()) as entries:  # it may vanish meanwhile
            for entry in entries:
                if _MARK in entry.name:
                    yield entry.path
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)


def digest(folder: Path) -> str:
    """SHA-256 of the paths and contents of all files in a folder."""
    total = sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        total.update(
            f"{path.relative_to(folder)} {sha256(path.read_bytes()).hexdigest()}\n".encode()
        )
    return total.hexdigest()
