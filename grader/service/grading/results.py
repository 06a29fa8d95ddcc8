"""A lab's results folder, DATA/results/LAB: the same store that `grade --out` writes.

It is open for moments only, so that `regrade`, `replay` and the others work beside the service. A
result gets here before it gets to the service's database: one that is found here is used.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from grader.judging.store import Store
from grader.model.manifest import Kit
from grader.model.result import Key, Result
from grader.model.verdict import Verdict


@dataclass(frozen=True)
class Kept:
    """What the store says before a submission is graded."""

    seed: int
    secret: str
    result: Result | None
    """The final result of the same text, under the same kit, seed and class of machines."""


class LabResults:
    """One lab's store. Any thread may use it; GraderError while another grader has it."""

    def __init__(self, data: Path, kit: Kit, machine: str | None) -> None:
        self.folder = data / "results" / kit.manifest.lab
        self._kit = kit
        self._machine = machine
        self._one_at_a_time = Lock()

    @contextmanager
    def _open(self) -> Iterator[Store]:
        with self._one_at_a_time, Store(self.folder, create=True) as store:
            yield store

    def prepare(self, digest: str, text: bytes) -> Kept:
        """Keeps kit and text for appeals, and looks for a result."""
        with self._open() as store:
            store.bind(self._kit.manifest.lab, self._kit.lab)
            store.archive.keep(self._kit, [(digest, text)])
            seed = store.seed(None)
            key = Key(
                kit=self._kit.manifest.digest,
                submission=digest,
                seed=seed,
                machine=self._machine or "",
            )
            found = store.find(key, any_machine=self._machine is None)
            return Kept(seed, store.secret(), found)

    def put(self, result: Result) -> None:
        """Stores a result, for nobody yet."""
        with self._open() as store:
            store.put(result, [])

    def point(self, team: str, source: str, result: Result) -> None:
        """Makes the team's line show a result that was stored, or that an old copy lacks.

        A line with a later result of the same submission stays: `regrade` may have written it.
        """
        with self._open() as store:
            key = result.key
            if store.handed_in().get(team) == (source, key.submission):
                shown = store.load(team, texts=False)
                if shown.verdict.is_final and shown.graded_at >= result.graded_at:
                    return
            row = store.final_keys(key.kit, key.seed, key.machine).get(key.submission)
            if row is not None and result.verdict is not Verdict.JUDGE_ERROR:
                store.point([(team, source, row)])
            else:
                store.put(result, [(team, source)])
