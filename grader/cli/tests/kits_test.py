"""Building kits on demand: the command, and the errors if it fails."""

import stat
from pathlib import Path

import pytest

from grader.cli import kits, places
from grader.cli.kits import find_kit, find_kits
from grader.cli.places import lab_names
from grader.model.errors import GraderError
from grader.proof.fakes.fake_kit import make_kit

BAZEL = """#!/bin/sh
echo "$@" >> "{log}"
sleep {sleep}
case "$*" in *info*) echo "{root}/bazel-bin" ;; esac
exit {code}
"""


class Workspace:
    """Three labs, a Bazel that only writes down how it was called, and their kits in bazel-bin."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = folder / "workspace"
        self._log = folder / "log"
        self._programs = folder / "programs"
        self._programs.mkdir()
        for lab in ("alpha", "beta", "gamma"):
            make_kit(self.root / "bazel-bin" / "solutions", lab=lab)
            hidden = self.root / "solutions" / lab / "hidden_test.cc"
            hidden.parent.mkdir(parents=True)
            hidden.touch()
        monkeypatch.setattr(places, "is_a_test", lambda: False)
        monkeypatch.setattr(places, "workspace", lambda: self.root)
        monkeypatch.setattr(places, "ROOT", self.root)
        monkeypatch.setenv("PATH", f"{self._programs}:/usr/bin:/bin")
        self.bazel(0)

    def bazel(self, code: int, sleep: float = 0) -> None:
        path = self._programs / "bazel"
        text = BAZEL.format(log=self._log, root=self.root, code=code, sleep=sleep)
        path.write_text(text, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def no_bazel(self, monkeypatch: pytest.MonkeyPatch) -> None:
        (self._programs / "bazel").unlink()
        monkeypatch.setenv("PATH", str(self._programs))

    def commands(self) -> list[str]:
        return self._log.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    return Workspace(tmp_path, monkeypatch)


def test_builds_the_kits_that_are_asked_for_and_no_others(work: Workspace) -> None:
    found = find_kits(["beta", "alpha"])
    assert [kit.manifest.lab for kit in found] == ["beta", "alpha"]
    build, info = work.commands()
    assert build.startswith("build ")
    assert build.endswith("//solutions:beta_kit //solutions:alpha_kit")
    assert info == "info --noshow_progress bazel-bin"


def test_builds_for_a_gpu_when_that_is_asked_for(work: Workspace) -> None:
    find_kit("gamma", gpu=True)
    assert all("--config=gpu" in command for command in work.commands())


def test_gives_up_on_a_bazel_that_does_not_end(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kits, "BUILD_TIMEOUT_S", 0.1)
    work.bazel(0, sleep=10)
    with pytest.raises(GraderError, match="of beta: bazel did not end within") as refused:
        find_kit("beta")
    assert "//solutions:beta_kit" in refused.value.next_step


def test_asks_the_server_that_runs_this_program(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = Path("/base/execroot/lab/bazel-out/bin/grader/grader.runfiles/lab")
    monkeypatch.setattr(places, "ROOT", inside)
    find_kit("beta")
    assert all(command.startswith("--output_base=/base ") for command in work.commands())


def test_a_build_that_fails_is_an_error_that_names_the_lab(work: Workspace) -> None:
    work.bazel(37)
    with pytest.raises(GraderError, match="cannot build the kit of beta: bazel ended with code 37"):
        find_kit("beta")


def test_an_unknown_lab_is_an_error_before_anything_is_built(work: Workspace) -> None:
    with pytest.raises(GraderError, match="did you mean gamma"):
        find_kit("gama")
    assert not (work.root.parent / "log").exists()


def test_without_bazel_the_kits_of_an_earlier_build_are_used(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.no_bazel(monkeypatch)
    assert find_kit("alpha").manifest.lab == "alpha"


def test_a_kit_of_another_lab_is_refused(work: Workspace) -> None:
    given = work.root / "bazel-bin" / "solutions" / "alpha_kit"
    with pytest.raises(GraderError, match="is the kit of alpha, not of beta"):
        kits.find_kit("beta", given)


def test_labs_come_in_the_order_in_which_the_index_links_to_them(work: Workspace) -> None:
    index = work.root / "labs" / "README.md"
    index.parent.mkdir()
    index.write_text("[G](gamma/README.md) [A](alpha/README.md) [G](gamma/README.md)\n")
    assert lab_names() == ["gamma", "alpha", "beta"]


def test_an_exercise_on_a_lab_has_a_kit_of_its_own(work: Workspace) -> None:
    make_kit(work.root / "bazel-bin" / "solutions", lab="beta-tests")
    assert find_kit("beta-tests").manifest.folder == "beta"
    assert work.commands()[0].endswith("//solutions:beta-tests_kit")
    with pytest.raises(GraderError, match="no lab named 'delta-tests'"):
        find_kit("delta-tests")


def test_the_kit_of_a_hunt_must_be_named(work: Workspace) -> None:
    with pytest.raises(GraderError, match=r"beta-hunt has no kit that is built(.|\n)*give --kit"):
        find_kit("beta-hunt")
    assert not (work.root.parent / "log").exists()
