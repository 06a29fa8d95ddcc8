"""The checker in its counting mode: which counters it accepts from a submission."""

import json

import pytest

from grader.sandbox.checker.tests.conftest import Checker, Test

COUNT = ("--mode=counters", "--env=CUDASIM_PROFILE=/proc/self/fd/14", "--suites=RootsTest")


def counted(checker: Checker, behaviour: str) -> list[Test]:
    """The tests that were chosen, of a library that counts."""
    return checker.tests(behaviour, *COUNT, *checker.files.counting)


@pytest.mark.parametrize("behaviour", ["right", "names_another_file"])
def test_each_call_has_a_profile_with_its_own_counters_only(
    checker: Checker, behaviour: str
) -> None:
    for test in counted(checker, behaviour):
        assert [json.loads(text) for text in test["profiles"]] == [{"calls": 1}]
        assert test["verdict"] == "accepted"


def test_a_counted_call_with_a_wrong_answer_is_a_failure(checker: Checker) -> None:
    failed = [test for test in counted(checker, "wrong") if test["verdict"] == "wrong_answer"]
    assert "expected" in failed[0]["message"]


def test_a_profile_beyond_the_size_limit_is_dropped_and_flagged(checker: Checker) -> None:
    test = counted(checker, "floods")[0]
    assert test["profile_cut"]
    assert test["profiles"] == []


@pytest.mark.parametrize("behaviour", ["closes_the_file", "right"])
def test_a_call_without_counters_is_the_programs_fault(checker: Checker, behaviour: str) -> None:
    counting = checker.files.counting if behaviour != "right" else ()
    test = checker.failing(behaviour, *COUNT, *counting)
    assert test["verdict"] == "runtime_error"
    assert "the simulator's counters are missing" in test["message"]


def test_bytes_of_an_output_from_the_host_are_refused_beyond_the_functions_limit(
    checker: Checker,
) -> None:
    student = checker.files.counting
    for mode in ("counters", "races"):
        within = (f"--mode={mode}", "--host-bytes=Roots:65", *student)
        tests = checker.tests("lets_the_host_work", *COUNT, *within)
        assert all(test["verdict"] == "accepted" for test in tests)
        beyond = (f"--mode={mode}", "--host-bytes=Roots:64", *student)
        (test, *_) = checker.tests("lets_the_host_work", *COUNT, *beyond)
        assert test["verdict"] == "policy"
        assert "65 bytes of an output come from the host" in test["message"]
        assert "by cudaMemcpy at roots.cu:41, limit 64" in test["message"]


def test_an_input_that_no_kernel_reads_is_refused_where_calls_are_counted(checker: Checker) -> None:
    options = (*COUNT, "--host-bytes=Roots:64", *checker.files.counting)
    (test, *_) = checker.tests("reads_no_input", *options)
    assert test["verdict"] == "policy"
    assert "nothing reads 1 of its inputs" in test["message"]
    tests = checker.tests("reads_no_input", *options, "--mode=races")
    assert all(test["verdict"] == "accepted" for test in tests)


def test_a_function_may_have_no_limit(checker: Checker) -> None:
    options = ("--host-bytes=Roots:inf", *checker.files.counting)
    tests = checker.tests("lets_the_host_work", *COUNT, *options)
    assert all(test["verdict"] == "accepted" for test in tests)


@pytest.mark.parametrize("text", ["Roots", "Roots:nan", "Roots:-1", "Roots:many", "Roots:1:2"])
def test_an_invalid_limit_is_named(checker: Checker, text: str) -> None:
    ended = checker.start("right", *COUNT, f"--host-bytes={text}")
    assert ended.returncode != 0
    assert "host-bytes" in ended.stderr
