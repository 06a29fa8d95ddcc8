"""cudasim-cc from a copy of its folder outside Bazel."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

FOLDER = Path("common/cudasim/driver/cudasim")
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("elsewhere") / "my simulator"
    shutil.copytree(FOLDER, copy, symlinks=False)
    return copy / "bin" / "cudasim-cc"


@pytest.fixture
def cc(driver: Path, tmp_path: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [driver, *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run
