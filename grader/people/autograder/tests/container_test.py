"""The container for trying a zip file forbids what Docker forbids, and nothing else."""

import errno
import struct
import zipfile
from pathlib import Path

import pytest

from grader.people.autograder.container import main, namespace_filter, unpack

_ALLOWED, _EPERM, _ENOSYS = 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
_NEW_USER = 0x10000000
_THREAD = 0x3D0F00


def _answer(number: int, argument: int = 0) -> int:
    """What the filter returns for a system call, by the rules of classic BPF."""
    steps = list(struct.iter_unpack("<HBBI", namespace_filter()))
    loaded, place = 0, 0
    while True:
        code, if_true, if_false, value = steps[place]
        place += 1
        if code == 0x20:
            loaded = {0: number, 16: argument}[value]
        elif code == 0x15:
            place += if_true if loaded == value else if_false
        elif code == 0x45:
            place += if_true if loaded & value else if_false
        else:
            assert code == 0x06
            return int(value)


@pytest.mark.parametrize(
    ("call", "number", "argument", "answer"),
    [
        ("unshare", 272, 0, _EPERM),
        ("mount", 165, 0, _EPERM),
        ("clone with a new user namespace", 56, _NEW_USER | 17, _EPERM),
        ("clone of a thread", 56, _THREAD, _ALLOWED),
        ("clone3", 435, 0, _ENOSYS),
        ("mmap", 9, _NEW_USER, _ALLOWED),
        ("execve", 59, 0, _ALLOWED),
    ],
)
def test_forbids_namespaces_alone(call: str, number: int, argument: int, answer: int) -> None:
    assert _answer(number, argument) == answer, call


def test_unpacks_into_gradescopes_layout_without_permissions(tmp_path: Path) -> None:
    archive, layout = tmp_path / "a.zip", tmp_path / "autograder"
    (layout / "source").mkdir(parents=True)
    (layout / "source" / "old").touch()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("run_autograder", "#!/bin/sh\n")
        file.writestr("setup.sh", "#!/bin/sh\n")
    unpack(archive, layout)
    assert {path.name for path in (layout / "source").iterdir()} == {"run_autograder", "setup.sh"}
    assert (layout / "run_autograder").stat().st_mode & 0o777 == 0o755
    assert (layout / "source" / "setup.sh").stat().st_mode & 0o111 == 0


def test_prints_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "ROOT ZIP" in capsys.readouterr().err
