"""Starts the simulated programs of these tests, and reads what they count."""

import json
import os
import re
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


def expected_reports(folder: str) -> dict[str, list[str]]:
    """What the programs of FOLDER/*.cu report, from FOLDER/*.txt.

    `PROGRAM: TEXT` is the first line of a report without "cudasim: "; `PROGRAM: -` stands for none.
    The indented lines below it are some of those that follow.
    """
    reports: dict[str, list[str]] = {}
    for path in sorted((FOLDER / folder).glob("*.txt")):
        program = ""
        for line in path.read_text().splitlines():
            if line.startswith("  "):
                reports[program].append(line)
                continue
            program, text = line.split(": ", 1)
            reports.setdefault(program, []).extend([] if text == "-" else [text])
    return reports


def reported(done: subprocess.CompletedProcess[str], folder: str) -> list[str]:
    """The lines of standard error, as expected_reports() has them."""
    text = done.stderr.replace("./common/", "common/").replace(f"{FOLDER / folder}/", "")
    return re.sub("^cudasim: ", "", text, flags=re.M).splitlines()


def assert_reported(
    done: subprocess.CompletedProcess[str], folder: str, expected: list[str]
) -> None:
    """Asserts that these are all first lines of reports, and some of the others, in this order."""
    lines = reported(done, folder)
    assert [line for line in lines if line in expected or not line.startswith("  ")] == expected
