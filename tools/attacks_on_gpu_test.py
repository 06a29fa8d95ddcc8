"""attacks_on_gpu.py with a program that stands in for the checker."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.attacks_on_gpu import main

# Arguments: library, output. The result lies beside the library; an attack may have a file NEXT,
# which becomes the honest submission's result once it has run.
CHECKER = """#!/bin/bash
cp "$1.json" "$2" || exit 3
next="$1.next"
[ -e "$next" ] && mv "$next" "${1%/*}/honest.so.json"
exit 0
"""


def result(decision: str, low: float, high: float, verdict: str = "") -> str:
    timed = {"decision": decision, "ratio": low, "low": low, "high": high, "reference_ms": 1.0}
    test = {"verdict": verdict or "accepted", "message": "", "timed": timed}
    return json.dumps({"schema": 1, "cases": [test]})


HONEST = result("full", 0.9, 1.1)


def attacked(folder: Path, attack: str, honest_next: str = "", allowed: str = "accepted") -> int:
    checker = folder / "checker"
    checker.write_text(CHECKER, encoding="utf-8")
    checker.chmod(0o755)
    (folder / "honest.so.json").write_text(HONEST, encoding="utf-8")
    if attack:
        (folder / "hog.so.json").write_text(attack, encoding="utf-8")
    if honest_next:
        (folder / "hog.so.next").write_text(honest_next, encoding="utf-8")
    plan = {
        "command": ["{folder}/checker", "{library}", "{output}"],
        "attacks": [{"name": "hog", "allowed": [allowed]}],
    }
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    return main([str(folder)])


def test_an_attack_with_its_verdict_and_no_gain_is_contained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert attacked(tmp_path, result("full", 1.0, 1.4)) == 0
    assert "1 of 1 attacks contained" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("attack", "honest_next", "said"),
    [
        (result("full", 0.5, 0.6), "", "ratio at most 0.60"),
        (result("zero", 9.0, 9.9), "", "too_slow"),
        (result("full", 1.0, 1.2, "judge_error"), "", "judge_error"),
        (result("full", 1.0, 1.2), result("between", 2.5, 3.0), "the honest one afterwards"),
        ("", "", "judge_error"),
    ],
)
def test_says_what_an_attack_gained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], attack: str, honest_next: str, said: str
) -> None:
    assert attacked(tmp_path, attack, honest_next) == 1
    row = next(line for line in capsys.readouterr().out.splitlines() if "`hog`" in line)
    assert f"**{said}" in row


def test_says_how_to_make_a_folder_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "none")]) == 2
    assert "next: bazel run --config=gpu" in capsys.readouterr().err


def test_reads_a_refusal_without_figures(tmp_path: Path) -> None:
    refused = {"verdict": "time_limit", "message": "", "timed": None}
    text = json.dumps({"schema": 1, "cases": [refused]})
    assert attacked(tmp_path, text, allowed="time_limit") == 0
