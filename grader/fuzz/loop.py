"""A coverage-guided fuzzer for Python: it keeps data that takes a new edge, or an edge more often
than before, and mutates it again.

Replaces atheris, no version of which has wheels for all of Python 3.11 to 3.14.
"""

from __future__ import annotations

import hashlib
import random
import resource
import signal
import time
import traceback
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from grader.fuzz.coverage import Coverage
from grader.fuzz.mutate import Mutator
from grader.fuzz.target import Target

CPU_LIMIT_S = 5.0
"""CPU time of one execution."""
MEMORY_LIMIT_MB = 512
"""Growth of the process that one execution may cause, from before the first execution."""
_HUGE_EVERY = 500
"""Every so many executions, one uses data of the target's `huge` size."""
_OURS = Path(__file__).parents[1]


class HangError(BaseException):
    """An execution used up its CPU time. A BaseException, so that no reader catches it."""


@dataclass(frozen=True)
class Finding:
    """Data on which a reader fails."""

    kind: str
    """`crash` or `hang`."""
    where: str
    """The exception and the grader's innermost line; identifies the finding."""
    data: bytes


@dataclass
class Outcome:
    """What a run did."""

    executions: int = 0
    seconds: float = 0.0
    edges: int = 0
    kept: int = 0
    findings: list[Finding] = field(default_factory=list)


class Fuzzer:
    """Runs one target; `words` are its format's tokens. Takes over the process's SIGPROF."""

    def __init__(self, target: Target, seed: int, words: Sequence[bytes] = ()) -> None:
        self._target = target
        self._random = random.Random(seed)  # noqa: S311 (no secret)
        self._mutator = Mutator(self._random, words, target.longest)
        self._coverage = Coverage([_OURS])
        self._seen: set[Hashable] = set()
        self._edges: set[Hashable] = set()
        self.corpus: list[bytes] = []
        self.outcome = Outcome()
        signal.signal(signal.SIGPROF, _raise_hang)
        self._base_kb = _peak_kb()
        self._last_peak_kb = self._base_kb

    def run(self, seeds: Iterable[bytes], seconds: float) -> Outcome:
        """Runs each seed, and then mutations of kept data until the time is over."""
        start = time.monotonic()
        for data in [b"", *seeds]:
            self._try(data)
        if not self.corpus:
            self.corpus.append(b"")
        while time.monotonic() - start < seconds:
            self._step()
        self.outcome.seconds = time.monotonic() - start
        self.outcome.edges = len(self._edges)
        self.outcome.kept = len(self.corpus)
        return self.outcome

    def _step(self) -> None:
        recent = self._random.random() < 0.5
        base = self._random.choice(self.corpus[-16:] if recent else self.corpus)
        if self.outcome.executions % _HUGE_EVERY == _HUGE_EVERY - 1:
            self._execute(self._mutator.blow_up(base, self._target.huge), trace=False)
        else:
            self._try(self._mutator.mutate(base, self._random.choice(self.corpus)))

    def _try(self, data: bytes) -> None:
        features = self._execute(data, trace=True)
        if not features <= self._seen:
            self._seen |= features
            self.corpus.append(data)

    def _execute(self, data: bytes, *, trace: bool) -> set[Hashable]:
        """Returns the features of this execution; records findings."""
        said: list[Hashable] = []

        def call() -> None:
            said.extend(self._target.check(data) or ())

        self.outcome.executions += 1
        signal.setitimer(signal.ITIMER_PROF, CPU_LIMIT_S)
        try:
            if trace:
                self._coverage.run(call)
            else:
                call()
        except self._target.refusals:
            pass
        except HangError as error:
            self._record("hang", error, data)
        except Exception as error:
            self._record("crash", error, data)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        self._look_at_memory(data)
        edges = self._coverage.edges if trace else {}
        self._edges.update(edges)
        return {(edge, count.bit_length()) for edge, count in edges.items()} | set(said)

    def _look_at_memory(self, data: bytes) -> None:
        """The peak never falls, so the data that raises it beyond the limit is the cause."""
        peak = _peak_kb()
        limit = self._base_kb + (MEMORY_LIMIT_MB << 10)
        if peak > limit and self._last_peak_kb <= limit:
            self.outcome.findings.append(
                Finding("crash", f"more than {MEMORY_LIMIT_MB} MB of memory", data)
            )
        self._last_peak_kb = peak

    def _record(self, kind: str, error: BaseException, data: bytes) -> None:
        where = f"{type(error).__name__} at {_innermost(error)}"
        if all(known.where != where for known in self.outcome.findings):
            self.outcome.findings.append(Finding(kind, where, data))


def _raise_hang(_number: int, _frame: FrameType | None) -> None:
    raise HangError


def _peak_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _innermost(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(f"{_OURS}/")]
    frame = (ours or frames)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno}"


def save(findings: Iterable[Finding], folder: Path) -> list[Path]:
    """Writes each finding's data into a file of the folder, as libFuzzer does."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for finding in findings:
        digest = hashlib.sha256(finding.data).hexdigest()[:16]
        path = folder / f"{finding.kind}-{digest}"
        path.write_bytes(finding.data)
        paths.append(path)
    return paths
