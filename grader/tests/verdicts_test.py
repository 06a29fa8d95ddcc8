"""Sample submissions of one lab get the verdict that their folder is named after.

Run as a program: verdicts_test.py KIT SAMPLES few|all: at most one of each verdict, or all. One
pytest case per submission; a thread grades them concurrently and each case waits for its result.
LAB_SEED sets the seed, EXHAUSTIVE_SHARE=2/3 runs the second third of all samples.
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

from grader.checks.pytest_program import chosen_cases, run_cases
from grader.checks.share import share_of
from grader.checks.verdicts import cannot_tell, grade_samples, told
from grader.model.manifest import load_kit
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.sample.choice import choose_few
from grader.sample.samples import Sample, samples

_KIT = "VERDICTS_TEST_KIT"
_SAMPLES = "VERDICTS_TEST_SAMPLES"
_WHICH = "VERDICTS_TEST_WHICH"
_PATIENCE_S = 900


def _found() -> list[Sample]:
    if _SAMPLES not in os.environ:
        return []
    folder = Path(os.environ[_SAMPLES])
    if os.environ[_WHICH] == "few":
        return choose_few(folder)
    return share_of(samples(folder), lambda sample: sample.name)


FOUND = _found()
Results = dict[str, "Future[Result]"]


@pytest.fixture(scope="session")
def results(request: pytest.FixtureRequest) -> Iterator[Results]:
    """A future for each chosen sample; a thread grades them in the background."""
    wanted: list[Sample] = [
        cast(Sample, item.callspec.params["sample"])
        for item in request.session.items
        if isinstance(item, pytest.Function) and "sample" in item.callspec.params
    ]
    chosen = list(dict.fromkeys(wanted))
    futures: Results = {sample.name: Future() for sample in chosen}
    worker = threading.Thread(target=_grade, args=(chosen, futures), daemon=True)
    worker.start()
    yield futures
    worker.join(_PATIENCE_S)


def _grade(chosen: list[Sample], futures: Results) -> None:
    kit = load_kit(Path(os.environ[_KIT]))
    seed = int(os.environ.get("LAB_SEED", "1"))
    try:
        for sample, result in grade_samples(kit, chosen, seed):
            futures[sample.name].set_result(result)
    except BaseException as error:
        for future in futures.values():
            if not future.done():
                future.set_exception(error)


@pytest.mark.parametrize("sample", FOUND, ids=lambda sample: sample.name)
def test_gets_the_verdict_that_its_folder_is_named_after(sample: Sample, results: Results) -> None:
    result = results[sample.name].result(_PATIENCE_S)
    if reason := cannot_tell(sample, result):
        pytest.skip(reason)
    assert result.verdict is sample.expected, "\n" + told(sample, result)
    if sample.expected is Verdict.TIME_LIMIT and not sample.is_hostile:
        _names_a_line_of_its_code(sample, result)


def _names_a_line_of_its_code(sample: Sample, result: Result) -> None:
    """If a call did not return, the message has the lines at which its threads are."""
    message = next(part.failure.message for part in result.parts if part.failure)
    name = load_kit(Path(os.environ[_KIT])).manifest.file
    place = re.search(rf"\b{re.escape(name)}:(\d+)", message)
    assert place, message
    line = sample.read().decode().splitlines()[int(place[1]) - 1]
    # A function starts at the line of its declarator, and a short one has no other line.
    is_code = line.startswith((" ", "#pragma", "__global__")) or re.match(r"[\w:<>*& ]+\(", line)
    assert is_code, f"{message}: {line}"
    assert not line.lstrip().startswith("//"), f"{message}: {line}"


def _main(arguments: list[str]) -> int:
    os.environ[_KIT], os.environ[_SAMPLES], os.environ[_WHICH] = arguments[:3]
    return run_cases(__file__, [*chosen_cases(), *arguments[3:]])


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
