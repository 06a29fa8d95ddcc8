"""The queue: fair to teams, loses nothing, and is honest about when a verdict comes."""

import random
import tempfile
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.model.verdict import Verdict
from grader.service import desk, log, people, queue
from grader.service.refused import Refused
from grader.service.service import Service
from grader.service.tests.made_up import (
    Clock,
    grade_next,
    hand_in,
    make_service,
    result_of,
)

TEAMS = ("cleo", "dan", "eve", "ada")


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return make_service(tmp_path)


def state_of(service: Service, submission_id: str) -> desk.Submission:
    staff = people.person(service, "tess")
    assert staff is not None
    return desk.submission(service, submission_id, staff)


def test_one_who_hands_in_fifty_times_delays_each_other_team_by_one(service: Service) -> None:
    many = [hand_in(service, "cleo").id for _ in range(50)]
    assert grade_next(service) == many[0]
    one, other = hand_in(service, "dan").id, hand_in(service, "eve").id
    assert [grade_next(service) for _ in range(4)] == [one, other, many[1], many[2]]
    late = hand_in(service, "ada").id
    assert grade_next(service) == late


def test_members_of_a_group_share_its_turn(service: Service) -> None:
    first, second = hand_in(service, "ada").id, hand_in(service, "ben").id
    third = hand_in(service, "cleo").id
    assert [grade_next(service) for _ in range(3)] == [first, third, second]


def test_an_empty_queue_and_a_pause_give_nothing(service: Service) -> None:
    assert queue.claim(service, 0) is None
    hand_in(service)
    grade_next(service)
    hand_in(service)
    with service.change() as change:
        change.set_fact(queue.PAUSED, "tess")
    assert queue.claim(service, 0) is None
    assert list(queue.places(service).values()) == [queue.Place(1, None)]
    with service.change() as change:
        change.set_fact(queue.PAUSED, None)
    assert queue.claim(service, 0) is not None
    assert queue.claim(service, 1) is None


def test_a_claim_has_the_file_and_counts_the_tries(service: Service) -> None:
    receipt = hand_in(service, text=b"text")
    claimed = queue.claim(service, 0)
    assert claimed is not None
    assert (claimed.id, claimed.content, claimed.tries) == (receipt.id, b"text", 1)
    assert not claimed.again
    assert queue.give_back(service, claimed.number)
    assert tries_of_next(service) == 1  # it was given back in order
    queue.give_back(service, claimed.number, until=service.now())
    assert tries_of_next(service) == 2
    queue.recover(service)
    assert tries_of_next(service) == 3


def tries_of_next(service: Service) -> int:
    claimed = queue.claim(service, 0)
    assert claimed is not None
    return claimed.tries


def test_what_a_killed_grader_left_waits_at_its_old_place(service: Service) -> None:
    ids = [hand_in(service, name).id for name in ("cleo", "dan", "eve")]
    for slot in range(2):
        queue.claim(service, slot)
    assert queue.recover(service) == 2
    assert queue.recover(service) == 0
    assert [grade_next(service) for _ in range(3)] == ids


def test_what_is_given_back_for_a_time_waits_that_long(tmp_path: Path) -> None:
    clock = Clock()
    service = make_service(tmp_path, clock=clock)
    first, second = hand_in(service, "cleo").id, hand_in(service, "dan").id
    claimed = queue.claim(service, 0)
    assert claimed is not None
    queue.give_back(service, claimed.number, "busy", clock.at + timedelta(seconds=30))
    assert grade_next(service) == second
    assert grade_next(service) is None
    clock.move(seconds=30)
    assert grade_next(service) == first


def test_a_verdict_is_given_once(service: Service) -> None:
    receipt = hand_in(service)
    claimed = queue.claim(service, 0)
    assert claimed is not None
    assert queue.finish(service, claimed.number, result_of())
    assert not queue.finish(service, claimed.number, result_of(first=Verdict.WRONG_ANSWER))
    assert not queue.give_back(service, claimed.number)
    assert state_of(service, receipt.id).verdict == "accepted"


def test_a_judge_error_has_no_points(service: Service) -> None:
    receipt = hand_in(service)
    grade_next(service, Verdict.JUDGE_ERROR)
    found = state_of(service, receipt.id)
    assert (found.state, found.points, found.max_points) == ("judge_error", None, None)


def test_grading_again_takes_a_new_turn_and_replaces_the_result(service: Service) -> None:
    old = hand_in(service, "cleo").id
    grade_next(service, Verdict.WRONG_ANSWER)
    other = hand_in(service, "dan").id
    queue.grade_again(service, old, "tess")
    assert state_of(service, old).verdict == "wrong_answer"
    with pytest.raises(Refused):
        queue.grade_again(service, old, "tess")
    assert grade_next(service) == other
    claimed = queue.claim(service, 0)
    assert claimed is not None
    assert claimed.again
    queue.finish(service, claimed.number, result_of())
    found = state_of(service, old)
    assert (found.verdict, found.tries) == ("accepted", 1)


def test_what_is_missing_cannot_be_graded_again(service: Service) -> None:
    with pytest.raises(Refused, match="no such submission"):
        queue.grade_again(service, "nope", "tess")


def test_our_failure_to_grade_again_leaves_the_verdict(service: Service) -> None:
    receipt = hand_in(service)
    grade_next(service)
    queue.grade_again(service, receipt.id, "tess")
    grade_next(service, Verdict.JUDGE_ERROR)
    found = state_of(service, receipt.id)
    assert (found.state, found.verdict) == ("graded", "accepted")
    result = desk.result_of(service, found)
    assert result is not None
    assert result.verdict is Verdict.ACCEPTED


def test_the_log_tells_the_life_of_a_submission(service: Service) -> None:
    receipt = hand_in(service)
    claimed = queue.claim(service, 3)
    assert claimed is not None
    queue.set_phase(service, claimed.number, "compile")
    queue.recover(service)
    grade_next(service)
    queue.grade_again(service, receipt.id, "tess")
    entries = log.entries(service.connect(), receipt.id)
    assert [(each.who, each.what) for each in reversed(entries)] == [
        ("cleo", "handed in"),
        ("service", "grading started"),
        ("service", "given back"),
        ("service", "grading started"),
        ("service", "graded"),
        ("tess", "asked to grade again"),
    ]


@settings(database=None, deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.one_of(
            st.sampled_from([("hand in", team) for team in TEAMS]),
            st.sampled_from([("claim", slot) for slot in ("0", "1")]),
            st.sampled_from([("finish", ""), ("give back", ""), ("killed", ""), ("clock", "")]),
        ),
        max_size=60,
    )
)
def test_nothing_is_lost_or_graded_twice_and_no_team_waits_for_two_of_another(
    steps: list[tuple[str, str]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        clock = Clock()
        service = make_service(Path(folder), clock=clock)
        receipts: list[str] = []
        claimed: list[queue.Claimed] = []
        graded: Counter[str] = Counter()
        passed: dict[str, dict[str, set[str]]] = {}
        for step, name in steps:
            if step == "hand in":
                receipts.append(hand_in(service, name).id)
                passed[receipts[-1]] = defaultdict(set)
            elif step == "claim" and (found := queue.claim(service, int(name))):
                claimed.append(found)
                check_is_fair(service, found, passed)
            elif step == "finish" and claimed:
                graded[claimed[0].id] += queue.finish(service, claimed.pop(0).number, result_of())
            elif step == "give back" and claimed:
                queue.give_back(service, claimed.pop().number)
            elif step == "killed":
                assert queue.recover(service) == len(claimed)
                claimed.clear()
            elif step == "clock":
                clock.move(seconds=-3600)
        queue.recover(service)
        clock.move(days=30)
        while found_id := grade_next(service):
            graded[found_id] += 1
        assert graded == Counter(receipts)


def check_is_fair(
    service: Service, taken: queue.Claimed, passed: dict[str, dict[str, set[str]]]
) -> None:
    """A team's oldest waiting submission sees at most two of another team go before it: one that
    had its turn before, and one of its round. What was given back keeps its turn."""
    rows = service.connect().execute(
        "SELECT id, team, MIN(round) FROM submissions"
        " WHERE state = 'waiting' AND not_before IS NULL GROUP BY team"
    )
    for row in rows.fetchall():
        if row["team"] != taken.team:
            passed[row["id"]][taken.team].add(taken.id)
            assert len(passed[row["id"]][taken.team]) <= 2


def test_without_gradings_there_is_a_place_but_no_estimate(service: Service) -> None:
    ids = [hand_in(service, name).id for name in ("cleo", "dan")]
    places = queue.places(service)
    assert [places[each] for each in ids] == [queue.Place(1, None), queue.Place(2, None)]
    queue.claim(service, 0)
    assert queue.place(service, ids[0]) == queue.Place(0, None)
    grade_next(service)
    assert queue.place(service, ids[1]) is None


def test_estimates_follow_recent_durations_of_the_lab_and_the_number_of_graders(
    tmp_path: Path,
) -> None:
    clock = Clock()
    service = make_service(tmp_path, clock=clock)
    for lab, seconds in (("fake_sum", 40), ("fake_scan", 10)):
        hand_in(service, lab=lab)
        claimed = queue.claim(service, 0)
        assert claimed is not None
        clock.move(seconds=seconds)
        queue.finish(service, claimed.number, result_of(lab))
    queue.beat(service, range(2))
    ids = [
        hand_in(service, name, lab).id
        for name, lab in (("cleo", "fake_sum"), ("dan", "fake_scan"), ("eve", "fake_scan"))
    ]
    places = queue.places(service)
    assert [places[each] for each in ids] == [
        queue.Place(1, 40.0),
        queue.Place(2, 10.0),
        queue.Place(3, 20.0),
    ]
    queue.claim(service, 0)
    clock.move(seconds=15)
    assert queue.place(service, ids[0]) == queue.Place(0, 25.0)


def test_a_file_that_is_known_is_expected_at_once(tmp_path: Path) -> None:
    clock = Clock()
    service = make_service(tmp_path, clock=clock)
    for seconds in (40, 1):
        hand_in(service, text=b"same")
        claimed = queue.claim(service, 0)
        assert claimed is not None
        clock.move(seconds=seconds)
        queue.finish(service, claimed.number, result_of())
    assert queue.place(service, hand_in(service, "cleo", text=b"same").id) == queue.Place(1, 1.0)
    assert queue.place(service, hand_in(service, "dan").id) == queue.Place(2, 41.0)


def test_estimates_before_a_deadline_are_right_within_thirty_per_cent(tmp_path: Path) -> None:
    """Sixty students hand in four times each in the last two minutes; two graders need 4 to 6 s."""
    clock, chance = Clock(datetime(2026, 10, 23, 21, 57, 59, tzinfo=UTC)), random.Random(4)  # noqa: S311
    made = make_service(tmp_path)
    students = [f"student{number:02}" for number in range(60)]
    course = made.course.model_copy(update={"students": students, "groups": []})
    service = Service(course, made.course_path, made.data, made.labs, clock)
    people.enrol(service)
    hand_in(service, students[0])
    warm = queue.claim(service, 0)
    assert warm is not None
    clock.move(seconds=5)
    queue.finish(service, warm.number, result_of())
    start = clock.at
    arrivals = sorted((chance.uniform(0, 115), chance.choice(students)) for _ in range(240))
    busy: dict[int, tuple[float, int]] = {}
    expected: dict[str, tuple[float, float]] = {}
    ratios: list[float] = []
    second = 0.0
    while arrivals or busy:
        clock.at = start + timedelta(seconds=second)
        if second % 30 == 0:
            queue.beat(service, range(2))
        while arrivals and arrivals[0][0] <= second:
            receipt = hand_in(service, arrivals.pop(0)[1])
            place = queue.place(service, receipt.id)
            assert place is not None
            assert place.estimate_s is not None
            expected[receipt.id] = (second, place.estimate_s)
        for slot in range(2):
            if slot in busy and busy[slot][0] <= second:
                queue.finish(service, busy.pop(slot)[1], result_of())
            if slot not in busy and (claimed := queue.claim(service, slot)):
                busy[slot] = (second + chance.uniform(4, 6), claimed.number)
                at, estimate = expected[claimed.id]
                ratios.append(estimate / (busy[slot][0] - at))
        second += 0.5
    assert len(ratios) == 240
    assert sum(0.7 <= ratio <= 1.3 for ratio in ratios) / 240 > 0.9, sorted(ratios)
