"""`regrade`: what a changed lab means for stored results, before and after it counts."""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.cli.options import BAD_INPUT, GRADED, UNSETTLED
from grader.judging.store import Store
from grader.model.verdict import Verdict
from grader.proof.fakes.desk import Desk
from grader.proof.fakes.fake_kit import GOOD, make_kit

_BETWEEN = f"{GOOD}// fake: timing SumATiming 2.4 2.5 2.6 between\n"
_NEAR = f"{GOOD}// fake: timing SumATiming 1.2 1.3 1.4 full\n"
_WRONG = f"{GOOD}// fake: tests SumATest wrong_answer expected 3, got 4\n"


class Regrading(Desk):
    """A graded class whose lab changes."""

    _version = 0

    def grade_texts(self, texts: dict[str, str]) -> None:
        for student, text in texts.items():
            path = self.hand_in(student, text)
            if not text:
                path.unlink()
        assert self.grade("--seed", "7") == GRADED

    def places(self) -> list[str]:
        return ["--lab", "fake_sum", "--kit", str(self.kit), "--out", str(self.out)]

    def regrade(self, *more: str, code: int = GRADED) -> dict[str, Any]:
        assert self.run("regrade", *self.places(), "--json", *more) == code, self.said
        facts: dict[str, Any] = json.loads(self.printed)
        return facts

    def told(self, code: int = GRADED) -> str:
        assert self.run("regrade", *self.places()) == code, self.said
        return self.said

    def change(self, name: str, old: str, new: str) -> None:
        """Another version of the kit."""
        path = self.kit / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        self.forget_runs()  # the log must not become a file of the kit
        self._version += 1
        manifest = json.loads((self.kit / "manifest.json").read_text(encoding="utf-8"))
        manifest["digest"] = f"{self._version}" * 64
        (self.kit / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")

    def forget_runs(self) -> None:
        (self.kit / "log").unlink(missing_ok=True)

    def runs(self) -> str:
        log = self.kit / "log"
        return log.read_text(encoding="utf-8") if log.exists() else ""

    def earlier(self, student: str) -> list[float]:
        with Store(self.out, create=False) as store:
            return [result.points for _, result in store.earlier(student)]


@pytest.fixture
def desk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Regrading:
    monkeypatch.setenv("COLUMNS", "200")
    return Regrading(tmp_path, capsys)


def test_computes_changed_thresholds_from_stored_measurements_and_runs_nothing(
    desk: Regrading,
) -> None:
    desk.grade_texts({"ann": _BETWEEN, "ben": _NEAR, "cat": _WRONG})
    before = desk.points()
    desk.change("lab.toml", "zero = 3.5", "zero = 5.5")
    desk.forget_runs()
    facts = desk.regrade()
    assert (facts["computed"], facts["graded_again"]) == (3, 0)
    (change,) = facts["changes"]
    assert change["student"] == "ann"
    assert change["after"]["points"] > change["before"]["points"]
    assert "timing.zero 3.5 -> 5.5" in change["why"]
    assert desk.points() == before
    desk.regrade("--apply")
    assert desk.runs() == ""
    assert desk.points() == {**before, "ann": change["after"]["points"]}
    assert desk.earlier("ann") == [before["ann"]]
    assert desk.regrade()["unaffected"] == 3


def test_computed_points_are_those_of_a_grading_by_the_new_kit(desk: Regrading) -> None:
    desk.grade_texts({"ann": _BETWEEN})
    desk.change("lab.toml", "zero = 3.5", "zero = 5.5")
    desk.regrade("--apply")
    computed = desk.points()
    assert desk.grade("--seed", "7", "--force") == GRADED
    assert desk.points() == computed


def test_grades_again_only_whom_the_stored_interval_does_not_decide(desk: Regrading) -> None:
    desk.grade_texts({"ann": _NEAR, "ben": _BETWEEN})
    desk.change("lab.toml", "full = 1.5", "full = 1.3")
    desk.forget_runs()
    facts = desk.regrade()
    assert (facts["computed"], facts["graded_again"]) == (1, 1)
    assert len({line.split()[1] for line in desk.runs().splitlines()}) == 1


def test_grades_again_where_a_test_changed_and_once_only(desk: Regrading) -> None:
    desk.grade_texts({"ann": _NEAR, "ben": _WRONG, "eve": _WRONG})
    before = desk.points()
    desk.change("checker", "CALL_S = 1.5", "CALL_S = 1.6")
    desk.forget_runs()
    assert desk.regrade()["graded_again"] == 3
    assert len(set(desk.runs().splitlines())) > 0
    assert len([line for line in desk.runs().splitlines() if line.startswith("tests")]) == 2
    assert desk.points() == before
    desk.forget_runs()
    facts = desk.regrade("--apply")
    assert desk.runs() == ""
    assert facts["changes"] == []
    assert desk.regrade()["unaffected"] == 3


def test_says_which_file_changed(desk: Regrading) -> None:
    desk.grade_texts({"ann": _NEAR})
    desk.change("checker", "CALL_S = 1.5", "CALL_S = 1.6")
    said = desk.told()
    assert "changed: the hidden tests (checker)" in said
    assert "nothing counts yet" in said


def test_leaves_out_what_cannot_be_graded_and_says_so(desk: Regrading) -> None:
    desk.grade_texts({"ann": _NEAR, "ben": ""})
    desk.change("checker", "CALL_S = 1.5", "CALL_S = 1.6")
    said = desk.told()
    assert "1 handed in nothing that can be graded: left as they are" in said
    facts = desk.regrade("--apply")
    assert (facts["graded_again"], facts["ungradable"], facts["without_text"]) == (1, 1, 0)


def test_leaves_a_file_without_a_kept_text_and_says_so(desk: Regrading) -> None:
    desk.grade_texts({"ann": _NEAR, "ben": "// " + 20_000 * "x"})
    desk.change("checker", "CALL_S = 1.5", "CALL_S = 1.6")
    facts = desk.regrade("--apply", code=UNSETTLED)
    assert facts["without_text"] == 1


def test_full_runs_parallel_parts_again_and_says_why(desk: Regrading, tmp_path: Path) -> None:
    make_kit(tmp_path, parallelism=True)
    good = f"{_NEAR}// fake: parallelism SumATiming 2.5 2.6 2.7 full\n"
    desk.grade_texts({"ann": good, "ben": _WRONG, "cat": "// fake: compile exited 1 error\n"})
    desk.change("lab.toml", "full = 1.5", "full = 2")
    said = desk.told()
    assert "to be graded again: 1, as SumA: timing.full, up to which one thread's time" in said
    facts = desk.regrade()
    assert (facts["computed"], facts["graded_again"]) == (2, 1)


def test_a_judge_error_never_takes_the_place_of_a_result(desk: Regrading) -> None:
    desk.grade_texts({"ann": _NEAR})
    before = desk.points()
    desk.change("checker", "def main() -> int:\n", "def main() -> int:\n    sys.exit(9)\n")
    desk.regrade("--apply", code=UNSETTLED)
    assert desk.points() == before
    with Store(desk.out, create=False) as store:
        assert store.load("ann", texts=False).verdict is Verdict.ACCEPTED


def test_a_folder_without_results_is_wrong_input(desk: Regrading) -> None:
    assert "grade into it first" in desk.told(code=BAD_INPUT)
    assert not desk.out.exists()
