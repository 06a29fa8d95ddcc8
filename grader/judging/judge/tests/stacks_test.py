"""Mapping offsets in a library to the lines at which a student's threads wait."""

import pytest

from grader.judging.judge.stacks import (
    MAX_THREADS,
    Place,
    Stack,
    describe,
    describe_crash,
    hide_unimported,
    lines_of,
    parse_stacks,
    read_places,
)

LOCK = "pthread_mutex_lock"
JOIN = "_ZNSt6thread4joinEv"


def test_reads_a_thread_a_line_the_innermost_frame_first() -> None:
    assert parse_stacks(f"{LOCK} 1a2b 3c\n- ff\n{JOIN}\n? 1\n") == [
        Stack(LOCK, (0x1A2B, 0x3C)),
        Stack("", (0xFF,)),
        Stack(JOIN, ()),
        Stack("?", (1,)),
    ]


@pytest.mark.parametrize(
    "line",
    ["", "lock(1) 10", "lock -10", "lock 10 ", f"{'x' * 65} 1", "a " + "f" * 17, "a" + " 1" * 17],
)
def test_leaves_out_lines_of_another_form(line: str) -> None:
    assert parse_stacks(f"{line}\n{LOCK} 1\n") == [Stack(LOCK, (1,))]


def test_reads_no_more_threads_than_the_checker_asks() -> None:
    assert len(parse_stacks(f"{LOCK} 1\n" * 1000)) == MAX_THREADS


def test_finds_of_each_offset_the_innermost_line_of_the_students_file() -> None:
    said = """0x0000000000001a2b
_ZNSt5mutex4lockEv
/usr/include/c++/12/bits/std_mutex.h:100
_ZL3Addv
/submission/sum.cc:41 (discriminator 2)
_Z3Sumv
/submission/sum.cc:60
0x000000000000003c
??
??:0
0x00000000000000ff
a
/submission/sum.cc:?
/submission/sum.cc:3
/submission/sum.cc:99999999999
c
/elsewhere/submission/sum.cc:7
0x0000000000000001
"""
    assert read_places(said, "sum.cc") == {
        0x1A2B: Place("_Z3Sumv", 41),
        0x3C: Place("??", None),
        0xFF: Place("c", None),
        1: Place("", None),
    }


def test_a_thread_at_an_instruction_without_a_line_gets_the_next_line() -> None:
    between, loop, other = Place("Sum", None), Place("Sum", 7), Place("Other", 9)
    stacks = [Stack("", (100, 30))]
    assert lines_of(stacks, {100: between, 108: between, 124: loop, 132: Place("Sum", 8)}) == {
        124: 7,
        132: 8,
        100: 7,
    }
    assert 100 not in lines_of(stacks, {100: between, 108: other, 116: between})
    assert lines_of(stacks, {100: between, 108: loop, 30: Place("Main", 3)})[30] == 3
    assert 100 not in lines_of(stacks, {100: between, 108: loop, 30: Place("Main", 3)})
    assert 100 not in lines_of([Stack(LOCK, (100,))], {100: between, 108: loop})


def test_says_how_many_threads_wait_for_what_and_where() -> None:
    stacks = [Stack(JOIN, (9, 3)), Stack(LOCK, (9, 1)), Stack(LOCK, (2, 3)), Stack("", (4,))]
    assert describe(stacks, {1: 41, 2: 41, 3: 52, 4: 30}, "sum.cc") == (
        "2 threads wait in pthread_mutex_lock called at sum.cc:41; "
        "1 thread is at sum.cc:30; "
        "1 thread waits in std::thread::join called at sum.cc:52"
    )


@pytest.mark.parametrize(
    ("called", "said"),
    [
        ("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", "std::condition_variable::"),
        ("__pthread_cond_wait", "waits in pthread_cond_wait called"),
        ("syscall", "waits in a std::latch, std::barrier, std::counting_semaphore or std::atomic"),
        ("GOMP_critical_start", "waits in #pragma omp critical called"),
        ("sched_yield", "is in sched_yield called"),
        ("_ZSt9terminatev", "is in a library's function called"),
        ("?", "is in a library's function called"),
    ],
)
def test_calls_functions_by_the_names_that_students_know(called: str, said: str) -> None:
    assert said in describe([Stack(called, (1,))], {1: 5}, "sum.cc")


@pytest.mark.parametrize(
    ("stack", "said"),
    [
        (Stack("", (9, 1)), "at sum.cc:5"),
        (Stack("free", (1, 2)), "in free called at sum.cc:5"),
        (
            Stack("_ZSt20__throw_out_of_rangePKc", (2,)),
            "in a library's function called at sum.cc:7",
        ),
        (Stack("abort", (9,)), ""),
    ],
)
def test_says_where_a_thread_crashed(stack: Stack, said: str) -> None:
    assert describe_crash(stack, {1: 5, 2: 7}, "sum.cc") == said


def test_names_only_functions_that_the_submission_asks_for() -> None:
    imports = frozenset({"pthread_mutex_lock"})
    for called in (LOCK, "__pthread_mutex_lock", ""):
        assert hide_unimported(Stack(called, (1,)), imports).called == called
    waits = Stack("__interceptor_pthread_cond_wait", (1,))
    assert (
        describe([waits], {1: 7}, "sum.cc")
        == "1 thread waits in pthread_cond_wait called at sum.cc:7"
    )
    assert hide_unimported(waits, frozenset()) == waits, "std::condition_variable::wait ends in it"
    for called in ("hidden_input_seven_of_clubs", "pthread_seven_of_clubs"):
        assert hide_unimported(Stack(called, (1,)), imports) == Stack("?", (1,))


def test_says_nothing_of_threads_that_are_in_no_line_of_the_student() -> None:
    assert describe([Stack(LOCK, (1,)), Stack(LOCK, ())], {2: 5}, "sum.cc") == ""


def test_names_four_places_and_counts_the_rest() -> None:
    stacks = [Stack(LOCK, (line,)) for line in range(1, 8)]
    text = describe(stacks, {line: line for line in range(1, 8)}, "sum.cc")
    assert text.count("sum.cc") == 4
    assert text.endswith("; 3 more elsewhere")
