"""Work folders: jailed accounts may enter them, and a dead grader's are deleted."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.model.manifest import load_kit
from grader.proof.fakes.fake_kit import make_kit
from grader.sandbox.folders import stage, work_folder

_HOLDER = """
import sys, time
from pathlib import Path
from grader.sandbox.folders import work_folder
with work_folder(Path(sys.argv[1])) as folder:
    (folder / "file").touch()
    print(folder, flush=True)
    time.sleep(60)
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def held_elsewhere(parent: Path) -> tuple[subprocess.Popen[str], Path]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, parent], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    return holder, Path(holder.stdout.readline().strip())


def test_a_work_folder_can_be_entered_but_not_listed_by_others_and_goes_at_the_end(
    tmp_path: Path,
) -> None:
    with work_folder(tmp_path) as folder:
        (folder / "inside").mkdir()
        assert mode(folder) == 0o711
    assert not folder.exists()


def test_a_work_folder_goes_also_when_grading_is_interrupted(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), work_folder(tmp_path) as folder:
        raise KeyboardInterrupt
    assert not folder.exists()


def test_a_dead_graders_folder_is_swept_and_a_living_ones_is_not(tmp_path: Path) -> None:
    holder, folder = held_elsewhere(tmp_path)
    with work_folder(tmp_path):
        assert (folder / "file").exists()
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert (folder / "file").exists()
    with work_folder(tmp_path):
        assert not folder.exists()


def test_a_link_that_looks_like_a_work_folder_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    (target / "precious").touch()
    (tmp_path / f"grader-work-{os.getuid()}-link").symlink_to(target)
    with work_folder(tmp_path):
        pass
    assert (target / "precious").exists()


def test_a_folder_that_cannot_be_made_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="nowhere"), work_folder(tmp_path / "nowhere"):
        pass


def test_a_staged_kit_shows_jails_its_public_part_and_never_the_checker(tmp_path: Path) -> None:
    original = load_kit(make_kit(tmp_path))
    (original.root / "reference.so").write_bytes(b"reference")
    (original.public / "include").chmod(0o700)
    with work_folder(tmp_path) as folder:
        kit = stage(original, folder)
        assert folder in kit.public.parents
        assert kit.reference().read_bytes() == b"reference"
        assert kit.worker("tests") == kit.public / "worker"
        names = {path.name for path in folder.rglob("*")}
        assert "not_written.h" in names
        assert names.isdisjoint({"checker", "jail", "lab.toml", "manifest.json"})
        assert {mode(path) for path in kit.public.rglob("*")} == {0o755}
        assert (kit.checker, kit.jail) == (original.checker, original.jail)
