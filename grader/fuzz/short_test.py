"""A few seconds of one fuzz target, FUZZ_TARGET: its corpus, then mutations of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.fuzz.programs import run

_SECONDS = 2
_SEED = 1


def test_survives_its_corpus_and_what_a_few_seconds_make_of_it(tmp_path: Path) -> None:
    done = run(os.environ["FUZZ_TARGET"], _SECONDS, _SEED, tmp_path)
    if done.skipped:
        pytest.skip(f"SKIPPED: {done.skipped}")
    assert not done.found
    assert done.executions > 1
    assert done.edges > 1
