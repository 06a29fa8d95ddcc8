"""Tests that handouts state the thresholds of lab.toml, in a small lab and in this workspace."""

from pathlib import Path

import pytest

from grader.people.handouts.stated import unstated

LAB = """
title = "Scan"
file = "scan.cu"
model = "cuda"

[[parts]]
function = "Scan"
title = "Scan"
points = 80
parallelism = { suite = "ScanCounted", full = 4000, zero = 300, points = 5 }
timing = { points = 5, full = 2.5, zero = 6.0 }
counters = [
  { counter = "global_load_sectors", at_most = 14000, zero = 30000, points = 10, why = "Be tidy" },
]
"""
HANDOUT = """# Scan

| Counter | All | None | Points |
| --- | ---: | ---: | ---: |
| `global_load_sectors` | 14,000 | 30,000 | 10 |

Parallelism: all 5 points from 4,000, none up to 300. Speed: up to 2.5 gives all 5, 6 and more none.
"""


def lab(folder: Path, handout: str, points: str = "") -> Path:
    (folder / "lab.toml").write_text(LAB)
    (folder / "README.md").write_text(handout)
    if points:
        (folder / "POINTS.md").write_text(points)
    return folder


def test_finds_nothing_in_a_handout_that_states_every_threshold(tmp_path: Path) -> None:
    assert unstated(lab(tmp_path, HANDOUT)) == []


def test_reads_the_page_of_the_points_too(tmp_path: Path) -> None:
    assert unstated(lab(tmp_path, "# Scan\n", HANDOUT)) == []


@pytest.mark.parametrize(
    ("stated", "instead", "problem"),
    [
        ("14,000", "15,000", "no row of a table has `global_load_sectors` | 14,000 | 30,000 | 10"),
        ("4,000,", "4,500,", "parallelism.full = 4,000 is nowhere stated"),
        ("2.5", "2.25", "timing.full = 2.5 is nowhere stated"),
    ],
)
def test_names_a_threshold_that_the_handout_does_not_state(
    tmp_path: Path, stated: str, instead: str, problem: str
) -> None:
    folder = lab(tmp_path, HANDOUT.replace(stated, instead))
    assert unstated(folder) == [f"{folder / 'README.md'}: Scan: {problem}"]


def test_the_handouts_of_this_workspace_state_every_threshold() -> None:
    # Bazel links this file from the source tree.
    root = Path("pyproject.toml").resolve().parent
    folders = [path.parent for path in root.glob("labs/*/lab.toml")]
    assert folders
    assert [line for folder in folders for line in unstated(folder)] == []
