"""What a student is told to do next, and by which command."""

from grader.model.lab import Feedback
from grader.model.result import ParallelismResult, Result, ThreadsMeasurement
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import (
    LAB,
    counted_lab,
    counted_result,
    make_result,
)
from grader.pages.report.next_steps import next_steps


def _right() -> Result:
    result = make_result("ada", Verdict.ACCEPTED, Verdict.ACCEPTED)
    for part in result.parts:
        assert part.timing
        part.timing.points = part.timing.max_points
    return result


def _parallelism(**threads: float) -> ParallelismResult:
    figures = {"team": 4, "runnable": 3.9, "balance": 1, "inflation": 1, "rounds": 9} | threads
    return ParallelismResult(
        value=1.1,
        full=2,
        zero=1.6,
        decision="zero",
        share=0,
        points=0,
        max_points=10,
        threads=ThreadsMeasurement.model_validate(figures),
    )


def test_has_nothing_to_fix_for_all_points() -> None:
    assert [step.text for step in next_steps(_right(), LAB)] == [
        "You have all points: there is nothing to fix."
    ]


def test_asks_nothing_of_who_was_not_judged() -> None:
    result = make_result("ada", Verdict.JUDGE_ERROR, Verdict.WRONG_ANSWER)
    (step,) = next_steps(result, LAB)
    assert "will be graded again" in step.text
    assert step.command == ""


def test_runs_the_sanitizer_that_shows_the_failure() -> None:
    for verdict, config in (
        (Verdict.DATA_RACE, "--config=tsan "),
        (Verdict.OUT_OF_BOUNDS, "--config=asan "),
        (Verdict.WRONG_ANSWER, ""),
    ):
        first, *_ = next_steps(make_result("ada", verdict, Verdict.ACCEPTED), LAB)
        assert first.command == f"bazel test {config}//labs/fake_sum/..."
    lab = LAB.model_copy(update={"model": "cuda"})
    first, *_ = next_steps(make_result("ada", Verdict.DATA_RACE, Verdict.ACCEPTED), lab)
    assert first.command == "bazel test //labs/fake_sum/..."


def test_says_once_what_several_parts_need() -> None:
    steps = next_steps(make_result("ada", Verdict.DATA_RACE, Verdict.DATA_RACE), LAB)
    assert len(steps) == 1
    assert steps[0].text.startswith("Partial sums, Work queue: ")


def test_speaks_of_the_file_where_nothing_was_run() -> None:
    (step,) = next_steps(make_result("ada", Verdict.COMPILE_ERROR, Verdict.COMPILE_ERROR), LAB)
    assert step.text.startswith("Fix the first error")


def test_does_not_point_to_a_case_that_the_lab_withholds() -> None:
    result = make_result("ada", Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    hidden = LAB.model_copy(update={"feedback": Feedback(hidden="verdict")})
    assert "first failing case" in next_steps(result, LAB)[0].text
    assert "first failing case" not in next_steps(result, hidden)[0].text


def test_begins_with_where_most_points_are_missing() -> None:
    result = _right()
    assert result.parts[0].timing
    result.parts[0].timing.points -= 1
    result.parts[1].parallelism = _parallelism()
    texts = [step.text for step in next_steps(result, LAB)]
    assert texts[0].startswith("Work queue: 10 points missing for parallelism.")
    assert texts[1].startswith("Partial sums: 1 point missing for time.")


def test_tells_waiting_from_uneven_and_from_additional_work() -> None:
    for figures, said in (
        ({"runnable": 1.2}, "1.2 of 4 threads had something to do"),
        ({"balance": 2.5}, "ran for 2.5 times the mean time"),
        ({"shared_by": 1.0, "copies": 4.0}, "outputs were shared by 1.0 threads"),
        ({"copies": 4.0}, "work that each of them does as a whole"),
        ({"inflation": 3.0}, "used 3.0 times the CPU time"),
    ):
        result = _right()
        result.parts[0].parallelism = _parallelism(**figures)
        assert said in next_steps(result, LAB)[0].text


def test_names_the_counter_and_the_profiler() -> None:
    steps = next_steps(counted_result(0.3, "K", "x"), counted_lab())
    (step,) = [step for step in steps if "global_efficiency" in step.text]
    assert "neighbouring elements" in step.text
    assert step.command == "bazel run //labs/fake_sum:profile"


def test_quotes_a_hostile_lab_name() -> None:
    result = make_result("ada", Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    result.lab = "x; rm -rf ~"
    assert next_steps(result, LAB)[0].command == "bazel test '//labs/x; rm -rf ~/...'"
