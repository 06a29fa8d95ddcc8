"""Progress on a terminal and elsewhere."""

import io
import re

import pytest
from rich.console import Console

from grader.model.verdict import Verdict
from grader.pages.report.progress import GradingProgress


class _Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def _lines(total: int, seconds_each: float) -> list[str]:
    text, clock = io.StringIO(), _Clock()
    with GradingProgress(total, Console(file=text, width=60), clock=clock) as progress:
        for number in range(total):
            clock.now += seconds_each
            progress.advance(Verdict.ACCEPTED if number % 2 else Verdict.DATA_RACE)
    return text.getvalue().splitlines()


def test_prints_plain_lines_with_time_left_and_counts_into_a_file() -> None:
    lines = _lines(100, 1.0)
    assert lines[0] == "grading: 10 of 100, 1:30 left: 5 accepted, 5 data race"
    assert lines[-1] == "grading: 100 of 100, 0:00 left: 50 accepted, 50 data race"
    assert len(lines) == 10


def test_prints_a_line_every_ten_seconds_when_submissions_are_slow() -> None:
    assert len(_lines(1000, 5.0)) == 500
    assert len(_lines(1000, 0.01)) == 10


def test_ends_with_the_last_state_when_a_run_is_broken_off() -> None:
    text = io.StringIO()

    def break_off() -> None:
        with GradingProgress(100, Console(file=text), clock=_Clock()) as progress:
            progress.advance(Verdict.ACCEPTED)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        break_off()
    assert text.getvalue() == "grading: 1 of 100, 0:00 left: 1 accepted\n"


def test_draws_a_bar_with_live_counts_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    text = io.StringIO()
    console = Console(file=text, width=200, force_terminal=True, _environ={"TERM": "xterm"})
    with GradingProgress(2, console) as progress:
        progress.advance(Verdict.ACCEPTED, "student01")
        progress.note("a note above the bar")
        progress.advance(Verdict.TOO_SLOW, "[bold]stud02")
    assert "2/2" in text.getvalue()
    assert "1 too slow" in text.getvalue()
    assert "[bold]stud02" in text.getvalue()
    assert "a note above the bar" in text.getvalue()


def test_keeps_the_bar_on_one_line_of_eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    text = io.StringIO()
    environment = {"TERM": "xterm"}
    console = Console(file=text, width=80, force_terminal=True, no_color=True, _environ=environment)
    with GradingProgress(len(Verdict), console) as progress:
        for verdict in Verdict:
            progress.advance(verdict, "a_student_with_a_long_name")
    drawn = [re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]", "", line) for line in text.getvalue().split("\r")]
    assert max(map(len, drawn)) <= 81  # with the line's end
    assert all(line.count("\n") <= 1 for line in drawn)
    assert "a_student_wi not judged" in drawn[-1]


def test_draws_no_bar_under_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    text = io.StringIO()
    with GradingProgress(1, Console(file=text, force_terminal=True, no_color=True)) as progress:
        progress.advance(Verdict.ACCEPTED)
    assert text.getvalue().startswith("grading: 1 of 1, 0:00 left: 1 accepted")


@pytest.mark.parametrize("setting", [{"FORCE_COLOR": "1"}, {"TERM": "dumb", "TTY_COMPATIBLE": "1"}])
def test_draws_no_bar_into_a_file_or_on_a_dumb_terminal(
    monkeypatch: pytest.MonkeyPatch, setting: dict[str, str]
) -> None:
    monkeypatch.delenv("CI", raising=False)
    for name, value in setting.items():
        monkeypatch.setenv(name, value)
    text = io.StringIO()
    with GradingProgress(1, Console(file=text)) as progress:
        progress.advance(Verdict.ACCEPTED)
    plain = re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]", "", text.getvalue())
    assert plain == "grading: 1 of 1, 0:00 left: 1 accepted\n"


def test_prints_nothing_when_there_is_nothing_to_do() -> None:
    assert _lines(0, 1.0) == []
