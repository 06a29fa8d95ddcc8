"""The loop that grades: takes submissions from the queue, a few at a time, as long as it lives.

A result goes to the lab's store first, then to the service's database; then the team's line is
pointed at the submission that counts. After a kill between any two of these the next loop finds
what is there: nothing is lost, and nothing is graded twice.
"""

import os
import sys
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Literal

from grader.judging.collect import Submission
from grader.judging.collect.tree import Entry, Kind, OneText
from grader.judging.executors import Executor, Work
from grader.model.errors import GraderError
from grader.model.manifest import Kit
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.sandbox.processes import Processes, StoppedError
from grader.service import queue, replays
from grader.service.grading import control
from grader.service.grading.counting import counting_submission
from grader.service.grading.patience import until_done
from grader.service.grading.results import LabResults
from grader.service.queue import Claimed
from grader.service.refused import Refused
from grader.service.service import Service

JUDGE_ERROR_PAUSES_S = (10, 30, 120, 600)
"""After each failure of the grader the submission waits; after the last one it is a judge error."""
_WITHOUT_A_KIT_S = 60
_IDLE_S = 0.25
_HEARTBEAT_S = 15.0

Ending = Literal["drained", "stopped", "orphaned"]


@dataclass
class Loop:
    """The work of a grading process, of which a data folder has one."""

    service: Service
    kits: Mapping[str, Kit]
    executor_of: Callable[[str], Executor]
    """By a submission's id: a batch system keeps its files apart by it."""
    jobs: int
    processes: Processes
    """What the executors run and pause by; stopped when the loop is."""
    pauses_s: Sequence[float] = JUDGE_ERROR_PAUSES_S
    parent: int | None = None
    """The process without which the loop ends."""
    _alike: dict[tuple[str, str], threading.Lock] = field(
        default_factory=lambda: defaultdict(threading.Lock)
    )
    _pointing: threading.Lock = field(default_factory=threading.Lock)
    """Serializes pointing: two gradings that end together would miss each other's result."""
    _pointed_by: tuple[object, ...] = ()

    def __post_init__(self) -> None:
        machine = self.executor_of("").machine(gpu=False)
        self._here = self.processes if machine is not None else None
        data = self.service.data
        self._results = {lab: LabResults(data, kit, machine) for lab, kit in self.kits.items()}

    def run(self) -> Ending:
        """Grades until it is drained or interrupted (KeyboardInterrupt), or its parent is gone.

        What is then being graded is given back, and waits at its old place.
        """
        until_done(lambda: queue.recover(self.service), time.sleep)
        until_done(lambda: replays.recover(self.service), time.sleep)
        with ThreadPoolExecutor(self.jobs, thread_name_prefix="grade") as pool:
            slots = [pool.submit(self._slot, slot) for slot in range(self.jobs)]
            try:
                return self._watch(slots)
            except KeyboardInterrupt:
                return "stopped"
            finally:
                self.processes.stop()

    def _watch(self, slots: Sequence[Future[None]]) -> Ending:
        """Until all slots have ended; raises what ended one."""
        beat = 0.0
        while not all(slot.done() for slot in slots):
            for slot in slots:
                if slot.done():
                    slot.result()
            if self.parent not in (None, os.getppid()):
                return "orphaned"
            if time.monotonic() > beat:
                beat = time.monotonic() + _HEARTBEAT_S
                with suppress(Refused):
                    queue.beat(self.service, range(self.jobs))
            time.sleep(_IDLE_S)
        for slot in slots:
            slot.result()
        return "drained"

    def _slot(self, slot: int) -> None:
        """Grades one after the other; returns when the service is drained or stopped."""
        pause = self.processes.pause
        with suppress(StoppedError):
            while True:
                if slot == 0:
                    self._point_all()
                wish = until_done(lambda: control.wish(self.service), pause)
                if wish == "drain":
                    return
                if slot == 0 and wish == "grade":
                    until_done(lambda: replays.run_next(self.service, self._here), pause)
                claimed = until_done(lambda: queue.claim(self.service, slot), pause)
                if claimed is None:
                    pause(_IDLE_S)
                else:
                    self._grade_or_give_back(claimed)

    def _grade_or_give_back(self, claimed: Claimed) -> None:
        if claimed.lab not in self.kits:
            self._give_back(claimed, _WITHOUT_A_KIT_S, f"the service has no kit of {claimed.lab}")
            return
        try:
            with self._alike[claimed.lab, claimed.digest]:
                result = self._result(claimed)
            self._finish(claimed, result)
        except GraderError as error:  # no room to work in, or a cluster that refuses
            last = len(self.pauses_s) - 1
            wait_s = self.pauses_s[min(claimed.tries - 1, last)] if self.pauses_s else 0
            self._give_back(claimed, wait_s, str(error))
        except StoppedError:
            with suppress(Refused):  # the next loop recovers it
                queue.give_back(self.service, claimed.number, "the service ended")
            raise
        except Exception:
            traceback.print_exc(file=sys.stderr)
            raise

    def _result(self, claimed: Claimed) -> Result:
        """The stored result of the same text, or a new one, which is stored."""
        lab, pause = self._results[claimed.lab], self.processes.pause
        kept = until_done(lambda: lab.prepare(claimed.digest, claimed.content), pause)
        if kept.result is not None and not (claimed.again and self._has(claimed, kept.result)):
            named = {"student": claimed.team, "source": source_of(claimed.id)}
            return kept.result.model_copy(update=named)
        submission = self._submission(claimed)
        result = self._graded(claimed, submission, kept.seed, kept.secret)
        if result.verdict.is_final:
            until_done(lambda: lab.put(result), pause)
        return result

    def _has(self, claimed: Claimed, found: Result) -> bool:
        """Whether a submission has this result already. Then grading it again must run it; a result
        that `regrade` computed for a changed lab is used as it is."""
        query = "SELECT result FROM submissions WHERE number = ?"
        row = self.service.connect().execute(query, (claimed.number,)).fetchone()
        had = Result.model_validate_json(row["result"]) if row["result"] else None
        return had is None or had.key == found.key or not had.verdict.is_final

    def _submission(self, claimed: Claimed) -> Submission:
        file, text = self.kits[claimed.lab].manifest.file, claimed.content
        source = source_of(claimed.id)
        entry = Entry((file,), Kind.FILE, len(text))
        return Submission(
            claimed.team, source, claimed.digest, None, OneText(Path(source), text), entry
        )

    def _graded(self, claimed: Claimed, submission: Submission, seed: int, secret: str) -> Result:
        def on_phase(_digest: str, doing: str) -> None:
            with suppress(Refused):  # only for those who watch
                queue.set_phase(self.service, claimed.number, doing)

        work = Work(
            self.kits[claimed.lab],
            seed,
            secret,
            [submission],
            self.jobs,
            gpu=False,
            again=claimed.again,
            say=lambda words: print(words, file=sys.stderr, flush=True),
            on_phase=on_phase,
            processes=self.processes,
        )
        with closing(self.executor_of(claimed.id).results(work)) as results:
            # To its end: one that is left early stops the processes of all.
            ((_, result),) = list(results)
        return result

    def _finish(self, claimed: Claimed, result: Result) -> None:
        number, tries, pause = claimed.number, claimed.tries, self.processes.pause
        if result.verdict is Verdict.JUDGE_ERROR and tries <= len(self.pauses_s):
            why = result.diagnostics[0].text if result.diagnostics else ""
            self._give_back(claimed, self.pauses_s[tries - 1], why)
            return
        until_done(lambda: queue.finish(self.service, number, result), pause)
        until_done(lambda: self._point(claimed.person, claimed.lab), pause)

    def _give_back(self, claimed: Claimed, wait_s: float, why: str) -> None:
        until = self.service.now() + timedelta(seconds=wait_s)
        until_done(
            lambda: queue.give_back(self.service, claimed.number, why, until), self.processes.pause
        )

    def _point(self, person: str, lab: str) -> None:
        with self._pointing:
            self._point_alone(person, lab)

    def _point_alone(self, person: str, lab: str) -> None:
        if self.service.course.lab(lab) is None:
            return
        number = counting_submission(self.service, person, lab)
        query = "SELECT id, team, result FROM submissions WHERE number = ?"
        row = self.service.connect().execute(query, (number,)).fetchone()
        if row is not None:
            result = Result.model_validate_json(row["result"])
            self._results[lab].point(row["team"], source_of(row["id"]), result)

    def _point_all(self) -> None:
        """Points every team's line at what counts: at the start, as a kill may have left that
        undone, and whenever rules or marks have changed."""
        marks = "SELECT COUNT(*), MAX(at) FROM marks"
        by = (self.service.course, *self.service.connect().execute(marks).fetchone())
        if self._pointed_by == by:
            return
        self._pointed_by = by
        rows = self.service.connect().execute(
            "SELECT lab, MIN(person) AS person FROM submissions WHERE result IS NOT NULL"
            " GROUP BY lab, team"
        )
        for row in rows.fetchall():
            if row["lab"] in self.kits:
                point = partial(self._point, row["person"], row["lab"])
                until_done(point, self.processes.pause)


def source_of(submission_id: str) -> str:
    """What the store calls a submission's file."""
    return f"submission {submission_id}"
