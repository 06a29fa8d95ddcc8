"""Starts the simulated programs of these tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

FOLDER = Path("common/cudasim/tests")


def start(program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of FOLDER to its end, with these variables beside the test's own."""
    return subprocess.run(
        [FOLDER / program, *arguments],
        capture_output=True,
        env=os.environ | environment,
        text=True,
        timeout=120,
    )
