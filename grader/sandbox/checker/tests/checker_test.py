"""The checker from outside: each way that a submission can behave, and the verdict it must get."""

from pathlib import Path

import pytest

from grader.sandbox.checker.tests.conftest import Checker


@pytest.mark.parametrize("behaviour", ["right", "prints_a_little", "tries_to_unseal_its_input"])
def test_right_answers_pass_every_test(checker: Checker, behaviour: str) -> None:
    tests = checker.tests(behaviour)
    assert len(tests) == 6
    for test in tests:
        assert test["verdict"] == "accepted"
        assert test["message"] == ""


WRONG = ["wrong", "not_a_number", "untouched", "one_in_seven", "returns_early"]


@pytest.mark.parametrize("behaviour", WRONG)
def test_wrong_answers_are_ordinary_failures(checker: Checker, behaviour: str) -> None:
    test = checker.failing(behaviour)
    assert test["verdict"] == "wrong_answer"
    assert "expected" in test["message"]


FATES = [
    ("not_written", "wrong_answer", "is not written yet"),
    ("null_pointer", "runtime_error", "SIGSEGV inside Roots (spans of 0, 0 elements): a null"),
    ("vector_off_its_alignment", "runtime_error", "elements): a vector access at a misaligned"),
    ("endless_recursion", "runtime_error", "the stack overflowed"),
    ("exits", "runtime_error", "the program called exit(0) inside Roots"),
    ("exits_at_once", "runtime_error", "the program called exit(3) inside Roots"),
    ("aborts", "runtime_error", "died of SIGABRT inside Roots"),
    ("throws", "runtime_error", "threw an exception inside Roots"),
    ("throws_on_a_thread", "runtime_error", "an exception escaped from a thread"),
    ("drops_a_thread", "runtime_error", "a std::thread was destroyed without join()"),
    ("writes_past_the_end", "out_of_bounds", "wrote element 0 of argument 2, which has 0"),
    ("reads_past_the_end", "out_of_bounds", "read element 0 of argument 1, which has 0"),
    ("reads_far_past_the_end", "out_of_bounds", "read element 1000 of argument 1"),
    ("writes_before_the_start", "out_of_bounds", "wrote before the first element of argument 2"),
    ("writes_to_its_input", "runtime_error", "argument 1, which is an input"),
    ("prints_forever", "output_limit", "printed more than the limit of 64 KiB"),
    ("forges_a_reply", "tampering", "inside Roots"),
    ("forges_half_a_reply", "tampering", "inside Roots"),
    ("forges_a_reply_for_later", "tampering", "an unsolicited frame"),
    ("forges_a_fault_and_goes_on", "runtime_error", "SIGSEGV"),
    ("dies_after_returning", "runtime_error", "the program called exit(4)"),
    ("says_unasked_where_it_is", "tampering", "an unsolicited frame"),
    ("closes_all_files", "runtime_error", "closed the grader's pipe"),
    ("crashes_at_exit", "runtime_error", "died of SIGABRT at exit"),
]


@pytest.mark.parametrize(("behaviour", "verdict", "detail"), FATES, ids=[f[0] for f in FATES])
def test_names_the_defect_at_the_first_failing_test(
    checker: Checker, behaviour: str, verdict: str, detail: str
) -> None:
    test = checker.failing(behaviour, "--suites=RootsTest")
    assert test["verdict"] == verdict
    assert detail in test["message"]
    assert "\n" not in test["message"]


@pytest.mark.parametrize("behaviour", ["endless_loop", "deadlock", "hangs_at_exit"])
def test_stops_what_does_not_return(checker: Checker, behaviour: str) -> None:
    test = checker.failing(behaviour, "--call-seconds=0.5", "--suites=RootsTest")
    assert test["verdict"] == "time_limit"
    assert "within 0.5 s" in test["message"]


JOIN = "_ZNSt6thread4joinEv"


@pytest.mark.parametrize(
    ("behaviour", "called"),
    [
        ("two_locks_in_opposite_order", ["pthread_mutex_lock", "pthread_mutex_lock"]),
        ("joins_what_never_ends", ["pthread_cond_wait", "pthread_cond_wait", JOIN]),
        ("endless_loop", ["-"]),
        ("deadlock", ["pause"]),
    ],
)
def test_says_where_the_threads_are_that_do_not_return(
    checker: Checker, behaviour: str, called: list[str]
) -> None:
    test = checker.failing(behaviour, "--call-seconds=0.5", "--suites=RootsTest")
    stacks = [line.split() for line in test["stacks"].splitlines()]
    assert sorted(name.lstrip("_") for name, *_ in stacks) == sorted(
        name.lstrip("_") for name in called
    )
    size = checker.files.behaviours.stat().st_size
    for _, *offsets in stacks:
        assert offsets
        assert all(0 < int(offset, 16) < size for offset in offsets)


@pytest.mark.parametrize(("behaviour", "called"), [("null_pointer", "-"), ("aborts", "abort")])
def test_a_crash_says_where_it_was(checker: Checker, behaviour: str, called: str) -> None:
    stacks: list[str] = []
    for _ in range(3):  # a thread that gets no core for half a second says nothing
        test = checker.failing(behaviour, "--suites=RootsTest")
        assert test["verdict"] == "runtime_error"
        stacks = stacks or test["stacks"].splitlines()
    (stack,) = (line.split() for line in stacks)
    assert stack[0] == called
    assert 0 < int(stack[1], 16) < checker.files.behaviours.stat().st_size


def test_a_thread_that_does_not_say_where_it_is_costs_half_a_second(checker: Checker) -> None:
    options = ("--call-seconds=0.5", "--suites=RootsTest")
    test = checker.failing("hangs_with_all_signals_blocked", *options)
    assert test["verdict"] == "time_limit"
    assert test["stacks"] == ""


def test_forged_stacks_are_cut_to_the_expected_form_and_number(checker: Checker) -> None:
    test = checker.failing("lies_about_its_threads", "--call-seconds=0.5", "--suites=RootsTest")
    assert test["verdict"] == "time_limit"
    assert test["stacks"] == "?" + 16 * " ffffffffffffffff" + "\n"


@pytest.mark.parametrize(
    ("behaviour", "where"),
    [("exits_when_loaded", "called exit(0)"), ("crashes_when_loaded", "died of SIGSEGV")],
)
def test_blames_the_program_for_what_its_initializers_do(
    checker: Checker, behaviour: str, where: str
) -> None:
    test = checker.failing(behaviour, "--suites=RootsTest")
    assert test["verdict"] == "runtime_error"
    assert where in test["message"]
    assert "in a static initializer" in test["message"]


def test_reports_the_memory_limit_where_it_can_be_told(checker: Checker) -> None:
    result = checker.result("memory_bomb", "--call-seconds=2", "--suites=RootsTest")
    test = result["cases"][0]
    without_cgroup = "memory" in result["protections_lost"]
    assert test["verdict"] == ("time_limit" if without_cgroup else "memory_limit")


def test_says_that_threads_ran_out(checker: Checker) -> None:
    test = checker.failing("many_threads", "--suites=RootsTest")
    assert test["verdict"] == "runtime_error"
    lost = checker.result("right")["protections_lost"]
    if "pids" not in lost and "processes" not in lost:
        assert "the limit of 32 processes and threads was reached" in test["message"]


def test_tells_a_function_that_is_not_written_from_a_wrong_answer(checker: Checker) -> None:
    assert checker.failing("not_written", "--suites=RootsTest")["not_written"]
    assert not checker.failing("wrong", "--suites=RootsTest")["not_written"]


def test_keeps_what_the_program_printed_to_stderr_when_it_died(checker: Checker) -> None:
    test = checker.failing("throws_on_a_thread", "--suites=RootsTest")
    assert "terminate called after throwing" in test["stderr"]
    assert "lost" in test["stderr"]


def test_a_test_with_callers_tells_code_that_serves_only_one_at_a_time(checker: Checker) -> None:
    test = checker.failing("wrong_beside_others", "--suites=TeamTest")
    assert test["name"] == "ServesTwoCallersAtOnce"


def test_skips_the_rest_of_a_suite_but_not_the_next_suite(checker: Checker) -> None:
    tests = {test["name"]: test["verdict"] for test in checker.tests("exits")}
    assert tests["HandlesNoValues"] == "runtime_error"
    assert tests["HandlesMoreThanAPage"] is None
    assert tests["AddsToTheBase"] == "accepted"
    assert tests["OfNothingIsTheBase"] == "accepted"


def test_looks_for_the_cause_of_a_wrong_answer_in_later_tests_under_a_race_checker(
    checker: Checker,
) -> None:
    for behaviour, later in (("wrong", "wrong_answer"), ("exits", None)):
        tests = checker.tests(behaviour, "--mode=races", "--suites=RootsTest")
        verdicts = {test["name"]: test["verdict"] for test in tests}
        assert verdicts["HandlesMoreThanAPage"] == later, behaviour


def test_same_key_gives_the_same_failure(checker: Checker) -> None:
    first = checker.failing("wrong")["message"]
    assert checker.failing("wrong")["message"] == first
    checker.key = f"{7 << 64:032x}"
    assert checker.failing("wrong")["message"] != first


def test_refuses_what_is_not_a_key(checker: Checker) -> None:
    checker.key = "7"
    ended = checker.start("right")
    assert ended.returncode == 3
    assert "RANDOM_KEY is not 32 hexadecimal digits" in ended.stderr


@pytest.mark.parametrize(
    "behaviour", ["notices_the_benchmark", "one_in_seven", "returns_early_and_hurries"]
)
def test_every_timed_output_is_checked(checker: Checker, behaviour: str) -> None:
    test = checker.timed(behaviour)
    assert "expected" in test["message"]
    assert test["verdict"] == "wrong_answer"
    assert test["timed"] is None


def test_program_that_cannot_be_frozen_is_at_fault(checker: Checker) -> None:
    (test,) = checker.tests(
        *("populates_memory", "--mode=timing", "--timing=RootsTiming:2:4:1:0.95"),
        *("--suites=RootsTiming", "--memory-mb=1500"),
    )
    assert test["verdict"] == "time_limit"
    assert "could not be frozen within 5 s" in test["message"]


def test_the_calls_of_a_run_share_a_limit(checker: Checker) -> None:
    test = checker.failing("naps", "--run-seconds=0.3", "--suites=RootsTest")
    assert test["verdict"] == "time_limit"
    assert "took more than 0.3 s in all" in test["message"]


def test_what_a_program_takes_between_its_calls_counts_as_well(checker: Checker) -> None:
    # Seven calls at least, each followed by 0.3 s.
    options = (
        *("--mode=timing", "--timing=RootsTiming:2:4:5:0.95"),
        *("--suites=RootsTiming", "--run-seconds=1.5"),
    )
    (steady,) = checker.tests("right", *options)
    assert steady["verdict"] == "accepted"
    (stalling,) = checker.tests("stalls_between_calls", *options)
    assert stalling["verdict"] == "time_limit"
    assert "took more than 1.5 s in all" in stalling["message"]


def swapped(checker: Checker) -> tuple[str, str]:
    """Options that make the right code the student's and the misbehaving one the reference."""
    files = checker.files
    return f"--student={files.reference}", f"--reference={files.behaviours}"


def test_wrong_reference_is_a_judge_error(checker: Checker) -> None:
    (test,) = checker.tests(
        "wrong", *("--mode=timing", "--timing=RootsTiming:2:4:1:0.95"), *swapped(checker)
    )
    assert test["verdict"] == "judge_error"
    assert "reference" in test["message"]


def test_dying_reference_is_a_judge_error(checker: Checker) -> None:
    (test,) = checker.tests(
        "exits", *("--mode=timing", "--timing=RootsTiming:2:4:1:0.95"), *swapped(checker)
    )
    assert test["verdict"] == "judge_error"
    assert "the reference failed: the program called exit(0)" in test["message"]


def test_timing_test_that_keeps_its_outputs_is_a_judge_error(checker: Checker) -> None:
    (test,) = checker.tests(
        *("right", "--mode=timing", "--timing=KeptOutputTiming:2:4:1:0.95"),
        "--suites=KeptOutputTiming",
    )
    assert test["verdict"] == "judge_error"
    assert "calls Roots with other outputs the second time" in test["message"]


def test_reports_judge_error_when_the_worker_cannot_start(checker: Checker) -> None:
    test = checker.failing("right", "--worker=/nonexistent/worker", "--suites=RootsTest")
    assert test["verdict"] == "judge_error"
    assert "/nonexistent/worker" in test["message"]


def test_library_that_does_not_load_is_the_programs_fault(checker: Checker) -> None:
    test = checker.failing("right", f"--student={checker.files.worker}", "--suites=RootsTest")
    assert test["verdict"] == "runtime_error"
    assert "does not load" in test["message"]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--suites=NoSuchTest", "no test matches"),
        ("--output=/nonexistent/result.json", "cannot write /nonexistent/result.json"),
        ("--mode=fast", "--mode: Check fast value in"),
        ("--memory-mb=0", "--memory-mb: '0' is not a number from 1"),
    ],
)
def test_ends_with_code_three_and_what_to_do_when_there_is_no_result(
    checker: Checker, option: str, said: str
) -> None:
    ended = checker.start("right", option)
    assert ended.returncode == 3
    assert said in ended.stderr
    assert "\n  next: " in ended.stderr


def test_refuses_a_gpu_in_other_modes(checker: Checker) -> None:
    ended = checker.start("right", "--mode=tests", "--gpu")
    assert ended.returncode == 3
    assert "--gpu" in ended.stderr
    assert "use it with --mode=timing" in ended.stderr


def test_a_missing_gpu_is_the_judges_fault(checker: Checker) -> None:
    if Path("/dev/nvidiactl").exists():
        pytest.skip("there is a GPU: what is said without one cannot be seen here")
    test = checker.failing("right", "--mode=timing", "--timing=RootsTiming:2:4:10:0.95", "--gpu")
    assert test["verdict"] == "judge_error"
    assert "no CUDA driver: libcuda.so.1" in test["message"]
