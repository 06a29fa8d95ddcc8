"""The leaderboard, and nicknames that do not tell whose they are."""

import re
import stat
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import LAB, made_up_class, make_result
from grader.pages.report.leaderboard import write_leaderboard
from grader.pages.report.nicknames import nicknames


def _scored(student: str, points: float, ratio: float = 1.0) -> Result:
    result = make_result(student, Verdict.ACCEPTED, Verdict.ACCEPTED)
    result.points = points
    for part in result.parts:
        assert part.timing
        part.timing.ratio = ratio
    return result


def _rows(html: str) -> list[tuple[str, str, str]]:
    cells = r'class="num">(\d+)</td><th scope="row"><bdi>(.*?)</bdi></th><td class="num">(.*?)<'
    return re.findall(cells, html)


def _board(folder: Path, results: list[Result], top: int | None = None) -> str:
    names = {result.student: f"n-{result.student}" for result in results}
    page = write_leaderboard(iter(results), LAB, names, folder, top)
    return page.read_text(encoding="utf-8")


def test_ranks_by_points_and_gives_equal_points_an_equal_rank(tmp_path: Path) -> None:
    results = [_scored("d", 50), _scored("c", 90, 2.0), _scored("b", 90), _scored("a", 100)]
    rows = _rows(_board(tmp_path, results))
    assert rows == [("1", "n-a", "100"), ("2", "n-b", "90"), ("2", "n-c", "90"), ("4", "n-d", "50")]


def test_leaves_out_who_was_not_judged_and_those_below_the_top(tmp_path: Path) -> None:
    failed = make_result("x", Verdict.JUDGE_ERROR, Verdict.ACCEPTED)
    html = _board(tmp_path, [_scored("a", 3), _scored("b", 2), failed], top=1)
    assert [row[1] for row in _rows(html)] == ["n-a"]
    assert "1 more are not shown" in html


def test_holds_nothing_of_the_students_but_points_and_times(tmp_path: Path) -> None:
    results = list(made_up_class(40))
    names = nicknames((r.student for r in results), tmp_path / "kept.json")
    html = write_leaderboard(results, LAB, names, tmp_path).read_text(encoding="utf-8")
    assert len(_rows(html)) == 38
    for secret in ("student", "lab1/", "9f86d08", "5d41402", "2026-03-02", "<script"):
        assert secret not in html
    assert "default-src 'none'" in html


def test_escapes_a_hostile_nickname(tmp_path: Path) -> None:
    names = {"a": "<script>alert(1)</script>"}
    page = write_leaderboard([_scored("a", 1)], LAB, names, tmp_path)
    assert "<script" not in page.read_text(encoding="utf-8")


def test_keeps_nicknames_from_run_to_run_and_adds_new_ones(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    first = nicknames(["ada", "bob"], kept)
    second = nicknames(["bob", "eve", "ada"], kept)
    assert {name: second[name] for name in first} == first
    assert len(set(second.values())) == 3
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_draws_other_nicknames_for_the_same_names_elsewhere(tmp_path: Path) -> None:
    students = [f"student{number}" for number in range(20)]
    one, other = (nicknames(students, tmp_path / name) for name in ("one.json", "other.json"))
    assert one != other


def test_has_distinct_nicknames_for_more_students_than_words(tmp_path: Path) -> None:
    names = nicknames([str(number) for number in range(9000)], tmp_path / "kept.json")
    assert len(set(names.values())) == 9000


def test_prefers_the_instructors_nicknames(tmp_path: Path) -> None:
    given = tmp_path / "given.csv"
    given.write_text("\ufeffstudent,nickname\nada,Countess\n", encoding="utf-8")
    names = nicknames(["ada", "bob"], tmp_path / "kept.json", given)
    assert names["ada"] == "Countess"
    assert "ada" not in (tmp_path / "kept.json").read_text(encoding="utf-8")


def test_draws_again_a_nickname_that_the_instructor_gave_to_another(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    drawn = nicknames(["bob"], kept)["bob"]
    given = tmp_path / "given.csv"
    given.write_text(f"ada,{drawn.upper()}\n", encoding="utf-8")
    names = nicknames(["ada", "bob"], kept, given)
    assert names["ada"] == drawn.upper()
    assert names["bob"] != drawn


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ada\n", "row 1 is not"),
        ("ada,x\nbob, \n", "row 2 is not"),
        ("ada,Fox\nbob,fox\n", "ada and bob have one nickname"),
    ],
)
def test_refuses_a_list_without_a_nickname_for_each(tmp_path: Path, text: str, said: str) -> None:
    given = tmp_path / "given.csv"
    given.write_text(text, encoding="utf-8")
    with pytest.raises(GraderError, match=said):
        nicknames(["ada"], tmp_path / "kept.json", given)


@pytest.mark.parametrize("text", ["", "[1]", '{"ada": 3}', "{" * 100_000])
def test_refuses_damaged_nicknames_and_leaves_them(tmp_path: Path, text: str) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text(text, encoding="utf-8")
    with pytest.raises(GraderError, match="cannot be read"):
        nicknames(["ada"], kept)
    assert kept.read_text(encoding="utf-8") == text
