"""Thresholds on the simulator's counters: points, untrusted JSON, verdicts."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.judging.judge.context import GradingContext
from grader.judging.judge.counter_points import counter_result, judge_counters
from grader.judging.judge.grading import grade
from grader.model.lab import CounterThreshold, Parallelism, Part
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.proof.fakes.fake_kit import GOOD
from grader.proof.fakes.grading import fake_context, modes, submission
from grader.sandbox.call_profile import Profile, ProfileError, parse_profile
from grader.sandbox.checker_report import Case

V = Verdict
ADVICE = "stores to c[] touch 32 sectors where 4 would do"


def kernel(
    name: str = "Add", *, moved: float = 8, ideal: float = 8, **others: object
) -> dict[str, Any]:
    """One kernel of a profile, with these sectors loaded and half as many stored."""
    return {
        "kernel": name,
        "file": "/submission/sum.cu",
        "line": 3,
        "grid": [2, 1, 1],
        "block": [256, 1, 1],
        "dynamic_shared_bytes": 0,
        "launches": 1,
        "counters": {
            "global_load_requests": 2,
            "global_load_sectors": moved,
            "global_load_ideal_sectors": ideal,
            "global_store_requests": 1,
            "global_store_sectors": moved / 2,
            "global_store_ideal_sectors": ideal / 2,
            "occupancy_limit": "threads",
        },
        "lines": [
            {"file": "/submission/sum.cu", "line": 7, "operation": "store", "advice": ADVICE}
        ],
        **others,
    }


def profile(*kernels: dict[str, Any], **call: float) -> str:
    device = "NVIDIA H100"
    return json.dumps({"schema": 1, "device": device, "kernels": list(kernels), "call": call})


def threshold(**keys: object) -> CounterThreshold:
    known = {"suite": "PartCounted", "counter": "global_efficiency", "points": 10, "why": "be near"}
    return CounterThreshold.model_validate(known | keys)


def launches(*kernels: dict[str, Any], **call: float) -> list[Profile]:
    return [parse_profile(profile(*kernels, **call))]


# Points


@pytest.mark.parametrize(
    ("moved", "points"), [(8, 10), (8 / 0.9, 10), (8 / 0.7, 5), (16, 0), (64, 0)]
)
def test_points_fall_in_a_straight_line_from_the_threshold_to_zero(
    moved: float, points: float
) -> None:
    partial = threshold(at_least=0.9, zero=0.5)
    assert counter_result(launches(kernel(moved=moved)), partial).points == pytest.approx(points)


@pytest.mark.parametrize(("sectors", "points"), [(8, 10), (10, 10), (12, 5), (14, 0), (99, 0)])
def test_at_most_is_the_mirror_of_at_least(sectors: float, points: float) -> None:
    asked = threshold(counter="global_load_sectors", at_most=10, zero=14)
    assert counter_result(launches(kernel(moved=sectors)), asked).points == points


def test_without_zero_points_are_all_or_nothing() -> None:
    assert counter_result(launches(kernel(moved=8.9)), threshold(at_least=0.9)).points == 0


def test_a_good_kernel_does_not_make_up_for_a_bad_one() -> None:
    counted = [kernel("Good", moved=800, ideal=800), kernel("Bad", moved=64)]
    got = counter_result(launches(*counted), threshold(at_least=0.9))
    assert (got.value, got.worst, got.points) == (0.125, "Bad", 0)


def test_launches_of_one_kernel_are_weighed_together_and_sums_add_up_over_kernels() -> None:
    counted = launches(kernel(moved=16), kernel(moved=84, ideal=82), kernel("Other"))
    assert counter_result(counted, threshold(at_least=0.9)).value == 0.9
    sectors = threshold(counter="global_load_sectors", at_most=100)
    assert counter_result(counted, sectors).value == 108


def test_a_pattern_chooses_kernels_by_name_and_none_earns_nothing() -> None:
    counted = launches(kernel("AddKernel"), kernel("Tail", moved=64))
    assert counter_result(counted, threshold(at_least=0.9, kernel="Add*")).points == 10
    missing = counter_result(counted, threshold(at_least=0.9, kernel="Scan*"))
    assert (missing.value, missing.points) == (None, 0)


def test_an_operation_that_never_ran_has_no_conflicts_and_no_efficiency() -> None:
    silent = launches(kernel(counters={}))
    degree = threshold(counter="shared_conflict_degree", at_most=1, none_is_right=True)
    assert counter_result(silent, degree).points == 10
    assert counter_result(silent, threshold(at_least=0.9)).points == 0


@pytest.mark.parametrize("counter", ["shared_conflict_degree", "shared_load_wavefronts"])
def test_a_count_of_0_earns_nothing_unless_the_lab_says_so(counter: str) -> None:
    asked = threshold(counter=counter, at_most=9)
    for silent in (kernel(counters={}), kernel(counters={counter: 0})):
        got = counter_result(launches(silent), asked)
        assert (got.value, got.points) == (None, 0)
    assert counter_result(launches(kernel(counters={counter: 9})), asked).points == 10


def test_advice_comes_with_the_students_own_line_and_only_where_points_are_missing() -> None:
    missed = counter_result(launches(kernel(moved=64)), threshold(at_least=0.9))
    assert missed.advice == [f"sum.cu:7: {ADVICE}"]
    assert counter_result(launches(kernel()), threshold(at_least=0.9)).advice == []


def test_the_same_advice_is_given_once_to_a_part() -> None:
    both = [threshold(at_least=0.9), threshold(counter="global_load_sectors", at_most=9)]
    part = PART.model_copy(update={"counters": both})
    got = judge_counters(part, [case(V.ACCEPTED, profile(kernel(moved=64)))])
    assert [result.advice for result in got.results] == [[f"sum.cu:7: {ADVICE}"], []]


# Hostile JSON


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"schema": 2, "kernels": []}',
        '{"schema": 1, "kernels": {}}',
        "[" * 100_000,
        '{"schema": 1, "kernels": ' + "[" * 100_000,
        profile(kernel(launches=0)),
        profile(kernel(launches="3")),
        profile(kernel("")),
        profile(kernel("K" * 300)),
        profile(kernel(counters=[])),
        profile(kernel(counters={"barriers": -1})),
        profile(kernel(counters={"barriers": 1e300})),
        profile(kernel(counters={"barriers": float("nan")})),
        profile(kernel(counters={"barriers": float("inf")})),
        profile(kernel(counters={"barriers": "1"})),
        profile(kernel(counters={"barriers": True})),
        profile(kernel(counters={"barriers": [1]})),
        profile(kernel(lines=[{"advice": "x" * 2000}])),
        profile(kernel(lines=[{"line": -1}])),
        profile(kernel(lines=[{}] * 600)),
        profile(*[kernel()] * 600),
        profile(kernel(), work=-1),
        profile(kernel(), span=float("nan")),
        profile(kernel()).replace(": 3", ": " + "9" * 5000),
    ],
)
def test_text_that_the_simulator_does_not_write_is_refused_in_few_words(text: str) -> None:
    with pytest.raises(ProfileError) as refused:
        parse_profile(text)
    assert len(str(refused.value)) < 400


def test_counters_of_a_later_simulator_are_left_out() -> None:
    (call,) = launches(kernel(counters={"new": "x", "barriers": 2, "branches": None}, colour=1))
    (entry,) = call.kernels
    assert entry.counters == {"barriers": 2}


# Verdicts

PART = Part(
    function="F",
    title="A part",
    suite="PartTest",
    points=40,
    counters=[
        threshold(at_least=0.9),
        threshold(counter="barriers", at_most=2, none_is_right=True),
    ],
)


def case(verdict: Verdict | None, *profiles: str, cut: bool = False) -> Case:
    return Case("PartCounted", "Works", verdict, "said", "", None, profiles, cut)


@pytest.mark.parametrize(
    ("cases", "verdict", "points"),
    [
        ([case(V.ACCEPTED, profile(kernel()))], V.ACCEPTED, 20),
        ([case(V.ACCEPTED, profile(kernel(moved=64)))], V.TOO_SLOW, 10),
        ([case(V.ACCEPTED, profile(kernel()), profile(kernel(moved=999)))], V.TOO_SLOW, 10),
        ([case(V.WRONG_ANSWER, profile(kernel()))], V.WRONG_ANSWER, 0),
        ([case(V.RUNTIME_ERROR)], V.RUNTIME_ERROR, 0),
        ([case(V.TIME_LIMIT)], V.TOO_SLOW, 0),
        ([case(V.MEMORY_LIMIT)], V.TOO_SLOW, 0),
        ([case(V.ACCEPTED, cut=True)], V.TOO_SLOW, 0),
        ([case(V.ACCEPTED, "{}")], V.RUNTIME_ERROR, 0),
        ([case(V.ACCEPTED)], V.TOO_SLOW, 0),
    ],
)
def test_counted_calls_give_points_only_for_right_answers(
    cases: list[Case], verdict: Verdict, points: float
) -> None:
    got = judge_counters(PART, cases)
    assert (got.verdict, sum(result.points for result in got.results)) == (verdict, points)


ASKED = Parallelism(suite="PartCounted", points=10, full=300, zero=100)


@pytest.mark.parametrize(
    ("calls", "share"),
    [
        ([{"work": 900, "span": 3}], 1),
        ([{"work": 300, "span": 1}, {"work": 300, "span": 2}], 0.5),
        ([{"work": 1000, "span": 1000}], 0),
        ([{"work": 1, "span": 1}], 0),
    ],
)
def test_work_over_span_of_all_calls_decides_which_share_of_the_points_counts(
    calls: list[dict[str, float]], share: float
) -> None:
    part = PART.model_copy(update={"parallelism": ASKED})
    got = judge_counters(part, [case(V.ACCEPTED, *(profile(kernel(), **call) for call in calls))])
    assert got.parallelism
    assert (got.parallelism.share, got.parallelism.points) == (share, 10 * share)
    assert got.verdict is (V.ACCEPTED if share == 1 else V.TOO_SLOW)


def test_a_call_whose_outputs_need_no_kernel_is_refused() -> None:
    calls = [profile(kernel(), work=100, span=1), profile(kernel(), work=0, span=1)]
    part = PART.model_copy(update={"parallelism": ASKED})
    got = judge_counters(part, [case(V.ACCEPTED, *calls)])
    assert got.verdict is V.POLICY
    assert "F: nothing that a kernel stores in a call reaches an output" in got.message


@pytest.mark.parametrize(("copied", "verdict"), [(4096, V.ACCEPTED), (4097, V.POLICY)])
def test_data_that_leaves_the_device_is_refused_beyond_what_the_part_allows(
    copied: float, verdict: Verdict
) -> None:
    calls = [profile(kernel()), profile(kernel(), host_device_bytes=copied)]
    got = judge_counters(PART, [case(V.ACCEPTED, *calls)])
    assert got.verdict is verdict
    assert ("F moves 4,097 bytes between host and device" in got.message) is (copied > 4096)
    allowing = PART.model_copy(update={"copied_bytes": 4097})
    assert judge_counters(allowing, [case(V.ACCEPTED, *calls)]).verdict is V.ACCEPTED


def test_a_counted_call_over_a_limit_has_no_parallelism() -> None:
    part = PART.model_copy(update={"parallelism": ASKED})
    got = judge_counters(part, [case(V.TIME_LIMIT)])
    assert got.parallelism
    assert (got.parallelism.value, got.parallelism.share) == (None, 0)


@pytest.fixture
def context(tmp_path: Path) -> GradingContext:
    return fake_context(tmp_path, counters=True)


def graded(context: GradingContext, *said: str) -> Result:
    text = GOOD + "".join(f"// fake: {line}\n" for line in said)
    return grade(context, submission(context, text))


BAD = f"profile SumBCounted {profile(kernel(moved=64))}"
HALF = f"profile SumBCounted {profile(kernel(moved=8 / 0.7))}"
ALL = ["tests", "races", "counters", "timing"]


@pytest.mark.parametrize(
    ("said", "verdict", "points", "phases"),
    [
        ("uses memcpy", V.ACCEPTED, 100, ALL),
        (BAD, V.TOO_SLOW, 92, ALL),
        (HALF, V.TOO_SLOW, 96, ALL),
        ("counters SumBCounted wrong_answer", V.WRONG_ANSWER, 60, ALL),
        ("counters SumBCounted time_limit", V.TOO_SLOW, 90, ALL),
        ("profile SumBCounted {}", V.RUNTIME_ERROR, 60, ALL),
        ("tests SumBTest wrong_answer", V.WRONG_ANSWER, 60, ["tests", "races", "timing"]),
        ("races SumBTest data_race", V.DATA_RACE, 60, ["tests", "races", "timing"]),
    ],
)
def test_a_submission_is_counted_only_where_its_answers_are_right(
    context: GradingContext, said: str, verdict: Verdict, points: float, phases: list[str]
) -> None:
    result = graded(context, said)
    assert (result.verdict, result.points) == (verdict, points)
    assert modes(context) == phases


@pytest.mark.parametrize(
    "said",
    [
        BAD,
        "counters SumBCounted wrong_answer",
        "tests SumBTest wrong_answer",
        "races SumBTest data_race",
    ],
)
def test_checks_made_side_by_side_give_the_same_result(context: GradingContext, said: str) -> None:
    one, other = graded(context, said), graded(replace(context, spare_cores=True), said)
    varying = {"seconds", "graded_at"}
    assert one.model_dump(exclude=varying) == other.model_dump(exclude=varying)


def test_the_same_submission_gets_the_same_counters_every_time(context: GradingContext) -> None:
    first, second = graded(context, BAD), graded(context, BAD)
    assert first.parts[1].counters
    assert first.parts[1].counters == second.parts[1].counters


def test_a_result_with_counters_survives_serialisation(context: GradingContext) -> None:
    result = graded(context, BAD)
    assert Result.model_validate_json(result.model_dump_json()) == result


def test_missed_points_settle_the_verdict_without_timing(context: GradingContext) -> None:
    lab = context.kit.lab
    first, second = lab.parts
    both = first.model_copy(update={"counters": second.counters})
    kit = context.kit.model_copy(update={"lab": lab.model_copy(update={"parts": [both]})})
    quick = replace(context, kit=kit, verdict_only=True)
    assert graded(quick, BAD).verdict is V.TOO_SLOW
    assert modes(context) == ["tests", "races", "counters"]


def test_a_bound_takes_nothing_away_but_what_is_counted(context: GradingContext) -> None:
    wrong = f"tests SumATest wrong_answer\n// fake: {BAD}"
    assert graded(replace(context, bound=True), wrong).points == graded(context, BAD).points
    assert modes(context)[0] == "counters"
    assert graded(context, wrong).points < graded(context, BAD).points


def test_missed_points_of_one_part_do_not_hide_those_of_the_next(context: GradingContext) -> None:
    lab = context.kit.lab
    first, second = lab.parts
    both = first.model_copy(update={"counters": second.counters})
    kit = context.kit.model_copy(update={"lab": lab.model_copy(update={"parts": [both, second]})})
    result = graded(replace(context, kit=kit, verdict_only=True), BAD)
    assert result.verdict is V.TOO_SLOW
    assert [part.counters[0].points for part in result.parts] == [0, 0]
