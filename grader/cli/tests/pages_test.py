"""The commands that write pages from a store: report --roster, feedback and leaderboard."""

from pathlib import Path

import pytest

from grader.cli.app import main
from grader.cli.options import BAD_INPUT, GRADED
from grader.judging.store import Store
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import LAB, made_up_class, make_result

_TEXT = "".join(f"int line{number};\n" for number in range(1, 60))


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An output folder with 12 results, each of another file."""
    monkeypatch.setattr(Store, "text", lambda _store, _student: _TEXT)
    folder = tmp_path / "out"
    with Store(folder, create=True) as store:
        store.bind("fake_sum", LAB)
        for result in made_up_class(12):
            result.key.submission = result.student
            store.put(result, [(result.student, result.source)])
    return folder


def _page(out: Path) -> str:
    return (out / "report" / "index.html").read_text(encoding="utf-8")


def test_later_pages_know_the_roster(out: Path, tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    text = 'Section,Login\n1,student01\n2,"Absent, ""Ann"""\n'
    roster.write_text(text, encoding="utf-8")
    assert main(["report", "--out", str(out), "--roster", str(roster)]) == GRADED
    roster.unlink()
    assert main(["report", "--out", str(out)]) == GRADED
    html = _page(out)
    assert "1 of the 2 on the roster have not handed in." in html
    assert "<bdi>Absent, &#34;Ann&#34;</bdi>" in html


def test_keeps_the_old_roster_when_the_new_one_cannot_be_read(out: Path, tmp_path: Path) -> None:
    (out / "roster.csv").write_text("student\nabsent\n", encoding="utf-8")
    arguments = ["report", "--out", str(out), "--roster", str(tmp_path / "none.csv")]
    assert main(arguments) == BAD_INPUT
    assert (out / "roster.csv").read_text(encoding="utf-8") == "student\nabsent\n"


def test_shows_what_changed_since_the_last_grading(out: Path) -> None:
    again = make_result("student02", Verdict.ACCEPTED, Verdict.ACCEPTED)
    again.key.submission = "another file"
    with Store(out, create=True) as store:
        store.put(again, [("student02", "class/student02")])
    assert main(["report", "--out", str(out)]) == GRADED
    html = _page(out)
    assert "Changes (1)" in html
    assert "points, wrong answer" in html
    assert "another file" in html


def test_writes_a_feedback_page_for_each_student_with_their_lines(out: Path) -> None:
    assert main(["feedback", "--out", str(out)]) == GRADED
    pages = sorted(path.name for path in (out / "feedback").iterdir())
    assert pages == [f"student{number:02}.html" for number in range(1, 13)]
    html = (out / "feedback" / "student08.html").read_text(encoding="utf-8")
    assert "data race" in html
    assert "int line31;" in html


def test_writes_the_feedback_of_some_students_elsewhere(out: Path, tmp_path: Path) -> None:
    arguments = ["--student", "student03", "--student", "student01", "--to", str(tmp_path / "to")]
    assert main(["feedback", "--out", str(out), *arguments]) == GRADED
    pages = sorted(path.name for path in (tmp_path / "to").iterdir())
    assert pages == ["student01.html", "student03.html"]
    assert not (out / "feedback").exists()


def test_refuses_feedback_for_a_student_without_result(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["feedback", "--out", str(out), "--student", "student1"]) == BAD_INPUT
    assert "there is student" in capsys.readouterr().err
    assert not (out / "feedback").exists()


def test_a_leaderboard_has_the_same_nicknames_in_every_run(out: Path) -> None:
    page = out / "leaderboard" / "index.html"
    assert main(["leaderboard", "--out", str(out)]) == GRADED
    first = page.read_text(encoding="utf-8")
    assert main(["leaderboard", "--out", str(out)]) == GRADED
    assert page.read_text(encoding="utf-8") == first
    assert "student" not in first
