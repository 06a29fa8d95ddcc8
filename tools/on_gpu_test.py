"""on_gpu.py on programs that stand in for tests and for compute-sanitizer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.on_gpu import TOOLS, main, programs_in, row, run_all

# Runs the program after its options; reports where the program's name holds the tool's, and with
# racecheck does not end where it holds "slow".
SANITIZER = """#!/bin/bash
for program; do :; done
case $program in *_$2*) echo "========= ERROR SUMMARY: 3 errors"; exit 99 ;; esac
case $program/$2 in *slow*/racecheck) sleep 60 ;; esac
case $2/$LAB_CHECKED in racecheck/256 | memcheck/16 | initcheck/16 | synccheck/16) "$program" ;;
*) exit 3 ;; esac
"""


ALL = ", ".join(TOOLS)


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
    found = run_all(programs_in(programs(tmp_path, {"accepted/one": text})), 1, 1, None)
    assert [outcome.tests for outcome in found] == [words]


def test_runs_what_passes_under_every_tool_and_says_what_they_find(tmp_path: Path) -> None:
    texts = {"accepted/right": "exit 0", "accepted/noisy_memcheck": "exit 0"}
    found = run_all(programs_in(programs(tmp_path, texts)), 2, 5, sanitizer(tmp_path))
    assert sorted(row(outcome) for outcome in found) == [
        "| `accepted/noisy_memcheck` | pass | 3 found | clean | clean | clean | **not clean** |",
        "| `accepted/right` | pass | clean | clean | clean | clean |  |",
    ]


@pytest.mark.parametrize(
    ("name", "text", "remark"),
    [
        ("wrong", "exit 1", "caught by the tests"),
        ("endless", "sleep 60", "caught by the tests"),
        ("without_a_gpu", "echo SKIPPED all 3 tests: no GPU; exit 1", "not tried"),
        ("seen_racecheck", "exit 0", "caught by racecheck"),
        ("seen_memcheck_synccheck", "exit 0", "caught by memcheck, synccheck"),
        ("seen_initcheck_slow", "exit 0", "caught by initcheck"),
        ("hidden", "exit 0", "not noticed"),
        ("slow", "exit 0", "not noticed; no end under racecheck"),
        ("fails_when_smaller", '[ -z "$LAB_CHECKED" ]', f"caught by the tests under {ALL}"),
    ],
)
def test_says_what_caught_a_wrong_sample(name: str, text: str, remark: str, tmp_path: Path) -> None:
    folder = programs(tmp_path, {f"data_race/{name}": text})
    (outcome,) = run_all(programs_in(folder), 1, 2, sanitizer(tmp_path))
    assert row(outcome).split(" | ")[-1] == f"{remark} |"


def test_runs_none_of_the_files_that_the_build_leaves_beside_a_program(tmp_path: Path) -> None:
    folder = programs(tmp_path, {"accepted/one": "exit 0", "accepted/one-2.params": "-lcuda"})
    assert [path.name for path in programs_in(folder)] == ["one"]


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
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"error: no programs in {tmp_path}\n  next: ")


def test_refuses_to_take_samples_for_clean_without_the_sanitizer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    folder = programs(tmp_path, {"accepted/one": "exit 0"})
    assert main([str(folder)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: compute-sanitizer not found\n  next: ")


def test_finds_the_sanitizer_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(Path(sanitizer(tmp_path)).parent), prepend=":")
    assert main([str(programs(tmp_path, {"accepted/noisy_memcheck": "exit 0"}))]) == 1
    assert "| pass | 3 found |" in capsys.readouterr().out
