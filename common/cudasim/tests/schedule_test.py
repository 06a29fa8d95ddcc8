"""The schedules of check mode: they show what threads that run one after the other hide."""

import re
import resource
import subprocess

import pytest

from common.cudasim.tests.simulated import start

SEEDS = ("1", "2", "3", "4", "5")
WRONG = {
    "LookAndExchange": ("lost_update", 15, 16),
    "LookInABlock": ("lost_update", 24, 25),
    "LookAndClaim": ("stale_look", 34, 35),
    "LookAndCount": ("stale_look", 42, 42),
}
"""What warns of each, and the lines of the look and of the write."""

RIGHT = [
    *("CompareAndSwapLoop", "ClaimByTheOldValue", "AllStoreTheSame", "TakeTurns", "PassOn"),
    "LargestWins",
]


def run(name: str, seed: str) -> subprocess.CompletedProcess[str]:
    return start("schedule_updates_check", name, CUDASIM_SCHEDULE=seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_result_comes_out_with_the_two_lines_between_which_another_came(
    name: str, seed: str
) -> None:
    done = run(name, seed)
    kind, look, write = WRONG[name]
    lines = [int(line) for line in re.findall(r"updates\.cu:(\d+)", done.stderr)]
    assert done.stderr.startswith(f"cudasim: warning: {kind}: kernel {name}, ")
    assert {look, write} <= set(lines)
    assert "; between the two thread (" in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_flag_of_volatile_data_is_known_when_others_have_to_wait_for_it(seed: str) -> None:
    done = run("HandDown", seed)
    assert re.search(r"data_race: kernel HandDown, \S+updates\.cu:99: read of", done.stderr)
    assert "writer: no __threadfence() before it sets the flag at " in done.stderr


@pytest.mark.parametrize("name", [*WRONG, "HandDown"])
def test_threads_one_after_the_other_hide_it(name: str) -> None:
    done = run(name, "0")
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGHT)
def test_says_nothing_of_a_program_that_is_right_under_each_schedule(name: str, seed: str) -> None:
    done = run(name, seed)
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize("name", WRONG)
def test_the_same_seed_gives_the_same_schedule(name: str) -> None:
    first, second = run(name, "7"), run(name, "7")
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)


def test_switches_little_where_thousands_of_threads_would_poll_in_between() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    assert run("PassOn", "1").returncode == 0
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 1


def test_an_unknown_program_fails() -> None:
    assert run("NoSuchProgram", "1").returncode == 2
