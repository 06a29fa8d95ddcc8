"""Every sample submission of one lab gets the verdict that its folder is named after, and right
programs without the parallel work stay below the ceilings that the lab states.

Run as a program: samples_test.py KIT SAMPLES. One pytest case for each sample; a thread grades them
concurrently and each case waits for its result. LAB_SEED sets the seed.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import cast

import pytest

from grader.checks.ceilings import above, unstated
from grader.checks.pytest_program import chosen_cases, run_cases
from grader.checks.verdicts import cannot_tell, grade_samples, told, too_busy
from grader.model.manifest import Kit, load_kit
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.sample.samples import Sample, lazy_samples, samples

_KIT = "SAMPLES_TEST_KIT"
_SAMPLES = "SAMPLES_TEST_SAMPLES"
_PATIENCE_S = 900

FOUND = samples(Path(os.environ[_SAMPLES])) if _SAMPLES in os.environ else []
LAZY = lazy_samples(Path(os.environ[_SAMPLES])) if _SAMPLES in os.environ else []
Results = dict[Path, "Future[Result]"]


@pytest.fixture(scope="session")
def kit() -> Kit:
    return load_kit(Path(os.environ[_KIT]))


@pytest.fixture(scope="session")
def results(request: pytest.FixtureRequest, kit: Kit) -> Iterator[Results]:
    """A future for each chosen sample; a thread grades them in the background."""
    wanted: list[Sample] = [
        cast(Sample, item.callspec.params["sample"])
        for item in request.session.items
        if isinstance(item, pytest.Function) and hasattr(item, "callspec")
    ]
    chosen = list(dict.fromkeys(wanted))
    futures: Results = {sample.path: Future() for sample in chosen}
    worker = threading.Thread(target=_grade, args=(kit, chosen, futures), daemon=True)
    worker.start()
    yield futures
    worker.join(_PATIENCE_S)


def _grade(kit: Kit, chosen: list[Sample], futures: Results) -> None:
    """Lazy samples get all their points, others only their verdict."""
    seed = int(os.environ.get("LAB_SEED", "1"))
    try:
        for lazy in (False, True):
            some = [sample for sample in chosen if sample.is_lazy is lazy]
            for sample, result in grade_samples(kit, some, seed, verdict_only=not lazy):
                futures[sample.path].set_result(result)
    except BaseException as error:
        for future in futures.values():
            if not future.done():
                future.set_exception(error)


def _name(sample: Sample) -> str:
    return sample.name


@pytest.mark.parametrize("sample", FOUND, ids=_name)
def test_gets_the_verdict_that_its_folder_is_named_after(
    sample: Sample, results: Results, kit: Kit
) -> None:
    result = results[sample.path].result(_PATIENCE_S)
    if reason := cannot_tell(sample, result):
        pytest.skip(reason)
    assert result.verdict is sample.expected, "\n" + told(sample, result)
    if sample.expected is Verdict.TIME_LIMIT and not sample.is_hostile:
        _names_a_line_of_its_code(sample, result, kit)


def _names_a_line_of_its_code(sample: Sample, result: Result, kit: Kit) -> None:
    """If a call did not return, the message has the lines at which its threads are."""
    message = next(part.failure.message for part in result.parts if part.failure)
    place = re.search(rf"\b{re.escape(kit.manifest.file)}:(\d+)", message)
    assert place, message
    line = sample.read().decode().splitlines()[int(place[1]) - 1]
    # A function starts at the line of its declarator, and a short one has no other line.
    is_code = line.startswith((" ", "#pragma", "__global__")) or re.match(r"[\w:<>*& ]+\(", line)
    assert is_code, f"{message}: {line}"
    assert not line.lstrip().startswith("//"), f"{message}: {line}"


@pytest.mark.parametrize("sample", LAZY, ids=_name)
def test_earns_no_more_than_its_ceiling(sample: Sample, results: Results, kit: Kit) -> None:
    result = results[sample.path].result(_PATIENCE_S)
    if reason := too_busy(result):
        pytest.skip(f"{sample.path}: {reason}")
    problems = [*above(kit.lab, [(sample, result)])]
    assert not problems, "\n".join([*problems, told(sample, result)])


def test_every_class_of_lazy_programs_has_a_ceiling_and_a_sample(kit: Kit) -> None:
    assert list(unstated(kit.lab, LAZY)) == []


def _main(arguments: list[str]) -> int:
    os.environ[_KIT], os.environ[_SAMPLES] = arguments[:2]
    return run_cases(__file__, [*chosen_cases(), *arguments[2:]])


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
