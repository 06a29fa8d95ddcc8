"""Runs an autograder's zip file in a container like Gradescope's: by hand, as root.

python3 -m grader.people.autograder.container ROOT ZIP [FILE...]

ROOT is a Debian or Ubuntu root file system, which `mmdebstrap --variant=apt bookworm ROOT` makes,
and which is changed. The set-up has a network, gradings have none. As in Docker by default, root
has 14 capabilities, and a system call filter forbids namespaces and mounts.
"""

import errno
import os
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

_CAPABILITIES = (
    *("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP"),
    *("NET_BIND_SERVICE", "NET_RAW", "SYS_CHROOT", "MKNOD", "AUDIT_WRITE", "SETFCAP"),
)
_OF_THIS_MACHINE = ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt")
# Of x86-64: mount, umount2, pivot_root, unshare, setns, open_tree, move_mount, fsopen.
_FORBIDDEN = (165, 166, 155, 272, 308, 428, 429, 430)
_CLONE, _CLONE3, _NEW_NAMESPACES = 56, 435, 0x7E020000
# Instructions of classic BPF.
_LOAD, _IF_EQUAL, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_NUMBER_AT, _FIRST_ARGUMENT_AT = 0, 16


def namespace_filter() -> bytes:
    """A seccomp program that lets nobody make or change namespaces."""

    def refuse(number: int, error: int) -> list[tuple[int, int, int, int]]:
        return [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _FAIL | error)]

    steps = [(_LOAD, 0, 0, _NUMBER_AT)]
    for number in _FORBIDDEN:
        steps += refuse(number, errno.EPERM)
    steps += refuse(_CLONE3, errno.ENOSYS)  # its flags are in memory: C libraries then use clone
    steps += [(_IF_EQUAL, 0, 3, _CLONE), (_LOAD, 0, 0, _FIRST_ARGUMENT_AT)]
    steps += [(_IF_ANY_BIT, 0, 1, _NEW_NAMESPACES), (_RETURN, 0, 0, _FAIL | errno.EPERM)]
    steps += [(_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def run_inside(root: Path, command: list[str], *, network: bool) -> int:
    """Runs a command in the container; returns its exit code."""
    reader, writer = os.pipe()
    os.write(writer, namespace_filter())
    os.close(writer)
    options = ["--bind", str(root), "/", "--proc", "/proc", "--dev", "/dev", "--unshare-pid"]
    for folder in ("/tmp", "/dev/shm"):  # noqa: S108 (the container's own)
        options += ["--tmpfs", folder, "--chmod", "1777", folder]
    options += ["--cap-drop", "ALL"]
    for capability in _CAPABILITIES:
        options += ["--cap-add", f"CAP_{capability}"]
    if network:
        options += [word for path in _OF_THIS_MACHINE for word in ("--ro-bind", path, path)]
    else:
        options += ["--unshare-net"]
    options += ["--clearenv", "--setenv", "PATH", "/usr/sbin:/usr/bin:/sbin:/bin"]
    options += ["--setenv", "PIP_CERT", _OF_THIS_MACHINE[1], "--seccomp", str(reader)]
    try:
        ended = subprocess.run(
            ["bwrap", "--die-with-parent", *options, *command], pass_fds=[reader], check=False
        )
    finally:
        os.close(reader)
    return ended.returncode


def unpack(archive: Path, layout: Path) -> None:
    """Gradescope's layout; permissions in the zip file are lost."""
    shutil.rmtree(layout / "source", ignore_errors=True)
    (layout / "source").mkdir(parents=True)
    with zipfile.ZipFile(archive) as files:
        files.extractall(layout / "source")
    shutil.copyfile(layout / "source" / "run_autograder", layout / "run_autograder")
    (layout / "run_autograder").chmod(0o755)


def grade(root: Path, file: Path) -> None:
    """Hands one file in and prints the results."""
    layout = root / "autograder"
    for name in ("submission", "results"):
        shutil.rmtree(layout / name, ignore_errors=True)
        (layout / name).mkdir()
    shutil.copy(file, layout / "submission")
    print(f"== {file}", flush=True)
    code = run_inside(root, ["/autograder/run_autograder"], network=False)
    results = layout / "results" / "results.json"
    print(f"exit code {code}", results.read_text() if results.exists() else "no results.json")


def main(arguments: list[str]) -> int:
    """container ROOT ZIP [FILE...]"""
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    root, archive, *files = map(Path, arguments)
    unpack(archive, root / "autograder")
    code = run_inside(root, ["bash", "/autograder/source/setup.sh"], network=True)
    if code == 0:
        for file in files:
            grade(root, file)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
