"""What was handed in is graded, once, and counts as the course says."""

import sqlite3
import threading
import time
from collections.abc import Generator
from contextlib import closing

from grader.judging.collect import Submission
from grader.judging.executors import LocalExecutor, Work
from grader.judging.store import Store
from grader.model.errors import GraderError
from grader.model.result import Result
from grader.proof.fakes.fake_kit import GOOD
from grader.service import queue
from grader.service.database import FILE_NAME
from grader.service.grading import control
from grader.service.grading.tests.official import RACY, WRONG, Official


def test_grades_what_was_handed_in(official: Official) -> None:
    official.hand_in("ada", GOOD)
    official.hand_in("cleo", RACY)
    official.hand_in("cleo", WRONG)
    assert official.grade() == "drained"
    assert official.verdicts() == ["accepted", "data_race", "wrong_answer"]


def test_the_same_text_is_graded_once(official: Official) -> None:
    for person in ("ada", "cleo", "cleo"):
        official.hand_in(person, GOOD)
    official.grade()
    assert official.verdicts() == ["accepted"] * 3
    assert list(official.gradings().values()) == [1]


def test_staff_may_have_a_text_graded_again(official: Official) -> None:
    handed_in = official.hand_in("ada", GOOD)
    official.grade()
    queue.grade_again(official.service, handed_in, "tess")
    official.grade()
    assert official.verdicts() == ["accepted"]
    assert list(official.gradings().values()) == [2]


def test_says_what_is_done_in_words(official: Official) -> None:
    handed_in = official.hand_in("ada", GOOD)
    official.grade()
    phases = [line for line in official.log(handed_in) if line.startswith("phase")]
    assert phases[:2] == ["phase compiling", "phase testing"]
    assert "phase timing" in phases


def test_a_failure_of_the_grader_is_tried_again(official: Official) -> None:
    handed_in = official.hand_in("ada", f"{GOOD}// fake: broken 4\n")
    official.grade()
    assert official.verdicts() == ["accepted"]
    assert any(line.startswith("given back the checker") for line in official.log(handed_in))


class Refusing(LocalExecutor):
    """As where there is no room to work in, the first time."""

    left = 1

    def results(self, work: Work) -> Generator[tuple[Submission, Result], None, None]:
        if self.left:
            self.left -= 1
            raise GraderError("cannot make a working folder", "free some space")
        yield from super().results(work)


def test_what_cannot_be_graded_here_now_waits(official: Official) -> None:
    handed_in = official.hand_in("ada", GOOD)
    official.executor = Refusing()
    official.grade()
    assert official.verdicts() == ["accepted"]
    assert "given back error: cannot make a working folder" in "\n".join(official.log(handed_in))


def test_what_has_no_kit_waits_and_holds_up_nobody(official: Official) -> None:
    handed_in = official.hand_in("ada", GOOD)
    with closing(sqlite3.connect(official.data / FILE_NAME)) as database, database:
        database.execute("UPDATE submissions SET lab = 'gone'")
    official.hand_in("cleo", WRONG)
    with official.grading(jobs=1):
        official.wait_for(lambda: "wrong_answer" in official.verdicts())
        control.drain(official.service, "tess")
    assert official.verdicts() == ["waiting", "wrong_answer"]
    assert official.log(handed_in)[-1] == "given back the service has no kit of gone"


def test_a_pause_begins_nothing_new(official: Official) -> None:
    control.pause(official.service, "tess")
    official.hand_in("ada", GOOD)
    with official.grading():
        time.sleep(1)
        assert official.verdicts() == ["waiting"]
        control.resume(official.service, "tess")
        official.wait_until_idle()
        control.drain(official.service, "tess")
    assert official.verdicts() == ["accepted"]


def test_a_drain_finishes_what_is_graded_and_begins_nothing_new(official: Official) -> None:
    official.hand_in("ada", f"{GOOD}// fake: worker 0.8\n")
    official.hand_in("cleo", WRONG)
    with official.grading(jobs=1) as endings:
        official.wait_for(lambda: "grading" in official.states())
        control.drain(official.service, "tess")
    assert endings == ["drained"]
    assert official.verdicts() == ["accepted", "waiting"]


def test_what_is_graded_when_the_loop_stops_waits_again(official: Official) -> None:
    handed_in = official.hand_in("ada", f"{GOOD}// fake: sleep 60\n")
    loop = official.loop()
    thread = threading.Thread(target=loop.run)
    thread.start()
    official.wait_for(lambda: bool(official.gradings()))
    loop.processes.stop()
    thread.join(20)
    assert not thread.is_alive()
    assert official.verdicts() == ["waiting"]
    assert official.log(handed_in)[-1] == "given back the service ended"


def test_a_result_that_only_the_store_has_is_used(official: Official) -> None:
    """As after a kill between the two databases."""
    official.hand_in("cleo", WRONG)
    official.grade()
    with closing(sqlite3.connect(official.data / FILE_NAME)) as database, database:
        database.execute(
            "UPDATE submissions SET state = 'grading', verdict = NULL, result = NULL, points = NULL"
        )
    official.grade()
    assert official.verdicts() == ["wrong_answer"]
    assert list(official.gradings().values()) == [1]


def test_a_result_waits_for_a_database_that_others_have_locked(official: Official) -> None:
    official.hand_in("ada", f"{GOOD}// fake: worker 0.3\n")
    with official.grading():
        official.wait_for(lambda: bool(official.gradings()))
        with closing(sqlite3.connect(official.data / FILE_NAME, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            time.sleep(7)
            other.execute("ROLLBACK")
        official.wait_until_idle()
        control.drain(official.service, "tess")
    assert official.verdicts() == ["accepted"]
    assert list(official.gradings().values()) == [1]


def test_the_loop_waits_while_an_instructor_regrades(official: Official) -> None:
    official.hand_in("ada", GOOD)
    store = Store(official.data / "results" / "fake_sum", create=True)
    with official.grading():
        with store:
            official.wait_for(lambda: "grading" in official.states())
            time.sleep(0.5)
            assert official.verdicts() == ["grading"]
            assert not official.gradings()
        official.wait_until_idle()
        control.drain(official.service, "tess")
    assert official.verdicts() == ["accepted"]


def test_the_order_stays_when_the_clock_is_set_back(official: Official) -> None:
    official.hand_in("ada", WRONG)
    official.clock.move(days=-1)
    official.hand_in("cleo", GOOD)
    official.grade()
    rows = official.service.connect().execute("SELECT * FROM submissions ORDER BY number")
    times = [(row["received_at"], row["started_at"], row["ended_at"]) for row in rows]
    assert times[0][0] <= times[1][0]
    assert all(received <= started <= ended for received, started, ended in times)
    assert official.verdicts() == ["wrong_answer", "accepted"]
