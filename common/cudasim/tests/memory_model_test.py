"""Pairs of small programs that differ in one word: check mode reports the one and not the other.

The program lists its pairs, each with the section of the PTX ISA's "Memory Consistency Model" that
decides it.
"""

import pytest

from common.cudasim.tests.simulated import assert_reported, expected_reports, start

FINDING = 67
PROGRAM = "memory_model_check"
# The programming guide's idiom.
WARNED = "LastBlockWithoutReaderFence"
SECTIONS = {
    "Asynchronous Operations",
    "Atomicity",
    "Causality Order",
    "Conflict and Data-races",
    "Memory Synchronization",
    "Morally Strong Operations",
    "Operation Types",
    "Program Order",
    "Release and Acquire Patterns",
    "Scope",
}
PAIRS = [tuple(line.split("\t")) for line in start(PROGRAM, "list").stdout.splitlines()]
REPORTS = expected_reports("memory_model")


@pytest.mark.parametrize("clean", [clean for _, clean, _ in PAIRS])
def test_says_nothing_about_the_clean_program(clean: str) -> None:
    done = start(PROGRAM, clean)
    assert (done.stderr, done.stdout, done.returncode) == ("", "", 0)


@pytest.mark.parametrize("racy", [racy for _, _, racy in PAIRS])
def test_reports_the_other_one_with_its_lines_and_what_is_missing(racy: str) -> None:
    done = start(PROGRAM, racy)
    assert_reported(done, "memory_model", REPORTS[racy])
    assert done.returncode == (0 if racy == WARNED else FINDING)


def test_the_pairs_cover_the_sections_of_the_model() -> None:
    assert {section for section, _, _ in PAIRS} == SECTIONS
    assert {racy for _, _, racy in PAIRS} == set(REPORTS)
