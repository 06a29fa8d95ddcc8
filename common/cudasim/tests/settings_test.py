"""Environment variables: each with its limits, and the error for an invalid value."""

import subprocess
from pathlib import Path

import pytest

from common.cudasim.tests.simulated import start


def run(mode: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return start(f"bugs_{mode}", "MissingBarrier", **environment)


SETTINGS = {
    "CUDASIM_CONTINUE": "0 or 1",
    "CUDASIM_COOPERATIVE_THREADS": "1024 to 270336",
    "CUDASIM_LOG": "1 character or more",
    "CUDASIM_MEMORY_MB": "1 to 65536",
    "CUDASIM_PROFILE": "1 character or more",
    "CUDASIM_PROFILE_SAMPLES": "0, 1 or worst",
    "CUDASIM_PROFILE_TABLE": "0 or 1",
    "CUDASIM_REPORT": "1 character or more",
    "CUDASIM_SCHEDULE": "0 to 4294967296",
    "CUDASIM_SHADOW_MB": "1 to 524288",
    "CUDASIM_STREAMS": "eager or lazy",
    "CUDASIM_THREADS": "1 to 32",
    "CUDASIM_TIMEOUT_S": "0 to 1000000",
}
BAD_VALUES = ["", "abc", "-1", "1e99", "1.5", " 1", "1 ", "99999999999999999999"]
FILES = ("CUDASIM_LOG", "CUDASIM_PROFILE", "CUDASIM_REPORT")


@pytest.mark.parametrize("mode", ["check", "plain"])
@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name in SETTINGS for value in BAD_VALUES if name not in FILES or not value]
    + [(name, "0") for name in ("CUDASIM_MEMORY_MB", "CUDASIM_SHADOW_MB", "CUDASIM_THREADS")]
    + [("CUDASIM_THREADS", "33")],
)
def test_refuses_an_invalid_setting(name: str, value: str, mode: str) -> None:
    done = run(mode, **{name: value})
    expected = f'error: {name}: "{value}", limit {SETTINGS[name]}\n  next: '
    assert done.stderr.startswith(expected)
    assert done.stderr.count("\n") == 2
    assert done.returncode == 1


def test_takes_settings_at_their_limits() -> None:
    values = {
        "CUDASIM_CONTINUE": "0",
        "CUDASIM_COOPERATIVE_THREADS": "270336",
        "CUDASIM_MEMORY_MB": "65536",
        "CUDASIM_SHADOW_MB": "524288",
        "CUDASIM_STREAMS": "lazy",
        "CUDASIM_THREADS": "32",
        "CUDASIM_TIMEOUT_S": "0",
    }
    assert run("plain", **values).returncode == 0
    assert run("check", **values).returncode == 67


def test_the_readme_lists_every_setting() -> None:
    readme = Path("common/cudasim/README.md").read_text()
    for name in SETTINGS:
        assert f"\n| `{name}` | " in readme
