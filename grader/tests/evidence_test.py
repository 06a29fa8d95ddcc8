"""A student sees reports, not what the program printed of its hidden inputs."""

from __future__ import annotations

import pytest

from grader.judge.evidence import evidence, own_failure

RACE = "==================\nWARNING: ThreadSanitizer: data race (pid=2)\n  Write of size 8\n"


def test_keeps_a_sanitizer_report_and_drops_what_the_program_printed_before_it() -> None:
    assert evidence("input[0] = 3.25\n" + RACE) == RACE.strip()


def test_keeps_a_simulator_report_whole() -> None:
    report = "cudasim: out_of_bounds: write past the end at vecadd.cu:9\n  thread 3\n  block 0"
    assert evidence(report) == report


def test_shows_nothing_of_a_program_that_prints_its_inputs_and_crashes() -> None:
    assert evidence("size 1000\n1.5 2.5 3.5\nseed 42\n") == ""


@pytest.mark.parametrize(
    "line",
    [
        "terminate called after throwing an instance of 'std::bad_alloc'",
        "double free or corruption (out)",
        "free(): invalid pointer",
        "*** stack smashing detected ***: terminated",
    ],
)
def test_keeps_the_last_words_of_the_run_time_library_alone(line: str) -> None:
    assert evidence(f"1.5 2.5\n{line}\nmore inputs\n") == line


def test_leaves_out_the_frames_of_libraries_and_the_modules_build() -> None:
    report = (
        "WARNING: ThreadSanitizer: data race (pid=2)\n"
        "    #0 Sum::$_0::operator()() const /submission/sum.cc:20:13 (submission.so+0x39fa) "
        "(BuildId: 94f91d)\n"
        "    #1 void std::__invoke() /usr/include/c++/12/bits/invoke.h:61:14 (submission.so+0x1)\n"
        "    #2 main <null> (worker+0x1)\n"
    )
    assert evidence(report).splitlines()[1:] == [
        "    #0 Sum::$_0::operator()() const /submission/sum.cc:20:13"
    ]


def test_leaves_out_a_location_that_names_no_variable_and_the_program_start() -> None:
    report = (
        "WARNING: ThreadSanitizer: data race (pid=2)\n"
        "    #9 __libc_start_call_main csu/../sysdeps/nptl/libc_start_call_main.h:58:16\n"
        "  Location is stack of main thread.\n\n"
        "  Location is global '??' at 0x7ffffffde000 ([stack]+0x1fdd0)\n\n"
        "  Thread T1 (tid=4, running)\n"
    )
    assert evidence(report).splitlines()[1:] == [
        "  Location is stack of main thread.",
        "",
        "  Thread T1 (tid=4, running)",
    ]


def test_leaves_out_what_a_failed_helper_of_the_test_says_of_itself() -> None:
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
