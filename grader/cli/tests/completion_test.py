"""Completion by Tab: what is offered, and the scripts that shells evaluate."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from grader.cli import app, completion
from grader.cli.completion_commands import VARIABLE
from grader.cli.options import BAD_INPUT, GRADED
from grader.proof.fakes.fake_kit import GOOD, make_kit

LABS = ["first_lab", "first_other", "second_lab"]
LAUNCHER = Path(__file__).parent.parent.parent / "bin" / "grader"


class Tab:
    """Presses Tab after some words, as bash does."""

    def __init__(self, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch = patch
        self._capsys = capsys

    def after(self, line: str) -> list[str]:
        with self._patch.context() as patch:
            patch.setenv(VARIABLE, "bash_complete")
            patch.setenv("COMP_WORDS", f"grader {line}")
            patch.setenv("COMP_CWORD", str(len(f"{line}|".split())))
            assert app.main([]) == GRADED
        said = self._capsys.readouterr()
        assert said.err == ""
        return [line.removeprefix("plain,") for line in said.out.split("\n") if line]


@pytest.fixture
def tab(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Tab:
    monkeypatch.setattr(completion, "lab_names", lambda: LABS)
    return Tab(monkeypatch, capsys)


@pytest.fixture
def out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Results of a class with a hostile name."""
    for student in ("ann", "anton", "bob", "$(touch x)", "a b", "-rf", "*"):
        path = tmp_path / "class" / student / "sum.cc"
        path.parent.mkdir(parents=True)
        path.write_text(GOOD, encoding="utf-8")
    kit = str(make_kit(tmp_path))
    places = ["--submissions", str(tmp_path / "class"), "--out", str(tmp_path / "out")]
    assert app.main(["grade", "--lab", "fake_sum", "--kit", kit, *places]) == GRADED
    capsys.readouterr()
    return tmp_path / "out"


def test_offers_commands_options_and_formats(tab: Tab) -> None:
    assert tab.after("rep") == ["report", "replay"] or tab.after("rep") == ["replay", "report"]
    assert tab.after("samples c") == ["carry"]
    assert "--student" in tab.after("report --")
    assert tab.after("export --format c") == ["canvas", "classroom50", "csv"]
    assert tab.after("completion ") == ["bash", "zsh", "fish"]
    assert tab.after("export --out ") == ["file,"]


def test_offers_labs_wherever_a_lab_is_wanted(tab: Tab) -> None:
    assert tab.after("grade --lab first") == ["first_lab", "first_other"]
    assert tab.after("samples carry sec") == ["second_lab"]
    assert tab.after("release --lab ") == LABS


def test_offers_the_students_of_a_folder_but_no_name_that_a_shell_would_run(
    tab: Tab, out: Path
) -> None:
    assert tab.after(f"report --out {out} --student a") == ["ann", "anton"]
    assert tab.after(f"explain --out {out} --student ") == ["ann", "anton", "bob"]
    unstored = f"grade --submissions {out.parent / 'class'} --out /nowhere --student "
    assert tab.after(unstored) == ["ann", "anton", "bob"]


@pytest.mark.parametrize("place", ["", "--out /nowhere ", "--out /dev/null "])
def test_offers_no_student_and_no_error_where_there_are_no_results(tab: Tab, place: str) -> None:
    assert tab.after(f"report {place}--student ") == []


def _is_valid(shell: str, text: str) -> bool:
    done = subprocess.run([shell, "-n"], input=text, text=True, capture_output=True, check=False)
    return done.returncode == 0 and not done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_prints_a_script_that_puts_the_launcher_on_the_path(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.main(["completion", shell]) == GRADED
    script = capsys.readouterr().out
    assert "/grader/bin" in script.splitlines()[0]
    assert f"{VARIABLE}={shell}_complete" in script
    if shutil.which(shell):
        assert _is_valid(shell, script)
        assert not _is_valid(shell, f"{script}\nif (")


def test_bash_completes_and_starts_the_launcher_in_a_folder_of_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "it's $HOME `id`" / "grader" / "bin"
    folder.mkdir(parents=True)
    launcher = folder / "grader"
    launcher.write_text(f'#!/bin/sh\necho "plain,${VARIABLE}-$COMP_CWORD"\n', encoding="utf-8")
    launcher.chmod(0o755)
    monkeypatch.setattr(completion, "workspace", lambda: folder.parent.parent)
    assert app.main(["completion", "bash"]) == GRADED
    script = capsys.readouterr().out
    ask = 'COMP_WORDS=(grader gr); COMP_CWORD=1; _grader_completion grader; echo "$COMPREPLY"'
    before = 'complete() { :; }; PATH="/usr/bin:/bin"'
    command = f"{before}\n{script}\n{script}\n{ask}\necho $PATH | tr -cd : | wc -c"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["bash_complete-1", "2"], done.stderr


def _launch(launcher: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [str(launcher), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "BUILD_WORKING_DIRECTORY": "/elsewhere"},
        cwd="/",
    )
    return done.returncode, done.stdout + done.stderr


def test_the_launcher_starts_the_program_of_its_own_tree_through_a_link(tmp_path: Path) -> None:
    launcher = tmp_path / "a tree" / "grader" / "bin" / "grader"
    launcher.parent.mkdir(parents=True)
    shutil.copy(LAUNCHER, launcher)
    root, link = tmp_path / "a tree", tmp_path / "link"
    link.symlink_to(launcher)
    python = root / ".venv" / "bin" / "python3"
    missing = f"error: {python} does not exist\n  next: {root}/setup\n"
    assert _launch(link, "demo") == (BAD_INPUT, missing)
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$@" "${BUILD_WORKING_DIRECTORY-here}"\nexit 7\n')
    python.chmod(0o755)
    assert _launch(link, "demo", "--all") == (7, f"{root}/grader/main.py demo --all here\n")
