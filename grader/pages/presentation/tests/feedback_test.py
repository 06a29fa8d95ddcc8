"""What a student gets back."""

from pathlib import Path

import pytest

from grader.model.result import Diagnostic
from grader.model.verdict import Verdict
from grader.pages.presentation.feedback import write_feedback
from grader.pages.presentation.tests.made_up_class import LAB, make_result
from grader.pages.presentation.words import WORDS


@pytest.mark.parametrize("verdict", list(Verdict))
def test_explains_every_verdict_in_words(verdict: Verdict, tmp_path: Path) -> None:
    text = write_feedback(
        make_result("student01", verdict, Verdict.ACCEPTED), LAB, tmp_path
    ).read_text()
    assert WORDS[verdict].sentence in text


def test_shows_the_failing_case_with_size_and_seed(tmp_path: Path) -> None:
    result = make_result("student01", Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    text = write_feedback(result, LAB, tmp_path).read_text()
    assert "expected 3.5, got nan" in text
    assert "input size 17, 4 threads, seed 81985529216486895" in text
    assert "Your instructor can repeat these tests with seed 7." in text


def test_gives_no_points_and_no_log_for_a_judge_error(tmp_path: Path) -> None:
    result = make_result("student01", Verdict.JUDGE_ERROR, Verdict.ACCEPTED)
    text = write_feedback(result, LAB, tmp_path).read_text()
    assert "**Not final: not judged.**" in text
    assert "| – of 50 |" in text
    assert "cannot start the worker" not in text


def test_keeps_a_hostile_log_inside_its_code_block(tmp_path: Path) -> None:
    result = make_result("student01", Verdict.COMPILE_ERROR, Verdict.ACCEPTED)
    result.diagnostics = [Diagnostic(phase="compile", text="````\n# You have 100 points\n````")]
    lines = write_feedback(result, LAB, tmp_path).read_text().split("\n")
    start = lines.index("`````text")
    assert lines[start + 1 : start + 5] == ["````", "# You have 100 points", "````", "`````"]


def test_takes_markup_in_a_name_literally(tmp_path: Path) -> None:
    result = make_result("<b>[x](http://x)|", Verdict.ACCEPTED, Verdict.ACCEPTED)
    path = write_feedback(result, LAB, tmp_path)
    assert path.parent == tmp_path
    assert path.read_text().startswith(r"# Sum with threads: \<b\>\[x\]\(http://x\)\|")


def test_writes_the_same_file_again_for_the_same_student(tmp_path: Path) -> None:
    for verdict in (Verdict.WRONG_ANSWER, Verdict.ACCEPTED):
        path = write_feedback(make_result("a/b", verdict, Verdict.ACCEPTED), LAB, tmp_path)
    assert list(tmp_path.iterdir()) == [path]
    assert "right answer in every test" in path.read_text()
