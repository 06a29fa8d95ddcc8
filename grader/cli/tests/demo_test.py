"""The demo: its samples, its table, and what counts as a failure."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from grader.cli import places
from grader.cli.app import main
from grader.cli.demo import Demo, grade_samples
from grader.cli.options import BAD_INPUT
from grader.proof.fakes.fake_kit import GOOD, make_kit

SAMPLES = {
    "accepted/right": GOOD,
    "accepted/right_in_another_way": f"{GOOD}// 2\n",
    "wrong_answer/a_mistake_with_a_name_that_is_longer_than_most": (
        f"{GOOD}// fake: tests SumATest wrong_answer expected 3, got 4\n"
    ),
    "data_race/lucky": f"{GOOD}// fake: races SumATest data_race sum.cc:3\n",
}
FREE_CORES_ARE_MISSING = f"{GOOD}// fake: parallelism SumATiming 0\n"


class Show:
    """Fake labs with samples; `run` returns the demo's output."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.out = folder / "out"
        self.good = False

    def lab(self, name: str, demo: list[str] | None = None, *, parallelism: bool = False) -> None:
        solutions = self.root / "solutions"
        make_kit(solutions, lab=name, parallelism=parallelism)
        for sample, text in SAMPLES.items():
            self.sample(name, sample, text)
        (solutions / name / "hidden_test.cc").touch()
        if demo is not None:
            names = ", ".join(f'"{sample}"' for sample in demo)
            (solutions / name / "demo.toml").write_text(f"samples = [{names}]\n", encoding="utf-8")

    def sample(self, lab: str, name: str, text: str) -> None:
        path = self.root / "solutions" / lab / f"{name}.cc"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, *labs: str, all_labs: bool = False) -> str:
        text = io.StringIO()
        console = Console(file=text, width=80)
        self.good = not grade_samples(Demo(self.out, 1, labs, all_labs), console).wrong
        return text.getvalue()


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    made = Show(tmp_path)
    monkeypatch.setattr(places, "ROOT", made.root)
    return made


def test_shows_the_named_samples_of_the_labs_with_a_demo(show: Show) -> None:
    show.lab("first", ["wrong_answer/a_mistake_with_a_name_that_is_longer_than_most"])
    show.lab("second")
    show.lab("third", ["accepted/right", "data_race/lucky"])
    said = show.run()
    assert show.good
    assert "3 of 3 submissions got exactly the verdict they should" in said
    assert said.count("file://") == 2
    assert "second" not in said.partition("file://")[0]


def test_no_line_of_the_table_is_wider_than_the_terminal_and_no_name_is_cut(show: Show) -> None:
    show.lab("first", [*SAMPLES])
    said = show.run()
    table = said[said.index("student ") : said.index("submissions got")]
    assert max(map(len, table.splitlines())) <= 80
    assert "…" not in table
    assert "student03" in table
    for word in ("a mistake", "longer", "than", "most"):
        assert word in table


def test_another_verdict_than_the_samples_own_is_a_failure_with_its_name(show: Show) -> None:
    show.lab("first", ["accepted/right"])
    show.sample("first", "accepted/right", SAMPLES["data_race/lucky"])
    said = show.run()
    assert not show.good
    assert "0 of 1 submissions" in said
    assert "first: student01 (accepted/right) got data_race" in said


def test_a_sample_that_needs_more_free_cores_is_no_failure(show: Show) -> None:
    show.lab("first", parallelism=True)
    show.sample("first", "too_slow/threads_wait_for_each_other", FREE_CORES_ARE_MISSING)
    said = show.run("first")
    assert show.good, said
    assert "4 of 4 submissions got exactly the verdict they should" in said
    assert "no verdict without free cores, and no failure: " in said


def test_a_second_run_shows_the_stored_results(show: Show) -> None:
    show.lab("first", [*SAMPLES])
    show.run()
    log = show.root / "solutions" / "first_kit" / "log"
    before = log.read_text(encoding="utf-8")
    assert "4 of 4 submissions" in show.run()
    assert log.read_text(encoding="utf-8") == before


def test_a_smaller_class_after_a_larger_one_shows_its_own_samples(show: Show) -> None:
    show.lab("first", ["data_race/lucky"])
    assert "4 of 4 submissions" in show.run("first")
    said = show.run()
    assert show.good, said
    assert "1 of 1 submissions" in said
    assert "student02" not in said


def test_all_takes_every_lab(show: Show) -> None:
    show.lab("first")
    show.lab("second", ["accepted/right"])
    assert "8 of 8 submissions" in show.run(all_labs=True)


def test_an_unknown_sample_in_demo_toml_is_an_error(
    show: Show, capsys: pytest.CaptureFixture[str]
) -> None:
    show.lab("first", ["accepted/nobody"])
    assert main(["demo", "--out", str(show.out)]) == BAD_INPUT
    said = capsys.readouterr().err
    assert "demo.toml: there is no 'accepted/nobody'" in said
    assert "next: " in said


def test_lab_and_all_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--lab", "first", "--all"]) == BAD_INPUT
    assert "exclude each other" in capsys.readouterr().err
