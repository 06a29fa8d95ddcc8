"""A course with one lab, a fake kit, and the loop that grades it, in a folder."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from grader.judging.executors import Executor, LocalExecutor
from grader.judging.store import Store
from grader.model.manifest import load_kit
from grader.model.result import Result
from grader.people.course.course import load_course
from grader.proof.fakes.fake_kit import GOOD, log, make_kit
from grader.sandbox.processes import Processes
from grader.service import desk, people
from grader.service.grading import control
from grader.service.grading.loop import Ending, Loop
from grader.service.service import Service
from grader.service.tests.made_up import NOON, new_key

COURSE = """
name = "Parallel programming"
time_zone = "Europe/Berlin"
students = ["ada", "ben", "cleo"]
staff = ["tess"]
late.accept_days = 3
late.penalty = 20
{more}
[[labs]]
name = "fake_sum"
counts = "{counts}"
deadline = 2026-10-23T23:59:59
[[groups]]
name = "pair"
students = ["ada", "ben"]
"""
WRONG = f"{GOOD}// fake: tests SumATest wrong_answer expected 1, got 2\n"
WORSE = f"{WRONG}// fake: tests SumBTest wrong_answer expected 1, got 2\n"
RACY = f"{GOOD}// fake: races SumBTest data_race\n"
_PATIENCE_S = 60


class RunningClock:
    """A clock that runs from NOON on, and can be moved."""

    def __init__(self) -> None:
        self._zero = NOON - timedelta(seconds=time.monotonic())

    def __call__(self) -> datetime:
        return self._zero + timedelta(seconds=time.monotonic())

    def move(self, *, days: float) -> None:
        self._zero += timedelta(days=days)


class Official:
    """The service's parts, without its web server."""

    def __init__(self, folder: Path, *, counts: str = "best", more: str = "") -> None:
        self.kit = load_kit(make_kit(folder))
        self.course = folder / "course.toml"
        self.course.write_text(COURSE.format(counts=counts, more=more), encoding="utf-8")
        self.data = folder / "data"
        self.clock = RunningClock()
        self.executor: Executor = LocalExecutor()
        self.service = self.another_service()
        people.enrol(self.service)

    def another_service(self) -> Service:
        labs = {"fake_sum": self.kit.lab}
        return Service(load_course(self.course), self.course, self.data, labs, self.clock)

    def hand_in(self, person: str, text: str) -> str:
        content = text.encode()
        return desk.hand_in(self.service, person, "fake_sum", content, "sum.cc", new_key()).id

    def loop(self, jobs: int = 2, pauses_s: Sequence[float] = (0.1, 0.2)) -> Loop:
        processes = Processes()
        kits = {"fake_sum": self.kit}
        return Loop(
            self.another_service(), kits, lambda _: self.executor, jobs, processes, pauses_s
        )

    def grade(self, *, jobs: int = 2, pauses_s: Sequence[float] = (0.1, 0.2)) -> Ending:
        """Grades all that waits."""
        with self.grading(jobs=jobs, pauses_s=pauses_s) as endings:
            self.wait_until_idle()
            control.drain(self.service, "tess")
        control.start_afresh(self.service)
        return endings[0]

    @contextmanager
    def grading(
        self, *, jobs: int = 2, pauses_s: Sequence[float] = (0.1, 0.2)
    ) -> Iterator[list[Ending]]:
        """A loop that grades beside the block, and must have been ended when that is left."""
        loop, endings = self.loop(jobs, pauses_s), list[Ending]()
        thread = threading.Thread(target=lambda: endings.append(loop.run()))
        thread.start()
        try:
            yield endings
            thread.join(_PATIENCE_S)
            assert not thread.is_alive(), "the loop did not end"
        finally:
            loop.processes.stop()
            thread.join(_PATIENCE_S)

    def wait_until_idle(self) -> None:
        self.wait_for(lambda: not self.states() & {"waiting", "grading"})

    def wait_for(self, condition: Callable[[], bool], patience_s: float = _PATIENCE_S) -> None:
        end = time.monotonic() + patience_s
        while not condition():
            assert time.monotonic() < end, "\n".join(["waited in vain", *self.log()])
            time.sleep(0.02)

    def states(self) -> set[str]:
        rows = self.service.connect().execute("SELECT DISTINCT state FROM submissions")
        return {row["state"] for row in rows}

    def verdicts(self) -> list[str]:
        """Of each submission, in the order in which they were handed in; its state without one."""
        rows = self.service.connect().execute(
            "SELECT COALESCE(verdict, state) AS said FROM submissions ORDER BY number"
        )
        return [row["said"] for row in rows]

    def gradings(self) -> Counter[str]:
        """How often each text was tested, by its digest."""
        lines = [line.split() for line in log(self.kit.root)]
        return Counter(line[1] for line in lines if line[0] == "tests")

    def stored(self, team: str) -> Result:
        """What the lab's results folder says of a team."""
        with Store(self.data / "results" / "fake_sum", create=False) as store:
            return store.load(team, texts=True)

    def counts(self, team: str) -> str:
        """The submission that counts there."""
        with Store(self.data / "results" / "fake_sum", create=False) as store:
            source, _ = store.handed_in().get(team, ("", ""))
        return source.removeprefix("submission ")

    def log(self, submission: str | None = None) -> list[str]:
        rows = self.service.connect().execute(
            "SELECT what, detail FROM log WHERE ?1 IS NULL OR about = ?1 ORDER BY number",
            (submission,),
        )
        return [f"{row['what']} {row['detail']}".strip() for row in rows]
