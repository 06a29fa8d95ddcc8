"""One submission, and a class, through all phases with the fake kit."""

import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from common.lab.programming_models.phases import RACES, TESTS
from grader.judging.collect import Problem, Submission
from grader.judging.compile.build import kills_for_memory
from grader.judging.judge.context import GradingContext
from grader.judging.judge.grading import grade
from grader.judging.kinds.run import grade_all, grade_with_retries
from grader.model.errors import JudgeError
from grader.model.manifest import load_kit
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.proof.fakes.fake_kit import GOOD, log, make_kit
from grader.proof.fakes.grading import fake_context, modes, submission
from grader.sandbox.processes import StoppedError
from grader.sandbox.run_checker import CheckerRun

V = Verdict

SLOW_A = "timing SumATiming 4 5 6 zero"

Grade = Callable[[str], Result]


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.judging.judge.steps.PAUSES_S", (0.0, 0.0))


@pytest.fixture
def context(tmp_path: Path) -> GradingContext:
    return fake_context(tmp_path)


@pytest.fixture
def graded(context: GradingContext) -> Grade:
    return lambda text: grade(context, submission(context, text))


@pytest.mark.parametrize(
    ("times", "measured", "points", "is_flagged"),
    [(1, 2, 100, False), (2, 3, 100, False), (9, 3, 100, True)],
)
def test_repeats_undecided_timings(
    context: GradingContext,
    graded: Grade,
    times: int,
    measured: int,
    points: float,
    is_flagged: bool,
) -> None:
    result = graded(f"{GOOD}// fake: undecided SumATiming {times}\n")
    assert modes(context).count("timing") == measured
    assert result.points == points
    assert result.parts[0].timing
    assert bool(result.parts[0].timing.flagged) is is_flagged


def test_measures_once_what_lies_between_the_thresholds(
    context: GradingContext, graded: Grade
) -> None:
    result = graded(f"{GOOD}// fake: timing SumATiming 1.6 2.5 3.4 undecided\n")
    assert modes(context).count("timing") == 1
    assert result.parts[0].timing
    assert result.parts[0].timing.flagged


@pytest.mark.parametrize(("times", "measured"), [(1, 2), (2, 3)])
def test_a_busy_machine_costs_no_points_and_is_measured_again(
    context: GradingContext, graded: Grade, times: int, measured: int
) -> None:
    result = graded(f"{GOOD}// fake: disturbed SumATiming {times} 3.9\n")
    assert modes(context).count("timing") == measured
    assert (result.verdict, result.points) == (V.ACCEPTED, 100)


def test_who_would_lose_points_on_a_machine_that_stays_busy_is_not_judged(
    context: GradingContext,
) -> None:
    text = f"{GOOD}// fake: disturbed SumATiming 9 3.9\n"
    result = grade_with_retries(context, submission(context, text))
    assert result.verdict is V.JUDGE_ERROR
    said = result.diagnostics[0].text
    assert "too busy to measure SumA: the reference itself did not earn all points" in said
    assert "its interval was 0.40 to 3.90" in said
    assert modes(context) == ["tests", "races", "timing", "timing", "timing"]


@pytest.mark.parametrize("high", [1.4, 1.6])
def test_who_earns_nothing_even_where_the_machine_slows_everyone_is_judged(
    context: GradingContext, graded: Grade, high: float
) -> None:
    result = graded(f"{GOOD}// fake: disturbed SumATiming 9 {high}\n")
    assert result.verdict is V.TOO_SLOW
    assert modes(context).count("timing") == 1


def test_a_right_submission_passes_all_phases_and_leaves_no_files(
    context: GradingContext, graded: Grade
) -> None:
    result = graded(GOOD)
    assert (result.verdict, result.points) == (V.ACCEPTED, 100)
    assert modes(context) == ["tests", "races", "timing"]
    assert set(result.seconds) == {"compile", "tests", "races", "timing"}
    assert list(context.folder.iterdir()) == []


_SAYS_KILLED = "compile exited 1 g++: fatal error: Killed signal terminated program cc1plus"


_NO_CGROUP = "lost no memory cgroup: memory is limited for each process alone"


@pytest.mark.parametrize(
    ("said", "killed"),
    [
        ("compile signaled 9 ", 0),
        (f"{_SAYS_KILLED}\n// fake: {_NO_CGROUP}", 1),
    ],
)
def test_a_compiler_that_was_killed_is_our_failure(
    graded: Grade, monkeypatch: pytest.MonkeyPatch, said: str, killed: int
) -> None:
    kills = itertools.count(5, killed)
    monkeypatch.setattr("grader.judging.compile.build.kills_for_memory", lambda: next(kills))
    with pytest.raises(JudgeError, match="a compiler was killed within its limits"):
        graded(f"{GOOD}// fake: {said}\n")


def test_counts_what_the_kernel_killed_for_memory(tmp_path: Path) -> None:
    vmstat = tmp_path / "vmstat"
    assert kills_for_memory(vmstat) == 0
    vmstat.write_text("oom_kills_elsewhere 9\nnr_free_pages 7\noom_kill 132\n")
    assert kills_for_memory(vmstat) == 132


def test_a_compiler_that_crashes_or_prints_killed_is_a_compile_error(
    graded: Grade, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill elsewhere says nothing where a cgroup tells of this one's."""
    kills = itertools.count()
    monkeypatch.setattr("grader.judging.compile.build.kills_for_memory", lambda: next(kills))
    assert graded(f"{GOOD}// fake: {_SAYS_KILLED}\n").verdict is V.COMPILE_ERROR
    assert graded(f"{GOOD}// fake: compile signaled 11 \n").verdict is V.COMPILE_ERROR


def test_a_program_that_was_killed_from_outside_is_run_again(
    context: GradingContext, graded: Grade
) -> None:
    result = graded(f"{GOOD}// fake: killed 1\n")
    assert (result.verdict, result.points) == (V.ACCEPTED, 100)
    assert modes(context) == ["tests", "tests", "races", "timing"]


def test_a_program_that_is_killed_each_time_is_a_runtime_error(
    context: GradingContext, graded: Grade
) -> None:
    result = graded(f"{GOOD}// fake: tests SumATest killed\n")
    assert result.verdict is V.RUNTIME_ERROR
    assert modes(context)[:2] == ["tests", "tests"]


def test_a_compile_error_on_a_full_disk_is_a_judge_error(
    context: GradingContext, graded: Grade, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=5 << 20))
    assert graded(GOOD).verdict is V.ACCEPTED
    with pytest.raises(JudgeError, match="has 5 MB free, and a file may need 256 MB") as error:
        graded(f"{GOOD}// fake: compile exited 1 sum.cc:3:1: error: expected ';'\n")
    assert str(context.folder) in str(error.value)


@pytest.mark.parametrize(
    ("said", "verdict", "points", "phases"),
    [
        ("tests SumBTest wrong_answer", V.WRONG_ANSWER, 60, ["tests", "races", "timing"]),
        ("tests SumATest time_limit", V.TIME_LIMIT, 40, ["tests", "races", "races"]),
        ("tests SumATest runtime_error", V.RUNTIME_ERROR, 40, ["tests", "races"]),
        ("races SumATest data_race", V.DATA_RACE, 40, ["tests", "races"]),
        (SLOW_A, V.TOO_SLOW, 80, ["tests", "races", "timing"]),
        ("timing SumATiming 2 2.5 3 between", V.ACCEPTED, 95, ["tests", "races", "timing"]),
    ],
)
def test_each_phase_runs_only_where_it_can_still_change_the_verdict(
    context: GradingContext,
    graded: Grade,
    said: str,
    verdict: Verdict,
    points: float,
    phases: list[str],
) -> None:
    result = graded(f"{GOOD}// fake: {said}\n")
    assert (result.verdict, result.points) == (verdict, points)
    assert modes(context) == phases


def test_only_parts_that_end_get_more_time_for_a_slow_checker_of_races(
    context: GradingContext, graded: Grade
) -> None:
    graded(f"{GOOD}// fake: tests SumATest time_limit\n")
    assert [line.split()[2:] for line in log(context.kit.root) if line.startswith("races")] == [
        ["20", "SumBTest"],
        ["5", "SumATest"],
    ]


@pytest.mark.parametrize(
    ("missed", "verdict", "looks"), [(0, V.DEADLOCK, 1), (2, V.DEADLOCK, 3), (3, V.TIME_LIMIT, 3)]
)
def test_looks_again_for_the_orders_of_locks_where_threads_wait_for_them(
    context: GradingContext, graded: Grade, missed: int, verdict: Verdict, looks: int
) -> None:
    assert graded(f"{GOOD}// fake: locked SumATest {missed}\n").verdict is verdict
    assert modes(context) == ["tests", *["races"] * (1 + looks)]


@pytest.mark.parametrize(
    ("behind", "verdict"),
    [
        ("data_race 0", V.DATA_RACE),
        ("data_race 2", V.DATA_RACE),
        ("data_race 3", V.RUNTIME_ERROR),
        ("wrong_answer 0", V.RUNTIME_ERROR),
    ],
)
def test_a_race_decides_though_a_misused_mutex_is_reported_first(
    graded: Grade, behind: str, verdict: Verdict
) -> None:
    result = graded(f"{GOOD}// fake: misuse SumATest {behind}\n")
    assert [part.verdict for part in result.parts] == [verdict, V.ACCEPTED]


@pytest.mark.parametrize(
    ("said", "verdict", "phases"),
    [
        ("tests SumATest memory_limit", V.MEMORY_LIMIT, ["tests"]),
        ("tests SumATest time_limit", V.TIME_LIMIT, ["tests", "races"]),
        ("tests SumATest wrong_answer", V.WRONG_ANSWER, ["tests", "races"]),
        (SLOW_A, V.TOO_SLOW, ["tests", "tests", "races", "races", "timing"]),
        ("races SumATest data_race", V.DATA_RACE, ["tests", "tests", "races"]),
        ("tests SumBTest memory_limit", V.MEMORY_LIMIT, ["tests", "tests"]),
        ("races SumBTest data_race", V.DATA_RACE, ["tests", "tests", "races", "races"]),
        (
            "races SumATest data_race\n// fake: tests SumBTest memory_limit",
            V.MEMORY_LIMIT,
            ["tests", "tests"],
        ),
        (
            f"{SLOW_A}\n// fake: tests SumBTest wrong_answer",
            V.WRONG_ANSWER,
            ["tests", "tests", "races"],
        ),
    ],
)
def test_verdict_only_grading_times_only_if_nothing_else_decides(
    context: GradingContext, said: str, verdict: Verdict, phases: list[str]
) -> None:
    quick = replace(context, verdict_only=True)
    result = grade(quick, submission(context, f"{GOOD}// fake: {said}\n"))
    assert result.verdict is verdict
    assert modes(context) == phases


def test_verdict_only_grading_does_not_wait_long_for_calls_that_never_return(
    context: GradingContext,
) -> None:
    limits = context.kit.lab.limits.model_copy(update={"call_s": 8})
    kit = context.kit.model_copy(
        update={"lab": context.kit.lab.model_copy(update={"limits": limits})}
    )
    library, output = Path("student.so"), Path("report.json")
    run = CheckerRun(kit, TESTS, kit.lab.parts, library, f"{7:032x}", output)
    assert "--call-seconds=8" in run.command()
    assert "--call-seconds=2" in replace(run, verdict_only=True).command()
    assert "--call-seconds=8" in replace(run, verdict_only=True, phase=RACES).command()


@pytest.mark.parametrize(
    ("said", "verdict", "words"),
    [
        ("exited 1 /submission/sum.cc:3:5: error: no", V.COMPILE_ERROR, "sum.cc:3:5: error: no"),
        ("time_limit 0 x", V.COMPILE_ERROR, "longer than the limit of 20 s"),
        ("memory_limit 0 x", V.MEMORY_LIMIT, "the limit of 1500 MB"),
        ("output_limit 0 x", V.COMPILE_ERROR, "output exceeds the limit"),
        ("signaled 0 x", V.COMPILE_ERROR, "ended by signal"),
        ("exited 1 IO failure on output stream: File too large", V.COMPILE_ERROR, "than the limit"),
    ],
)
def test_what_does_not_compile_gets_the_compilers_words_with_the_students_lines(
    graded: Grade, said: str, verdict: Verdict, words: str
) -> None:
    result = graded(f"{GOOD}// fake: compile {said}\n")
    assert (result.verdict, result.points) == (verdict, 0)
    assert words in result.diagnostics[0].text
    assert "/submission" not in result.diagnostics[0].text
    assert [part.verdict for part in result.parts] == [verdict, verdict]


def test_says_that_only_the_race_checkers_compiler_refuses_a_file(graded: Grade) -> None:
    result = graded(f"{GOOD}// fake: refused student_races sum.cc:99:5: error: no\n")
    assert (result.verdict, result.points) == (V.COMPILE_ERROR, 0)
    said = result.diagnostics[0].text
    assert said.startswith("sum.cc compiles for the tests, but not with cc for the race checker; ")
    assert said.endswith("\nsum.cc:99:5: error: no")
    result = graded(f"{GOOD}// fake: refused student_races sum.cc:9:5: error: std::views::iota\n")
    assert ": write a loop instead of std::views; " in result.diagnostics[0].text
    result = graded(f"{GOOD}// fake: refused student sum.cc:99:5: error: no\n")
    assert result.diagnostics[0].text == "sum.cc:99:5: error: no"


def test_what_we_make_of_a_submission_for_the_race_checker_is_our_failure(graded: Grade) -> None:
    said = "/out/student_races_instrumented.ll:18:2: error: expected value token"
    with pytest.raises(JudgeError, match=r"does not compile: .*:18:2: error: expected value token"):
        graded(f"{GOOD}// fake: refused student_races {said}\n")


@pytest.fixture
def with_memory(tmp_path: Path, context: GradingContext) -> GradingContext:
    return replace(context, kit=load_kit(make_kit(tmp_path / "checked", memory=True)))


@pytest.mark.parametrize(
    ("said", "verdict", "expected"),
    [
        ("nothing", V.ACCEPTED, ["tests", "memory", "races", "timing"]),
        ("memory SumATest out_of_bounds", V.OUT_OF_BOUNDS, ["tests", "memory", "races"]),
        ("tests SumATest time_limit", V.TIME_LIMIT, ["tests", "memory", "races", "races"]),
        ("tests SumATest out_of_bounds", V.OUT_OF_BOUNDS, ["tests", "memory", "races"]),
    ],
)
def test_memory_is_checked_before_races(
    with_memory: GradingContext, said: str, verdict: Verdict, expected: list[str]
) -> None:
    result = grade(with_memory, submission(with_memory, f"{GOOD}// fake: {said} \n"))
    assert result.verdict is verdict
    assert modes(with_memory) == expected


def test_a_sanitizers_report_names_the_students_own_file(graded: Grade) -> None:
    result = graded(f"{GOOD}// fake: races SumATest data_race\n")
    assert result.diagnostics[-1].phase == "races"
    assert "kernel uses, sum.cc:1: " in result.diagnostics[-1].text


@pytest.mark.parametrize("text", [GOOD, f"{GOOD}// fake: compile exited 1 sum.cc:3:5: error: no\n"])
def test_builds_made_side_by_side_give_the_same_result(context: GradingContext, text: str) -> None:
    handed_in = submission(context, text)
    one, other = grade(context, handed_in), grade(replace(context, spare_cores=True), handed_in)
    varying = {"seconds", "graded_at"}
    assert one.model_dump(exclude=varying) == other.model_dump(exclude=varying)


@pytest.mark.parametrize("build", ["student", "student_races"])
def test_builds_that_read_differently_are_refused_with_the_line(graded: Grade, build: str) -> None:
    result = graded(f"{GOOD}// fake: reads {build} int only_here;\n")
    assert (result.verdict, result.points) == (V.POLICY, 0)
    assert result.diagnostics[0].text.startswith("sum.cc:4: this line differs in the builds that")


def test_forbidden_words_made_by_macros_are_refused_in_every_build(graded: Grade) -> None:
    both = "".join(f"// fake: reads {name} asm\n" for name in ("student", "student_races"))
    result = graded(GOOD + both)
    assert result.diagnostics[0].text == "sum.cc:5: asm is not allowed in a submission"


def test_each_file_has_inputs_of_its_own_for_a_seed(context: GradingContext) -> None:
    keys = {context.key_for(digest) for digest in ("a", "b", "c")}
    assert len(keys) == 3
    assert keys == {context.key_for(digest) for digest in ("a", "b", "c")}
    assert all(re.fullmatch("[0-9a-f]{32}", key) for key in keys)
    assert context.key_for("a") != replace(context, seed=context.seed + 1).key_for("a")


def test_inputs_cannot_be_told_from_seed_and_text_alone(context: GradingContext) -> None:
    assert context.key_for("a") != replace(context, secret="ab").key_for("a")


def test_no_key_is_on_a_command_line(context: GradingContext) -> None:
    kit, key = context.kit, f"{7:032x}"
    run = CheckerRun(kit, RACES, kit.lab.parts, Path("student.so"), key, Path("report.json"))
    assert key in run.environment().values()
    assert not any(key in str(word) for word in run.command())


def test_policy_is_judged_before_compiling_and_after(
    context: GradingContext, graded: Grade
) -> None:
    assert graded("#include <thread>\n").diagnostics[0].text.startswith("sum.cc:1: #include")
    result = graded("int x;\n")
    assert (result.verdict, result.diagnostics[0].phase) == (V.POLICY, "policy")
    assert modes(context) == []


STUBS = "// fake: defines _ZTIN3lab10NotWrittenE\n"
"""Uses none of the required constructs, and still has a stub's exception."""


def test_an_untouched_stub_is_a_wrong_answer_where_the_lab_asks_for_constructs(
    graded: Grade,
) -> None:
    unwritten = "wrong_answer sum.cc:9: not written yet"
    result = graded(
        f"{STUBS}// fake: tests SumATest {unwritten}\n// fake: tests SumBTest {unwritten}\n"
    )
    assert [part.verdict for part in result.parts] == [V.WRONG_ANSWER, V.WRONG_ANSWER]


def test_a_stub_left_beside_serial_code_does_not_evade_what_the_lab_asks_for(graded: Grade) -> None:
    result = graded(f"{STUBS}// fake: tests SumBTest wrong_answer sum.cc:9: not written yet\n")
    assert (result.verdict, result.points) == (V.POLICY, 0)
    assert "does not use pthread_create" in result.diagnostics[-1].text


def test_a_part_without_its_required_construct_loses_its_points_alone(
    context: GradingContext,
) -> None:
    first, second = context.kit.lab.parts
    waits = second.model_copy(update={"needed": [["_ZNSt18condition_variable4wait*", "sem_wait"]]})
    lab = context.kit.lab.model_copy(update={"parts": [first, waits]})
    asking = replace(context, kit=context.kit.model_copy(update={"lab": lab}))
    result = grade(asking, submission(asking, GOOD))
    assert [part.verdict for part in result.parts] == [V.ACCEPTED, V.POLICY]
    assert result.points == 60
    assert [entry.text for entry in result.diagnostics] == [
        "SumB in sum.cc does not use std::condition_variable or sem_wait, which this part asks for"
    ]
    waiting = grade(asking, submission(asking, f"{GOOD}// fake: uses sem_wait\n"))
    assert (waiting.verdict, waiting.points) == (V.ACCEPTED, 100)


def test_a_problem_of_the_hand_in_is_a_result_with_its_reason(context: GradingContext) -> None:
    missing = Submission("student01", "x", "d", Problem(V.POLICY, "sum.cc is missing"))
    result = grade(context, missing)
    assert (result.verdict, result.points) == (V.POLICY, 0)
    assert result.diagnostics[0].text == "sum.cc is missing"


def test_our_failure_is_tried_again_and_then_forgotten(context: GradingContext) -> None:
    text = f"{GOOD}// fake: broken 2\n"
    result = grade_with_retries(context, submission(context, text), backoff=(0, 0))
    assert result.verdict is V.ACCEPTED


def test_our_lasting_failure_is_a_judge_error_with_its_reason(context: GradingContext) -> None:
    text = f"{GOOD}// fake: broken 99\n"
    result = grade_with_retries(context, submission(context, text), backoff=(0, 0))
    assert result.verdict is V.JUDGE_ERROR
    assert "the fake checker failed" in result.diagnostics[0].text
    assert modes(context) == ["tests", "tests", "tests"]


def test_a_kit_without_its_checker_is_a_judge_error_and_no_crash(context: GradingContext) -> None:
    context.kit.checker.unlink()
    result = grade_with_retries(context, submission(context, GOOD), backoff=())
    assert result.verdict is V.JUDGE_ERROR


def test_a_class_is_graded_side_by_side_and_each_result_comes_as_it_is_ready(
    context: GradingContext,
) -> None:
    slow = submission(context, f"{GOOD}// fake: sleep 0.3\n", "student01")
    quick = submission(context, GOOD, "student02")
    order = [s.student for s, _ in grade_all(context, [slow, quick], jobs=2)]
    assert sorted(order) == ["student01", "student02"]


def test_leaving_early_ends_all_children_and_grades_nothing_more(context: GradingContext) -> None:
    quick = submission(context, GOOD, "student01")
    slow = [submission(context, f"{GOOD}// fake: sleep {i}\n", f"s{i}") for i in range(60, 70)]
    results = grade_all(context, [quick, *slow], jobs=1)
    assert next(results)[0].student == "student01"
    results.close()
    with pytest.raises(StoppedError):
        context.processes.run(["/bin/true"], deadline_s=1)
    assert len(log(context.kit.root)) <= 4
