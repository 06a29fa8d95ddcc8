"""Chooses a lab's samples for the bundled class and the short demo."""

import hashlib
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.judging.sample.samples import Sample, samples
from grader.model.errors import GraderError
from grader.model.verdict import Verdict

DEMO = "demo.toml"

CLASS_SIZE = 11
_ACCEPTED = 2
_MIN_WRONG = 8
_TYPICAL = frozenset({Verdict.WRONG_ANSWER, Verdict.DATA_RACE, Verdict.OUT_OF_BOUNDS})


def choose(found: Sequence[Sample]) -> list[Sample]:
    """Two accepted samples, one of each other verdict, hostile ones first, then more of the typical
    mistakes. Deterministic.

    CLASS_SIZE samples, or more if the verdicts alone need more.
    """
    mixed = _mixed(found)
    chosen = [sample for sample in mixed if not sample.is_wrong][:_ACCEPTED]
    wrong = sorted((s for s in mixed if s.is_wrong), key=lambda sample: not sample.is_hostile)
    firsts: dict[Verdict, Sample] = {}
    for sample in wrong:
        firsts.setdefault(sample.expected, sample)
    chosen += firsts.values()
    room = max(CLASS_SIZE - len(chosen), _MIN_WRONG - len(firsts))
    chosen += _most_wanted(sample for sample in wrong if sample not in chosen)[: max(room, 0)]
    return sorted(chosen, key=mixed.index)


def _most_wanted(left: Iterable[Sample]) -> list[Sample]:
    def rank(sample: Sample) -> tuple[bool, bool]:
        return (not sample.is_hostile, sample.expected not in _TYPICAL)

    return sorted(left, key=rank)


def _mixed(found: Sequence[Sample]) -> list[Sample]:
    """Sorted by a hash of the name: a fixed order in which neighbours seldom share a verdict."""
    return sorted(found, key=lambda sample: hashlib.sha256(sample.name.encode()).digest())


def has_demo(folder: Path) -> bool:
    """Whether this lab is part of the short demo."""
    return (folder / DEMO).exists()


def short_demo(folder: Path) -> list[Sample]:
    """The samples that a lab's demo.toml names, in its order; GraderError if one does not exist."""
    path = folder / DEMO
    by_name = {sample.name: sample for sample in samples(folder)}
    try:
        names = tomllib.loads(path.read_text(encoding="utf-8"))["samples"]
        return [by_name[name] for name in names]
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GraderError(f"cannot read {path}: {error}", "correct the file") from error
    except KeyError as error:
        raise GraderError(
            f"{path}: there is no {error}", 'name samples as in samples = ["accepted/NAME"]'
        ) from error
