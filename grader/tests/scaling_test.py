"""Points for scaling: from what the checker measured, or could not measure, to the result."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.checks.verdicts import cannot_tell
from grader.judge.bench import Bench
from grader.judge.grade import grade
from grader.judge.parts import PartState, conclude
from grader.judge.scaling import scaling_result
from grader.model.errors import JudgeError
from grader.model.lab import Part, Scaling
from grader.model.manifest import load_kit
from grader.model.result import Result, ScalingPoint
from grader.model.verdict import Verdict
from grader.run.checker import Case, Decision, Scaled, Timed, read_report
from grader.run.machine import MachineLock
from grader.run.processes import Processes
from grader.sample.samples import Sample
from grader.tests.fake_kit import GOOD, make_kit, submission

V = Verdict
SCALING = Scaling(suite="PartScaling", points=20, full=1.2, zero=1.6)
PART = Part(function="F", title="A part", suite="PartTest", points=40, scaling=SCALING)


def scaled(low: float, high: float, decision: Decision, student_ms: float = 1) -> Scaled:
    timed = Timed((low + high) / 2, low, high, 12, decision, student_ms, 1, False)
    curve = (
        ScalingPoint(threads=1, student=1, reference=1),
        ScalingPoint(threads=2, student=1.5, reference=1.9),
    )
    return Scaled(2, 2, timed, curve, 0.3, 0.05)


def case(verdict: Verdict, found: Scaled | None = None) -> Case:
    return Case("PartScaling", "Works", verdict, "said", scaled=found)


def concluded(*cases: Case) -> tuple[Verdict, float]:
    right = Case("PartTest", "Works", V.ACCEPTED)
    part = conclude(PartState(PART, [right], [], list(cases)))
    return part.verdict, part.points


@pytest.mark.parametrize(
    ("found", "verdict", "points"),
    [
        (scaled(0.9, 1.1, "full"), V.ACCEPTED, 60),
        (scaled(1.4, 1.41, "between"), V.ACCEPTED, 50),
        (scaled(1.8, 2.0, "zero"), V.TOO_SLOW, 40),
        (scaled(1.1, 2.0, "undecided"), V.ACCEPTED, 60),
        (scaled(1.5, 2.0, "undecided"), V.ACCEPTED, 45),
        (Scaled(1, 2), V.ACCEPTED, 60),
        (Scaled(0, 2), V.ACCEPTED, 60),
        (Scaled(5, 8), V.ACCEPTED, 60),
    ],
)
def test_scaling_counts_at_the_better_end_and_in_full_where_it_could_not_be_measured(
    found: Scaled, verdict: Verdict, points: float
) -> None:
    assert concluded(case(V.ACCEPTED, found)) == (verdict, points)


@pytest.mark.parametrize(
    ("failed", "verdict", "points"),
    [(V.WRONG_ANSWER, V.WRONG_ANSWER, 0), (V.TIME_LIMIT, V.TOO_SLOW, 40)],
)
def test_a_failed_call_while_scaling_is_measured_counts_like_one_while_timing(
    failed: Verdict, verdict: Verdict, points: float
) -> None:
    assert concluded(case(failed)) == (verdict, points)


def test_a_suite_that_says_nothing_of_scaling_is_our_failure() -> None:
    with pytest.raises(JudgeError, match="PartScaling measured nothing"):
        concluded(case(V.ACCEPTED))


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Scaled(1, 2), "not measured: 2 free cores are needed, 1 found; all its points are given"),
        (scaled(1.1, 2.0, "undecided"), "scaling: undecided after 12 pairs"),
        (scaled(0.9, 1.1, "full", 4.5), "with one thread 4.5 times the reference's time"),
    ],
)
def test_what_an_instructor_may_want_to_look_at_is_flagged(found: Scaled, words: str) -> None:
    assert words in (scaling_result(found, SCALING).flagged or "")


@pytest.mark.parametrize("found", [scaled(0.9, 1.1, "full", 2), scaled(1.8, 2, "zero", 9)])
def test_a_clear_measurement_is_not_flagged(found: Scaled) -> None:
    assert scaling_result(found, SCALING).flagged is None


# From the checker's words to a stored result


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    processes = Processes()
    kit = load_kit(make_kit(tmp_path, scaling=True))
    (tmp_path / "work").mkdir()
    return Bench(kit, 1, "m", processes, MachineLock(processes, tmp_path), tmp_path / "work")


def graded(bench: Bench, said: str = "uses nothing") -> Result:
    return grade(bench, submission(bench, f"{GOOD}// fake: {said}\n"))


@pytest.mark.parametrize(
    ("said", "verdict", "points"),
    [
        ("uses nothing", V.ACCEPTED, 100),
        ("scaling SumATiming 1.7 1.8 1.9 zero", V.TOO_SLOW, 92),
        ("scaling SumATiming 1.4 1.4 1.4 between", V.ACCEPTED, 96),
        ("scaling SumATiming 1", V.ACCEPTED, 100),
        ("timing SumATiming 4 5 6 zero", V.TOO_SLOW, 88),
    ],
)
def test_timing_and_scaling_of_one_suite_earn_points_apart(
    bench: Bench, said: str, verdict: Verdict, points: float
) -> None:
    result = graded(bench, said)
    assert (result.verdict, result.points) == (verdict, points)
    assert result.parts[0].timing is not None
    assert result.parts[0].scaling is not None
    assert result.parts[1].scaling is None


def test_the_curves_arrive_with_their_fractions(bench: Bench) -> None:
    scaling = graded(bench).parts[0].scaling
    assert scaling is not None
    assert scaling.measured is not None
    points = [(p.threads, p.student, p.reference) for p in scaling.measured.curve]
    assert points == [(1, 1, 1), (2, 1.6, 1.9), (3, 2, 2.8), (4, 2.2, 3.7)]
    assert (scaling.measured.student_serial, scaling.measured.reference_serial) == (0.25, 0.03)


@pytest.mark.parametrize("said", ["uses nothing", "scaling SumATiming 1"])
def test_a_result_with_scaling_is_the_same_after_a_stay_in_the_store(
    bench: Bench, said: str
) -> None:
    result = graded(bench, said)
    assert Result.model_validate_json(result.model_dump_json()) == result


def test_a_result_that_was_stored_before_there_was_scaling_is_still_read(bench: Bench) -> None:
    old = json.loads(graded(bench).model_dump_json())
    for part in old["parts"]:
        del part["scaling"]
    assert [part.scaling for part in Result.model_validate(old).parts] == [None, None]


def test_with_the_verdict_alone_asked_for_only_no_points_can_be_told(bench: Bench) -> None:
    quick = replace(bench, verdict_only=True)
    assert graded(quick, "scaling SumATiming 1.7 1.8 1.9 zero").verdict is V.TOO_SLOW
    assert graded(quick, "scaling SumATiming 1").verdict is V.ACCEPTED


@pytest.mark.parametrize(
    "damage",
    [{"scaling_student_speedups": "1"}, {"scaling_threads": "one,two"}, {"scaling_ratio": "x"}],
)
def test_figures_that_are_not_as_agreed_are_our_failure(
    tmp_path: Path, damage: dict[str, str]
) -> None:
    figures = {
        **{"free": "2", "needed": "2", "pairs": "6", "decision": "full", "threads": "1,2"},
        **{"ratio": "1", "ratio_low": "1", "ratio_high": "1", "student_ms": "1"},
        **{"reference_ms": "1", "student_speedups": "1,2", "reference_speedups": "1,2"},
        **{"student_serial": "0", "reference_serial": "0"},
    }
    test = {"name": "A", "status": "RUN", "result": "COMPLETED"}
    test |= {f"scaling_{name}": value for name, value in figures.items()}
    path = tmp_path / "r.json"

    def read(said: dict[str, str]) -> Scaled | None:
        suites = [{"name": "PartScaling", "testsuite": [said]}]
        path.write_text(json.dumps({"testsuites": suites}), encoding="utf-8")
        return read_report(path).cases[0].scaled

    assert read(test) is not None
    with pytest.raises(JudgeError):
        read(test | damage)


# Samples that must be too slow, on machines that cannot tell


@pytest.mark.parametrize(
    ("said", "expected", "told"),
    [
        ("scaling SumATiming 1", V.TOO_SLOW, True),
        ("scaling SumATiming 1.1 1.5 1.9 undecided", V.TOO_SLOW, True),
        ("scaling SumATiming 0.9 1.0 1.1 full", V.TOO_SLOW, False),
        ("scaling SumATiming 1.7 1.8 1.9 zero", V.TOO_SLOW, False),
        ("scaling SumATiming 1", V.ACCEPTED, False),
        ("tests SumATest wrong_answer", V.TOO_SLOW, False),
    ],
)
def test_a_sample_is_left_unchecked_only_where_its_scaling_could_not_be_decided(
    bench: Bench, said: str, expected: Verdict, told: bool
) -> None:
    sample = Sample(Path("too_slow/sample.cc"), expected)
    reason = cannot_tell(sample, graded(replace(bench, verdict_only=True), said))
    assert (reason is not None) is told
    assert reason is None or reason.startswith("too_slow/sample.cc: SumA: scaling")
