"""A student sees reports, but not the program's own output, which may contain hidden inputs."""

import pytest

from grader.judging.judge.evidence import evidence, own_failure


def test_keeps_a_simulator_report_whole() -> None:
    report = "cudasim: out_of_bounds: write past the end at vecadd.cu:9\n  thread 3\n  block 0"
    assert evidence(report + "\n", "1.5 2.5\n") == report


@pytest.mark.parametrize(
    "printed",
    [
        "size 1000\n1.5 2.5 3.5\nseed 42\n",
        "WARNING: ThreadSanitizer: data race (pid=2)\n  1.5 2.5 3.5\n",
        "==7== 1.5 2.5 3.5\n",
        "cudasim: data_race: 1.5 2.5 3.5\n",
        "terminate called 1.5 2.5 3.5\nlibgomp: 1.5\n*** 1.5 ***: 2.5\n",
        "terminate called after throwing an instance of 'std::onepointfive'\n",
        "free(): one point five\nmunmap_chunk(): two point five\nfree(): invalid pointers\n",
    ],
)
def test_shows_nothing_of_a_program_that_prints_its_inputs_and_crashes(printed: str) -> None:
    assert evidence("", printed) == ""


@pytest.mark.parametrize(
    "line",
    [
        "terminate called after throwing an instance of 'std::bad_alloc'",
        "double free or corruption (out)",
        "free(): invalid pointer",
        "*** stack smashing detected ***: terminated",
    ],
)
def test_keeps_only_the_last_message_of_the_run_time_library(line: str) -> None:
    assert evidence("", f"1.5 2.5\n{line}\nmore inputs\n") == line


def test_keeps_one_message_of_many_that_could_encode_the_inputs() -> None:
    one, two = "free(): invalid pointer", "free(): invalid size"
    assert evidence("", f"{one}\n{one}\n{two}\n{one}\n{two}\n") == two


def test_removes_googletests_lines_about_failed_helpers() -> None:
    message = (
        "Failed\nelement 2 of 5: expected 3, got 4\n"
        "Value of: lab::ExpectAllEqual(sums, want)\n  Actual: false\nExpected: true\n"
        "any values, with n = 5\n"
        'Expected: ExpectSums(any, "values") doesn\'t generate new fatal failures in the current '
        "thread.\n  Actual: it does.\n"
    )
    assert own_failure(message) == "element 2 of 5: expected 3, got 4\nany values, with n = 5"


def test_keeps_a_message_that_only_looks_like_one_of_a_helper() -> None:
    message = "Failed\nto open\nValue of: Right(5)\n  Actual: false\nExpected: true"
    assert own_failure(message) == message


def test_names_a_span_as_it_is_written() -> None:
    message = "data race in Sum(std::span<float const, 18446744073709551615ul>)"
    assert own_failure(message) == "data race in Sum(std::span<float const>)"
