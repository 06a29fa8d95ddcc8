"""The unpacked zip file grades a submission in Gradescope's layout, by fake jail and checker."""

import json
import os
import subprocess
import sys
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import grader.pages.export.gradescope
from grader.judging.kinds.run import grade_with_retries
from grader.people.autograder import run
from grader.people.autograder.bundle import write_autograder
from grader.people.autograder.settings import Settings
from grader.people.autograder.tests.versioned_kit import kit_with_versions
from grader.proof.fakes.fake_kit import GOOD

_SCHEMA = Path(grader.pages.export.gradescope.__file__).parent / "gradescope.schema.json"
_WRONG = f"{GOOD}// fake: tests SumATest wrong_answer element 3 of 9: expected 1, got 2\n"
_NO_JAIL = """#!/bin/sh
echo "$@" >> "$0.log"
if [ "$1" = --probe ]; then
  echo "error: no namespaces here" >&2
  echo "  next: allow them" >&2
  exit 3
fi
exec "$0.fake" "$@"
"""


class Container:
    """Gradescope's folders with one unpacked zip file."""

    def __init__(
        self,
        folder: Path,
        *,
        allow_unjailed: bool = False,
        feedback: str = "",
        parallelism: bool = False,
    ) -> None:
        self.root = folder / "autograder"
        for name in ("source", "submission", "results"):
            (self.root / name).mkdir(parents=True)
        kit = kit_with_versions(folder, parallelism=parallelism)
        if feedback:
            lab = kit.root / "lab.toml"
            lab.write_text(f'{lab.read_text()}\n[feedback]\nhidden = "{feedback}"\n')
        settings = Settings(
            schema=1, lab="fake_sum", seed=7, secret="00ff", allow_unjailed=allow_unjailed
        )
        path = write_autograder(kit, settings, folder / "autograder.zip")
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                Path(archive.extract(entry, self.source)).chmod(entry.external_attr >> 16)

    @property
    def source(self) -> Path:
        return self.root / "source"

    @property
    def results(self) -> Path:
        return self.root / "results" / "results.json"

    def hand_in(self, text: str, name: str = "sum.cc") -> None:
        path = self.root / "submission" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def metadata(self, text: str) -> None:
        (self.root / "submission_metadata.json").write_text(text, encoding="utf-8")

    def take_jail_away(self) -> Path:
        """Returns the file to which the jail's command lines are written."""
        jail = self.source / "kit" / "jail"
        jail.rename(f"{jail}.fake")
        jail.write_text(_NO_JAIL)
        jail.chmod(0o755)
        return Path(f"{jail}.log")

    def document(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.results.read_text(encoding="utf-8"))
        jsonschema.validate(value, json.loads(_SCHEMA.read_text(encoding="utf-8")))
        return value


@pytest.fixture
def container(tmp_path: Path) -> Container:
    return Container(tmp_path)


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "grade_with_retries", partial(grade_with_retries, backoff=()))


def test_grades_with_nothing_but_what_the_zip_file_holds(container: Container) -> None:
    container.hand_in(_WRONG)
    others = [path for path in sys.path if not (Path(path or ".") / "grader").exists()]
    paths = [str(container.source / "program"), *others]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(paths),
        "AUTOGRADER": str(container.root),
    }
    command = [sys.executable, "-m", "grader.people.autograder.run"]
    ended = subprocess.run(
        command, env=environment, cwd="/", capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "wrong answer, 40 of 100 points" in ended.stdout
    assert container.document()["score"] == 40


def test_says_who_handed_in_and_repeats_the_seed(container: Container) -> None:
    container.hand_in(GOOD, "deep/sum.cc")
    container.metadata('{"users": [{"email": "a@example.edu"}, {"name": "B"}, 3, {}]}')
    assert run.main([], container.root) == 0
    extra = container.document()["extra_data"]
    assert (extra["student"], extra["seed"]) == ("a@example.edu, B", 7)


@pytest.mark.parametrize("text", ["", "[]", '{"users": 3}', "[" * 100_000, '{"users": null}'])
def test_grades_without_knowing_who_handed_in(container: Container, text: str) -> None:
    container.hand_in(GOOD)
    container.metadata(text)
    assert run.main([], container.root) == 0
    assert container.document()["extra_data"]["student"] == "submission"


def test_gives_no_score_and_a_next_step_where_the_grader_fails(
    container: Container, capsys: pytest.CaptureFixture[str]
) -> None:
    container.results.write_text('{"score": 100}')
    container.hand_in(f"{GOOD}// fake: broken 9\n")
    assert run.main([], container.root) == 1
    assert not container.results.exists()
    said = capsys.readouterr().out
    assert "no fault of the student" in said
    assert "Rerun Autograder" in said
    assert "the fake checker failed" in said


def test_gives_no_score_where_the_zip_file_is_not_whole(
    container: Container, capsys: pytest.CaptureFixture[str]
) -> None:
    container.hand_in(GOOD)
    (container.source / "kit" / "manifest.json").unlink()
    assert run.main([], container.root) == 1
    assert not container.results.exists()
    assert "Rerun Autograder" in capsys.readouterr().out


def test_explains_a_file_that_is_missing(container: Container) -> None:
    container.hand_in(GOOD, "summe.txt")
    assert run.main([], container.root) == 0
    document = container.document()
    assert document["score"] == 0
    assert "sum.cc is missing; handed in: submission/summe.txt" in document["output"]


def test_grades_the_only_file_of_another_name_and_says_so(container: Container) -> None:
    container.hand_in(GOOD, "Sum.cpp")
    assert run.main([], container.root) == 0
    document = container.document()
    assert document["score"] == 100
    assert "graded was submission/Sum.cpp" in document["output"]


def test_does_not_follow_a_link_that_was_handed_in(container: Container) -> None:
    (container.root / "submission" / "sum.cc").symlink_to(container.source / "kit" / "lab.toml")
    assert run.main([], container.root) == 0
    assert "symbolic link" in container.document()["output"]


def test_shows_students_no_more_than_the_lab_allows(tmp_path: Path) -> None:
    shown = Container(tmp_path / "shown")
    kept = Container(tmp_path / "kept", feedback="verdict")
    for container, is_shown in ((shown, True), (kept, False)):
        container.hand_in(_WRONG)
        assert run.main([], container.root) == 0
        assert ("element 3 of 9" in container.results.read_text()) is is_shown


def test_keeps_tests_and_results_from_other_accounts(container: Container) -> None:
    container.hand_in(GOOD)
    container.metadata("{}")
    assert run.main([], container.root) == 0
    for name in ("source", "submission", "results"):
        assert (container.root / name).stat().st_mode & 0o077 == 0
    assert (container.root / "submission_metadata.json").stat().st_mode & 0o077 == 0


def test_refuses_a_container_without_a_jail(
    container: Container, capsys: pytest.CaptureFixture[str]
) -> None:
    container.hand_in(GOOD)
    container.take_jail_away()
    assert run.main([], container.root) == 1
    assert run.main(["--check"], container.root) == 1
    assert not container.results.exists()
    said = capsys.readouterr().out
    assert "no namespaces here" in said
    assert "--allow-unjailed" in said


def test_grades_without_a_jail_where_that_was_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    container = Container(tmp_path, allow_unjailed=True)
    container.hand_in(GOOD)
    log = container.take_jail_away()
    assert run.main([], container.root) == 0
    assert container.document()["score"] == 100
    commands = [line for line in log.read_text().splitlines() if line != "--probe"]
    assert commands
    assert all("--allow-unjailed" in line for line in commands)
    assert "no jail: no namespaces here" in capsys.readouterr().out


def test_never_gives_up_a_jail_that_there_is(tmp_path: Path) -> None:
    container = Container(tmp_path, allow_unjailed=True)
    jail = container.source / "kit" / "jail"
    jail.rename(f"{jail}.fake")
    jail.write_text('#!/bin/sh\necho "$@" >> "$0.log"\nexec "$0.fake" "$@"\n')
    jail.chmod(0o755)
    container.hand_in(GOOD)
    assert run.main([], container.root) == 0
    assert "--allow-unjailed" not in Path(f"{jail}.log").read_text()


@pytest.mark.parametrize("may", [True, False])
def test_warns_where_parallelism_cannot_be_measured_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, may: bool
) -> None:
    def forbid(*_: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", (lambda *_: None) if may else forbid)
    container = Container(tmp_path, parallelism=True)
    assert run.main(["--check"], container.root) == 0
    assert ("measured too low" in capsys.readouterr().out) is not may


def test_checks_a_container_that_is_ready(
    container: Container, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main(["--check"], container.root) == 0
    assert "ready to grade Fake sum" in capsys.readouterr().out


def test_checks_a_kit_of_tests_which_has_no_checker(container: Container) -> None:
    kit = container.source / "kit"
    path = kit / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**manifest, "kind": "tests"}), encoding="utf-8")
    (kit / "checker").unlink()
    assert run.main(["--check"], container.root) == 0


def test_names_a_compiler_that_is_missing(
    container: Container, capsys: pytest.CaptureFixture[str]
) -> None:
    path = container.source / "kit" / "manifest.json"
    path.write_text(path.read_text().replace('"cc"', '"/usr/lib/llvm-99/bin/clang++"'))
    assert run.main(["--check"], container.root) == 1
    assert "/usr/lib/llvm-99/bin/clang++ is missing" in capsys.readouterr().out
