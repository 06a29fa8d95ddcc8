"""Starts the simulated programs of these tests, and reads what they count."""

from __future__ import annotations

import json
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path("common/cudasim/tests")
PROFILED = "programs_profile"
"""Holds the programs of profile/*.cu."""


def start(program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of FOLDER to its end, with these variables beside the test's own."""
    return subprocess.run(
        [FOLDER / program, *arguments],
        capture_output=True,
        env=os.environ | environment,
        text=True,
        timeout=120,
    )


@cache
def profile_of(program: str) -> dict[str, Any]:
    """What profile/PROGRAM.cu writes in profile mode; it runs once."""
    path = Path(os.environ["TEST_TMPDIR"]) / f"{program}.json"
    start(PROFILED, program, CUDASIM_PROFILE=str(path)).check_returncode()
    return dict(json.loads(path.read_text(encoding="utf-8")))


def counters_of(program: str) -> dict[str, dict[str, float]]:
    """The counters of each kernel of a program in profile mode."""
    return {kernel["kernel"]: kernel["counters"] for kernel in profile_of(program)["kernels"]}
