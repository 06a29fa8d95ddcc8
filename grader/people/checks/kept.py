"""Results of samples and mutants, kept until a lab is whole: an interrupted check goes on."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from grader.judging.sample.samples import Sample
from grader.judging.store import Store
from grader.model.manifest import Kit
from grader.model.result import Key, Result
from grader.people.checks.verdicts import grade_samples
from grader.sandbox.machine import machine_class

Grade = Callable[[Kit, Sequence[Sample], int], Iterator[tuple[Sample, Result]]]


def usual_folder(lab: str) -> Path:
    """Where checks of a lab keep their results: in the user's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "lab-grader" / "check" / lab


class Kept:
    """The results of one lab's check.

    Each purpose has a folder: the same text may be tested only, or timed as well.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def seed(self, given: int | None) -> int:
        """`given`, else that of the check to go on with, else a new one."""
        with self._store("samples") as store:
            return store.seed(given)

    def grade(self, purpose: str, *, verdict_only: bool = True, clock: bool = True) -> Grade:
        """Grades samples as `grade_samples` does, but those with a kept result only once."""

        def grade(kit: Kit, chosen: Sequence[Sample], seed: int) -> Iterator[tuple[Sample, Result]]:
            with self._store(purpose) as store:
                left = []
                for sample in chosen:
                    key = Key(
                        kit=kit.manifest.digest,
                        submission=sample.submission().digest,
                        seed=seed,
                        machine=machine_class(),
                    )
                    if found := store.find(key):
                        yield sample, found.model_copy(update={"student": sample.name})
                    else:
                        left.append(sample)
                for sample, result in grade_samples(
                    kit, left, seed, verdict_only=verdict_only, clock=clock
                ):
                    store.put(result, [(sample.name, str(sample.path))])
                    yield sample, result

        return grade

    def forget(self) -> None:
        """Removes everything: the next check begins anew, with another seed."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _store(self, purpose: str) -> Store:
        return Store(self.folder / purpose, create=True)
