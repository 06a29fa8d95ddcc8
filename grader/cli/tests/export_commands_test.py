"""The commands `export --gradebook` and `autograder`: exit codes, and what they print."""

import json
import zipfile
from pathlib import Path

import pytest

from grader.cli.app import main
from grader.cli.options import BAD_INPUT, GRADED
from grader.judging.store import Store
from grader.pages.presentation.tests.made_up_class import LAB, made_up_class
from grader.people.autograder.tests.versioned_kit import kit_with_versions

_GRADEBOOK = (
    "Student,ID,SIS Login ID,Section,Sum with threads (7)\n"
    '    Points Possible,,,,100\n"Doe, Jane",5,student01,A,\n"Roe, Max",6,mroe,A,\n'
)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    with Store(folder, create=True) as store:
        store.bind("fake_sum", LAB)
        for result in made_up_class(2):
            store.put(result, [(result.student, result.source)])
    return folder


def _gradebook(folder: Path) -> Path:
    path = folder / "gradebook.csv"
    path.write_text(_GRADEBOOK, encoding="utf-8")
    return path


def test_fills_in_a_gradebook_and_names_who_is_left_over(
    tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gradebook = _gradebook(tmp_path)
    export = ["export", "--out", str(out), "--format", "canvas"]
    assert main([*export, "--gradebook", str(gradebook)]) == GRADED
    said = capsys.readouterr().out
    assert "filled in 1 of 2 students' points" in said
    assert "to be entered by hand (1): student02" in said
    assert "a row but no result, left as they were (1): Roe, Max" in said
    assert gradebook.read_text(encoding="utf-8") == _GRADEBOOK
    first = next(made_up_class(1))
    filled = (out / "canvas.csv").read_text(encoding="utf-8")
    assert filled == _GRADEBOOK.replace("student01,A,", f"student01,A,{first.points:.2f}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "junit", "--gradebook", "GRADEBOOK"], "use one of: canvas, moodle"),
        (["--format", "canvas", "--gradebook", "GRADEBOOK", "--column", "X"], "correct --column"),
        (["--format", "canvas", "--gradebook", "nothing.csv"], "cannot read"),
        (["--format", "canvas", "--column", "X"], "--column needs --gradebook"),
    ],
)
def test_wrong_input_is_an_error_with_a_next_step(
    tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    given = [word.replace("GRADEBOOK", str(_gradebook(tmp_path))) for word in arguments]
    assert main(["export", "--out", str(out), *given]) == BAD_INPUT
    assert said in capsys.readouterr().err


def test_writes_a_labs_autograder_and_says_its_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kit, path = kit_with_versions(tmp_path), tmp_path / "new" / "autograder.zip"
    command = ["autograder", "--lab", "fake_sum", "--kit", str(kit.root), "--out", str(path)]
    assert main([*command, "--seed", "5", "--allow-unjailed"]) == GRADED
    said = capsys.readouterr().out
    assert f"wrote {path}" in said
    assert "seed 5" in said
    with zipfile.ZipFile(path) as archive:
        settings = archive.read("autograder.json").decode()
    found = json.loads(settings)
    assert len(found.pop("secret")) == 32
    assert found == {"schema": 1, "lab": "fake_sum", "seed": 5, "allow_unjailed": True}


def test_an_autograder_of_another_labs_kit_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kit, path = kit_with_versions(tmp_path), tmp_path / "autograder.zip"
    command = ["autograder", "--lab", "other", "--kit", str(kit.root), "--out", str(path)]
    assert main(command) == BAD_INPUT
    assert "is the kit of fake_sum, not of other" in capsys.readouterr().err
    assert not path.exists()
