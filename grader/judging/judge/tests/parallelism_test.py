"""A CPU part's parallelism: results from measurements, and without them."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from grader.judging.judge.context import GradingContext
from grader.judging.judge.parallelism import threads_result
from grader.judging.judge.parts import PartState, conclude
from grader.judging.kinds.run import grade_with_retries
from grader.model.errors import JudgeError
from grader.model.lab import Parallelism, Part
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.proof.fakes.fake_kit import GOOD
from grader.proof.fakes.grading import fake_context, modes, submission
from grader.sandbox.checker_report import Case, Decision, TeamMeasured, TeamRun, read_report

V = Verdict
ASKED = Parallelism(suite="PartTiming", points=20, full=2.2, zero=1.2)
PART = Part(function="F", title="A part", suite="PartTest", points=40, parallelism=ASKED)


def measured(low: float, high: float, decision: Decision, *, short: bool = False) -> TeamRun:
    value = (low + high) / 2
    team = TeamMeasured(value, low, high, 6, decision, 3.9, 1.2, 1, 1.1, 0, 1.8, 40, 5, short)
    return TeamRun(4, 2, measured=team)


def case(verdict: Verdict, found: TeamRun | None = None) -> Case:
    return Case("PartTiming", "Works", verdict, "said", team_run=found)


def concluded(*cases: Case) -> tuple[Verdict, float]:
    right = Case("PartTest", "Works", V.ACCEPTED)
    part = conclude(PartState(PART, [right], [], list(cases)))
    return part.verdict, part.points


@pytest.mark.parametrize(
    ("found", "verdict", "points"),
    [
        (measured(3.1, 3.3, "full"), V.ACCEPTED, 60),
        (measured(1.69, 1.7, "between"), V.ACCEPTED, 50),
        (measured(0.9, 1.1, "zero"), V.TOO_SLOW, 40),
        (measured(1.1, 2.5, "undecided"), V.ACCEPTED, 60),
        (measured(1.0, 1.7, "undecided"), V.ACCEPTED, 50),
        (measured(0.1, 2.3, "undecided"), V.TOO_SLOW, 40),
        (TeamRun(4, 1, waits_counted=False), V.ACCEPTED, 60),
    ],
)
def test_parallelism_counts_at_the_better_end_and_in_full_where_it_could_not_be_measured(
    found: TeamRun, verdict: Verdict, points: float
) -> None:
    assert concluded(case(V.ACCEPTED, found)) == (verdict, points)


@pytest.mark.parametrize(
    ("failed", "verdict", "points"),
    [(V.WRONG_ANSWER, V.WRONG_ANSWER, 0), (V.TIME_LIMIT, V.TOO_SLOW, 40)],
)
def test_a_failed_call_while_parallelism_is_measured_counts_like_one_while_timing(
    failed: Verdict, verdict: Verdict, points: float
) -> None:
    assert concluded(case(failed)) == (verdict, points)


def test_a_suite_that_says_nothing_of_parallelism_is_our_failure() -> None:
    with pytest.raises(JudgeError, match="PartTiming measured nothing"):
        concluded(case(V.ACCEPTED))


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (TeamRun(4, 1, waits_counted=False), "not measured: this kernel does not report"),
        (replace(measured(3, 3, "full"), waits_counted=False), "the run time on 2 cores was used"),
        (measured(1.1, 2.5, "undecided"), "undecided after 6 rounds: the interval 1.10 to 2.50"),
        (measured(0.1, 2.3, "undecided"), "earns nothing, as its median 1.20 does not"),
        (measured(3, 3, "full", short=True), "calls shorter than 5 ms"),
    ],
)
def test_what_an_instructor_may_want_to_look_at_is_flagged(found: TeamRun, words: str) -> None:
    assert words in (threads_result(found, ASKED).flagged or "")


@pytest.mark.parametrize("found", [measured(3.1, 3.3, "full"), measured(0.9, 1.1, "zero")])
def test_a_clear_measurement_is_not_flagged(found: TeamRun) -> None:
    assert threads_result(found, ASKED).flagged is None


# From the checker's report to a stored result


@pytest.fixture
def context(tmp_path: Path) -> GradingContext:
    return fake_context(tmp_path, parallelism=True)


def graded(context: GradingContext, said: str = "uses memcpy") -> Result:
    text = f"{GOOD}// fake: {said}\n"
    return grade_with_retries(context, submission(context, text), backoff=())


@pytest.mark.parametrize(
    ("said", "verdict", "points"),
    [
        ("uses memcpy", V.ACCEPTED, 100),
        ("parallelism SumATiming 0.9 1.0 1.1 zero", V.TOO_SLOW, 80),
        ("parallelism SumATiming 1.7 1.7 1.7 between", V.ACCEPTED, 90),
        ("parallelism SumATiming 1", V.ACCEPTED, 100),
        ("timing SumATiming 4 5 6 zero", V.TOO_SLOW, 88),
    ],
)
def test_timing_points_count_by_the_share_that_parallelism_of_the_same_suite_earns(
    context: GradingContext, said: str, verdict: Verdict, points: float
) -> None:
    result = graded(context, said)
    assert (result.verdict, result.points) == (verdict, points)
    assert result.parts[0].timing is not None
    assert result.parts[0].parallelism is not None
    assert result.parts[1].parallelism is None


def test_what_the_threads_did_arrives_in_the_result(context: GradingContext) -> None:
    parallelism = graded(context).parts[0].parallelism
    assert parallelism is not None
    assert (parallelism.low, parallelism.value, parallelism.high) == (3.1, 3.25, 3.4)
    threads = parallelism.threads
    assert threads is not None
    assert (threads.team, threads.runnable, threads.inflation) == (4, 3.9, 1.2)
    assert (threads.balance, threads.cores, threads.speedup) == (1.1, 2, 1.8)


@pytest.mark.parametrize("said", ["uses memcpy", "parallelism SumATiming 1"])
def test_a_result_with_parallelism_survives_serialisation(
    context: GradingContext, said: str
) -> None:
    result = graded(context, said)
    assert Result.model_validate_json(result.model_dump_json()) == result


def test_verdict_only_grading_is_too_slow_if_parallelism_earns_nothing(
    context: GradingContext,
) -> None:
    quick = replace(context, verdict_only=True)
    assert graded(quick, "parallelism SumATiming 0.9 1.0 1.1 zero").verdict is V.TOO_SLOW
    assert graded(quick, "parallelism SumATiming 1").verdict is V.ACCEPTED


@pytest.mark.parametrize(
    ("said", "points"),
    [
        ("uses memcpy", 100),
        ("timing SumATiming 4 5 6 zero", 100),
        ("tests SumBTest wrong_answer", 100),
        ("parallelism SumATiming 1.7 1.7 1.7 between", 90),
        ("parallelism SumATiming 1.4 1.4 1.4 zero", 80),
        ("shares SumATiming wrong_answer", 40),
    ],
)
def test_a_bound_takes_nothing_away_but_what_the_shares_of_the_data_tell(
    context: GradingContext, said: str, points: float
) -> None:
    result = graded(replace(context, bound=True), said)
    assert (result.points, modes(context)) == (points, ["shares"])


@pytest.mark.parametrize("damage", [{"low": "x"}, {"decision": "perhaps"}, {"value": None}])
def test_figures_that_are_not_as_agreed_are_our_failure(
    tmp_path: Path, damage: dict[str, object]
) -> None:
    figures = asdict(measured(3.1, 3.3, "full"))
    path = tmp_path / "r.json"

    def read(measured: dict[str, object]) -> TeamRun | None:
        test = {"suite": "PartTiming", "name": "A", "verdict": "accepted", "message": ""}
        cases = [test | {"team_run": figures | {"measured": measured}}]
        report = {"schema": 1, "protections_lost": [], "cases": cases}
        path.write_text(json.dumps(report), encoding="utf-8")
        return read_report(path).cases[0].team_run

    assert read(figures["measured"]) is not None
    with pytest.raises(JudgeError):
        read(figures["measured"] | damage)


# Samples that must be too slow, on machines that cannot decide it
