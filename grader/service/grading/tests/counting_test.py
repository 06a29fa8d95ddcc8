"""The submission that counts is the one that a results folder shows."""

import sqlite3
import time
from contextlib import closing
from decimal import Decimal
from pathlib import Path

from grader.judging.store import Store
from grader.model.verdict import Verdict
from grader.proof.fakes.fake_kit import GOOD
from grader.service import desk, marks, queue
from grader.service.explanations import explanation
from grader.service.grading import control
from grader.service.grading.tests.official import RACY, WORSE, WRONG, Official
from grader.service.hand_ins import term_so_far
from grader.service.marks import Given
from grader.service.people import Person


def test_the_best_submission_counts_after_the_penalty(official: Official) -> None:
    official.hand_in("cleo", WRONG)
    official.clock.move(days=5)  # late: 40 % less
    official.hand_in("cleo", GOOD)
    official.hand_in("cleo", WORSE)
    official.grade()
    assert official.stored("cleo").verdict is Verdict.ACCEPTED
    assert official.verdicts() == ["wrong_answer", "accepted", "wrong_answer"]


def test_a_submission_in_time_counts_where_the_penalty_is_larger(official: Official) -> None:
    first = official.hand_in("cleo", f"{GOOD}// fake: timing SumATiming 2 2.5 3 between\n")
    official.clock.move(days=5)
    official.hand_in("cleo", GOOD)
    official.grade()
    assert official.counts("cleo") == first


def test_the_last_submission_counts_where_the_course_says_so(tmp_path: Path) -> None:
    official = Official(tmp_path, counts="last")
    official.hand_in("cleo", GOOD)
    official.hand_in("cleo", WRONG)
    official.grade()
    assert official.stored("cleo").verdict is Verdict.WRONG_ANSWER


def test_what_counts_follows_an_extension(official: Official) -> None:
    first = official.hand_in("cleo", WRONG)
    official.clock.move(days=5)  # late: 60 points less 40 %, against 40
    late = official.hand_in("cleo", RACY)
    with official.grading():
        official.wait_until_idle()
        official.wait_for(lambda: official.counts("cleo") == first)
        text = official.course.read_text(encoding="utf-8")
        extension = '[[extensions]]\nstudents = ["cleo"]\ndays = 7\n'
        official.course.write_text(text + extension, encoding="utf-8")
        official.wait_for(lambda: official.counts("cleo") == late)
        control.drain(official.service, "tess")


def test_a_markers_points_decide_which_counts_as_in_the_terms_table(tmp_path: Path) -> None:
    """40 of 100 in time, and 100 less 40 % late: only with the marks is the first one better."""
    rubric = '[[rubric]]\nlab = "fake_sum"\nitem = "style"\npoints = 100\ntext = "Style"\n'
    official = Official(tmp_path, more=rubric)
    in_time = official.hand_in("cleo", WRONG)
    official.clock.move(days=5)
    late = official.hand_in("cleo", GOOD)
    with official.grading():
        official.wait_until_idle()
        official.wait_for(lambda: official.counts("cleo") == late)
        marks.give(official.service, "fake_sum", "cleo", {"style": Given("100")}, "tess")
        official.wait_for(lambda: official.counts("cleo") == in_time)
        control.drain(official.service, "tess")
    line = term_so_far(official.service, "cleo", official.service.now()).labs[0]
    assert (line.status, line.counted) == ("on_time", Decimal(70))


def test_a_group_has_one_line(official: Official) -> None:
    official.hand_in("ada", WRONG)
    official.hand_in("ben", GOOD)
    official.grade()
    assert official.stored("pair").verdict is Verdict.ACCEPTED


def test_a_lasting_failure_of_the_grader_costs_no_earlier_points(official: Official) -> None:
    official.hand_in("cleo", WRONG)
    official.grade()
    official.hand_in("cleo", f"{GOOD}// fake: broken 99\n")
    official.grade(pauses_s=(0.1,))
    assert official.verdicts() == ["wrong_answer", "judge_error"]
    assert official.stored("cleo").verdict is Verdict.WRONG_ANSWER


def test_staff_see_a_judge_error_where_there_is_nothing_else(official: Official) -> None:
    official.hand_in("cleo", f"{GOOD}// fake: broken 99\n")
    official.grade(pauses_s=())
    assert official.stored("cleo").verdict is Verdict.JUDGE_ERROR


def test_a_regraded_result_stays(official: Official) -> None:
    official.hand_in("cleo", WRONG)
    official.grade()
    regraded = official.stored("cleo").model_copy(deep=True)
    regraded.key.kit = "another"
    regraded.points = 99
    with Store(official.data / "results" / "fake_sum", create=True) as store:
        store.put(regraded, [("cleo", regraded.source)])
    official.grade()
    assert official.stored("cleo").points == 99


def test_a_result_by_another_kit_takes_the_place_of_the_one_before(official: Official) -> None:
    handed_in = official.hand_in("cleo", WRONG)
    official.grade()
    manifest = official.kit.manifest.model_copy(update={"digest": "1" * 64})
    official.kit = official.kit.model_copy(update={"manifest": manifest})
    time.sleep(1)  # results know the second in which they were made
    queue.grade_again(official.service, handed_in, "tess")
    official.grade()
    assert official.stored("cleo").key.kit == "1" * 64


def test_an_explanation_names_earlier_results_of_this_submission_alone(official: Official) -> None:
    handed_in = official.hand_in("cleo", WRONG)
    official.grade()
    assert _earlier(official, handed_in) == []
    manifest = official.kit.manifest.model_copy(update={"digest": "1" * 64})
    kit = official.kit
    official.kit = kit.model_copy(update={"manifest": manifest})
    time.sleep(1)  # results know the second in which they were made
    queue.grade_again(official.service, handed_in, "tess")
    official.grade()
    better = official.hand_in("cleo", GOOD)
    official.grade()
    assert _earlier(official, handed_in) == [kit.manifest.digest]
    assert _earlier(official, better) == []


def _earlier(official: Official, submission: str) -> list[str]:
    """The kits of the earlier results that a submission's explanation names."""
    row = desk.submission(official.service, submission, Person("tess", "staff"))
    result = desk.result_of(official.service, row)
    assert result
    explained = explanation(official.service, result)
    assert explained
    return [before.kit for before in explained[1].earlier]


def test_a_line_that_was_not_pointed_is_pointed_at_the_next_start(official: Official) -> None:
    """As after a kill between the database and the store's line, or with a restored older store."""
    official.hand_in("cleo", WRONG)
    official.grade()
    store = official.data / "results" / "fake_sum" / "results.sqlite"
    with closing(sqlite3.connect(store)) as database, database:
        database.execute("DELETE FROM students")
        database.execute("DELETE FROM results")
    official.grade()
    assert official.stored("cleo").verdict is Verdict.WRONG_ANSWER
    assert list(official.gradings().values()) == [1]
