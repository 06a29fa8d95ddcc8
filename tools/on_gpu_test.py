"""on_gpu.py on programs that stand in for tests and for compute-sanitizer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.on_gpu import main, row, run_all

# Runs the program after its options; reports where the program's name holds the tool's.
SANITIZER = """#!/bin/bash
for program; do :; done
case $program in *_$2) echo "========= ERROR SUMMARY: 3 errors"; exit 99 ;; esac
[ -n "$LAB_CHECKED" ] && "$program"
"""


def programs(folder: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        path = folder / "programs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
    return folder / "programs"


def sanitizer(folder: Path) -> str:
    path = folder / "compute-sanitizer"
    path.write_text(SANITIZER, encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("exit 0", "pass"),
        ("echo 'FAIL SumTest.AddsNothing'; exit 1", "fails SumTest.AddsNothing"),
        ("kill -SEGV $$", "signal 11"),
        ("sleep 60", "no end in 1 s"),
        ("exit 7", "exit code 7"),
        ("echo 'SKIPPED all 3 tests: no GPU'; exit 1", "skipped: no GPU"),
    ],
)
def test_says_what_became_of_the_tests(text: str, words: str, tmp_path: Path) -> None:
    found = run_all(programs(tmp_path, {"accepted/one": text}), 1, 1, None)
    assert [outcome.tests for outcome in found] == [words]


def test_runs_what_passes_under_every_tool_and_says_what_they_find(tmp_path: Path) -> None:
    texts = {"accepted/right": "exit 0", "data_race/seen_racecheck": "exit 0"}
    texts |= {"data_race/hidden": "exit 0", "wrong_answer/wrong": "exit 1"}
    found = run_all(programs(tmp_path, texts), 2, 5, sanitizer(tmp_path))
    assert sorted(row(outcome) for outcome in found) == [
        "| `accepted/right` | pass | clean | clean | clean | clean |  |",
        "| `data_race/hidden` | pass | clean | clean | clean | clean | not noticed |",
        "| `data_race/seen_racecheck` | pass | clean | 3 found | clean | clean |  |",
        "| `wrong_answer/wrong` | exit code 1 |  |  |  |  |  |",
    ]


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("accepted/one", "exit 0", 0),
        ("too_slow/one", "exit 1", 1),
        ("wrong_answer/one", "exit 1", 0),
        ("wrong_answer/one", "exit 0", 0),
    ],
)
def test_fails_where_a_right_sample_does_not_pass(
    name: str, text: str, code: int, tmp_path: Path
) -> None:
    folder = programs(tmp_path, {name: text})
    assert main([str(folder), "--no-sanitizer", "--limit-s", "5"]) == code


def test_names_the_folder_that_holds_no_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path), "--no-sanitizer"]) == 2
    assert f"error: no programs in {tmp_path}" in capsys.readouterr().err
