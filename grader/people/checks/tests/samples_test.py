"""Every sample submission of one lab gets the verdict that its folder is named after, and right
programs without the parallel work stay below the ceilings that the lab states.

Run as a program: samples_test.py KIT SAMPLES judged|timed. `judged`: the verdicts and ceilings that
need no clock; `timed`: the other verdicts, and all ceilings by all points. One pytest case for each
sample; a thread grades them concurrently and each case waits for its result. LAB_SEED sets the
seed, SAMPLES_AT_MOST how many samples there are at most (share.py).
"""

import os
import re
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from grader.judging.sample.samples import Sample, lazy_samples, samples
from grader.model.manifest import Kit, load_kit
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.people.checks.ceilings import above, needs_clock, unstated
from grader.people.checks.pytest_program import chosen_cases, run_cases
from grader.people.checks.share import some_of_each
from grader.people.checks.verdicts import cannot_tell, grade_samples, told, too_busy

_KIT = "SAMPLES_TEST_KIT"
_SAMPLES = "SAMPLES_TEST_SAMPLES"
_PATIENCE_S = 900

_WHICH = "SAMPLES_TEST_WHICH"
_BY_CLOCK = frozenset({Verdict.ACCEPTED, Verdict.TOO_SLOW})
_LONG = _BY_CLOCK | {Verdict.TIME_LIMIT}
"""Samples that take longest begin first: then no core waits for them at the end."""


def _is_timed() -> bool:
    return os.environ.get(_WHICH) == "timed"


def _found() -> list[Sample]:
    """Where nothing is counted, a program may be too slow by the clock alone."""
    if _SAMPLES not in os.environ:
        return []
    folder = Path(os.environ[_SAMPLES])
    every = samples(folder)
    lab = load_kit(Path(os.environ[_KIT])).lab
    if _is_timed():
        by_clock = () if lab.programming.counters else _BY_CLOCK
        return [sample for sample in every if sample.expected in by_clock] + lazy_samples(folder)
    counted = [sample for sample in lazy_samples(folder) if not needs_clock(lab, sample)]
    if lab.programming.counters:
        return every + counted
    return [sample for sample in every if sample.expected is not Verdict.TOO_SLOW] + counted


FOUND = some_of_each(
    _found(),
    kind_of=lambda sample: sample.name.partition("/")[0],
    first=["accepted", "lazy"],
    turn=Path(os.environ.get(_SAMPLES, "")).name,
)
Results = dict[Path, "Future[Result]"]


@pytest.fixture(scope="session")
def kit() -> Kit:
    return load_kit(Path(os.environ[_KIT]))


@pytest.fixture(scope="session")
def results(request: pytest.FixtureRequest, kit: Kit) -> Iterator[Results]:
    """A future for each chosen sample; a thread grades them in the background."""
    wanted = [
        item.callspec.params["sample"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and hasattr(item, "callspec")
    ]
    chosen = [entry for entry in wanted if isinstance(entry, Sample)]
    futures: Results = {sample.path: Future() for sample in chosen}
    worker = threading.Thread(target=_grade, args=(kit, chosen, futures), daemon=True)
    worker.start()
    yield futures
    worker.join(_PATIENCE_S)


def _grade(kit: Kit, chosen: list[Sample], futures: Results) -> None:
    """Lazy samples get points, or an upper bound of them; others only their verdict."""
    seed = int(os.environ.get("LAB_SEED", "1"))
    lazy = [sample for sample in chosen if sample.is_lazy]
    others = [sample for sample in chosen if not sample.is_lazy]
    others.sort(key=lambda sample: sample.expected not in _LONG)
    try:
        by_clock = []
        for sample, result in grade_samples(kit, others, seed, clock=_is_timed()):
            if result.verdict is Verdict.ACCEPTED and sample.is_wrong and not _is_timed():
                by_clock.append(sample)  # slow, or wrong only in the large calls that are timed
            else:
                futures[sample.path].set_result(result)
        for sample, result in grade_samples(kit, by_clock, seed):
            futures[sample.path].set_result(result)
        bound = not _is_timed()
        for sample, result in grade_samples(kit, lazy, seed, verdict_only=False, bound=bound):
            futures[sample.path].set_result(result)
    except BaseException as error:
        for future in futures.values():
            if not future.done():
                future.set_exception(error)


def _name(sample: Sample) -> str:
    return sample.name


@pytest.mark.parametrize("sample", FOUND, ids=_name)
def test_is_judged_as_its_folder_says(sample: Sample, results: Results, kit: Kit) -> None:
    result = results[sample.path].result(_PATIENCE_S)
    if sample.is_lazy:
        _earns_no_more_than_its_ceiling(sample, result, kit)
    else:
        _gets_its_verdict(sample, result, kit)


def _gets_its_verdict(sample: Sample, result: Result, kit: Kit) -> None:
    if reason := cannot_tell(sample, result):
        pytest.skip(reason)
    assert result.verdict is sample.expected, "\n" + told(sample, result)
    if sample.expected is Verdict.TIME_LIMIT and not sample.is_hostile:
        _names_a_line_of_its_code(sample, result, kit)
    for counter in (each for part in result.parts for each in part.counters):
        if counter.counter == "global_efficiency" and 0 < (counter.value or 0) < 0.5:
            assert any(row.startswith(f"{kit.manifest.file}:") for row in counter.advice), counter


def _names_a_line_of_its_code(sample: Sample, result: Result, kit: Kit) -> None:
    """If a call did not return, the message has the lines at which its threads are."""
    message = next(part.failure.message for part in result.parts if part.failure)
    place = re.search(rf"\b{re.escape(kit.manifest.file)}:(\d+)", message)
    assert place, message
    line = sample.read().decode().splitlines()[int(place[1]) - 1]
    # A function starts at the line of its declarator, and a short one has no other line. It ends at
    # that of its brace.
    is_code = line.startswith((" ", "#pragma", "__global__", "}")) or re.match(
        r"[\w:<>*& ]+\(", line
    )
    assert is_code, f"{message}: {line}"
    assert not line.lstrip().startswith("//"), f"{message}: {line}"


def _earns_no_more_than_its_ceiling(sample: Sample, result: Result, kit: Kit) -> None:
    if reason := too_busy(result):
        pytest.skip(f"{sample.path}: {reason}")
    problems = [*above(kit.lab, [(sample, result)])]
    assert not problems, "\n".join([*problems, told(sample, result)])


def test_every_class_of_lazy_programs_has_a_ceiling_and_a_sample(kit: Kit) -> None:
    assert list(unstated(kit.lab, lazy_samples(Path(os.environ[_SAMPLES])))) == []


def _main(arguments: list[str]) -> int:
    os.environ[_KIT], os.environ[_SAMPLES], os.environ[_WHICH] = arguments[:3]
    lab, every = load_kit(Path(arguments[0])).lab, lazy_samples(Path(arguments[1]))
    left = ", ".join(sample.name for sample in every if needs_clock(lab, sample))
    if left and not _is_timed():
        print(f"left to `timed`, as only a clock proves their ceilings: {left}")
    return run_cases(__file__, [*chosen_cases(), *arguments[3:]])


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
