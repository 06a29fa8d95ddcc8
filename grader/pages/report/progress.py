"""Progress of a run: a bar with live counts on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from grader.model.verdict import Verdict
from grader.pages.presentation.text import one_line
from grader.pages.presentation.words import WORDS
from grader.pages.report.terminal import style_of

_SECONDS_BETWEEN_LINES = 10.0
_SHARE_BETWEEN_LINES = 0.1
_WIDE = 160  # columns for a bar with the counts of many verdicts
_LONGEST_NAME = 12


class GradingProgress:
    """Context manager; call `advance` after each submission, from one thread at a time.

    On a terminal it draws a bar with the time left and a count of each verdict or, on a narrow
    one, the latest verdict. Under CI, on a dumb terminal or into a file it prints a
    plain line after each tenth of the work or ten seconds, whichever is sooner.
    """

    def __init__(
        self,
        total: int,
        console: Console,
        what: str = "grading",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total = total
        self._console = console
        self._what = what
        self._clock = clock
        self._verdicts: Counter[Verdict] = Counter()
        self._done = 0
        self._started = self._last_time = clock()
        self._last_done = 0
        self._bar: Progress | None = None
        self._task = TaskID(0)
        if total and _can_draw(console):
            self._bar = _bar(console)
            self._task = self._bar.add_task(what, total=total, counts=Text())

    def __enter__(self) -> GradingProgress:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar:
            self._bar.stop()
        elif self._done != self._last_done:
            self._line()

    def advance(self, verdict: Verdict, student: str = "") -> None:
        """Counts one more submission; `student` is shown beside the bar."""
        self._done += 1
        self._verdicts[verdict] += 1
        if self._bar:
            is_wide = self._console.width >= _WIDE
            counts = Text("  ").join(self._counts() if is_wide else ())
            counts.append(f" {one_line(student)[:_LONGEST_NAME]}", style="dim")
            if not is_wide:
                counts.append(f" {WORDS[verdict].label}", style=style_of(verdict))
            self._bar.update(self._task, advance=1, counts=counts)
            return
        due = self._clock() - self._last_time >= _SECONDS_BETWEEN_LINES
        if due or self._done - self._last_done >= self._total * _SHARE_BETWEEN_LINES:
            self._line()

    def note(self, line: str) -> None:
        """Prints a line above the bar."""
        (self._bar.console if self._bar else self._console).print(Text(line))

    def _counts(self) -> list[Text]:
        return [
            Text(f"{self._verdicts[verdict]} {WORDS[verdict].label}", style=style_of(verdict))
            for verdict in Verdict
            if self._verdicts[verdict]
        ]

    def _line(self) -> None:
        self._last_done = self._done
        self._last_time = self._clock()
        elapsed = self._last_time - self._started
        left = elapsed / self._done * max(0, self._total - self._done)
        counts = ", ".join(count.plain for count in self._counts())
        line = f"{self._what}: {self._done} of {self._total}, {_minutes(left)} left: {counts}"
        self._console.print(Text(line), soft_wrap=True)


def _can_draw(console: Console) -> bool:
    """FORCE_COLOR makes rich take a file for a terminal; it asks for colours, not for a bar."""
    if "FORCE_COLOR" in os.environ and not console.file.isatty():
        return False
    return console.is_terminal and not console.is_dumb_terminal and not os.environ.get("CI")


class _Counts(ProgressColumn):
    """Renders the counts; a TextColumn would interpret markup in a student's name."""

    def render(self, task: Task) -> Text:
        counts: Text = task.fields["counts"]
        return counts


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
        _Counts(),
        console=console,
        expand=True,
        transient=False,
    )


def _minutes(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"
