"""The commands that expand, edit, pack and carry over sample submissions."""

import subprocess
from pathlib import Path

import pytest

from grader.cli import stored_samples as commands
from grader.cli.app import main
from grader.cli.options import BAD_INPUT, GRADED, UNSETTLED

_BODY = "".join(f"int f{i}() {{ return {i}; }}\n" for i in range(12))
_BASE = f"// The reference.\n\n{_BODY}"
_WRONG = f"// Wrong: f5 is off by one.\n\n{_BODY.replace('return 5', 'return 6')}"
_NAME = "fake_sum/wrong_answer/f5"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lab with a reference and a whole wrong sample, committed."""
    folder = tmp_path / "solutions" / "fake_sum"
    (folder / "wrong_answer").mkdir(parents=True)
    (folder / "sum.cc").write_text(_BASE)
    (folder / "wrong_answer" / "f5.cc").write_text(_WRONG)
    for command in ("init --quiet", "add --all", "commit --quiet --message=x"):
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *command.split()], cwd=tmp_path, check=True)
    monkeypatch.setattr(commands, "sample_root", lambda: folder.parent)
    monkeypatch.setattr(commands, "lab_names", lambda: ["fake_sum"])
    return folder


def _editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    path = tmp_path / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(path))
    monkeypatch.setenv("VISUAL", str(path))


def test_a_packed_sample_is_printed_as_the_whole_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["samples", "pack", _NAME]) == GRADED
    assert not (folder / "wrong_answer" / "f5.cc").exists()
    assert "f5.cc: 5 lines, a patch to sum.cc" in capsys.readouterr().out
    assert main(["samples", "expand", _NAME]) == GRADED
    assert capsys.readouterr().out == _WRONG


@pytest.mark.usefixtures("folder")
def test_all_samples_are_written_to_a_folder_by_lab_and_verdict(tmp_path: Path) -> None:
    main(["samples", "pack", _NAME])
    assert main(["samples", "expand", "--out", str(tmp_path / "out")]) == GRADED
    written = {p.relative_to(tmp_path / "out").as_posix() for p in tmp_path.glob("out/**/*.cc")}
    assert written == {"fake_sum/sum.cc", "fake_sum/wrong_answer/f5.cc"}
    assert (tmp_path / "out/fake_sum/wrong_answer/f5.cc").read_text() == _WRONG


def test_editing_changes_the_patch_through_the_whole_file(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["samples", "pack", _NAME])
    _editor(tmp_path, monkeypatch, 'sed -i "s/return 6; }$/return 7; }/" "$1"')
    assert main(["samples", "edit", _NAME]) == GRADED
    assert "+int f5() { return 7; }\n" in (folder / "wrong_answer" / "f5.diff").read_text()


def test_editing_opens_what_a_changed_base_and_the_patch_both_changed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["samples", "pack", _NAME])
    (folder / "sum.cc").write_text(_BASE.replace("return 5", "return 4 + 1"))
    _editor(tmp_path, monkeypatch, 'sed -i "/^|||||||/,/^>>>>>>>/d; /^<<<<<<</d" "$1"')
    assert main(["samples", "carry"]) == UNSETTLED
    assert main(["samples", "edit", _NAME]) == GRADED
    patch = (folder / "wrong_answer" / "f5.diff").read_text()
    assert "-int f5() { return 4 + 1; }\n+int f5() { return 6; }\n" in patch
    assert main(["samples", "carry"]) == GRADED


def test_an_editor_that_saves_nothing_changes_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["samples", "pack", _NAME])
    before = (folder / "wrong_answer" / "f5.diff").read_text()
    _editor(tmp_path, monkeypatch, "true")
    assert main(["samples", "edit", _NAME]) == GRADED
    assert (folder / "wrong_answer" / "f5.diff").read_text() == before


def test_a_conflict_that_is_not_settled_stays_as_a_whole_file(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["samples", "pack", _NAME])
    (folder / "sum.cc").write_text(_BASE.replace("return 5", "return 4 + 1"))
    _editor(tmp_path, monkeypatch, 'echo "int mine();" >> "$1"')
    assert main(["samples", "edit", _NAME]) == BAD_INPUT
    assert "samples pack fake_sum/wrong_answer/f5" in capsys.readouterr().err
    text = (folder / "wrong_answer" / "f5.cc").read_text()
    assert "<<<<<<< " in text
    assert text.endswith("int mine();\n")
    assert not (folder / "wrong_answer" / "f5.diff").exists()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["expand", "fake_sum"], "2 samples can only be written to a folder"),
        (["expand", "fake_sum/wrong_answer/f6"], "did you mean fake_sum/wrong_answer/f5?"),
        (["expand", "fake_scan"], "no lab named 'fake_scan'"),
        (["edit", "fake_sum"], "fake_sum names 2 samples"),
        (["pack", "fake_sum/wrong_answer/f5", "--base", "more.cc"], "more.cc is requested"),
        (["carry", "fake_scan"], "no lab named 'fake_scan'"),
    ],
)
def test_a_wrong_name_is_an_error_with_a_next_step(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["samples", *arguments]) == BAD_INPUT
    assert problem in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_a_patch_is_not_packed_again(capsys: pytest.CaptureFixture[str]) -> None:
    main(["samples", "pack", _NAME])
    assert main(["samples", "pack", _NAME]) == BAD_INPUT
    assert "f5.diff is a patch already" in capsys.readouterr().err
