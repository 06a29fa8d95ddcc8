"""Converts a whole file to a patch, to the base for which the patch is shortest."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.judging.sample.patches import LabFolder, apply, expand, make, parse, stored_name
from grader.judging.sample.samples import Sample, lazy_samples, samples
from grader.model.errors import GraderError
from grader.model.verdict import Verdict

_LONGEST = 0.9
"""Longest useful patch, as a share of the file's lines: above it the whole file reads better."""

_DETOUR = 3
"""Lines by which a patch to another sample must be shorter: readers know the reference best."""


@dataclass(frozen=True)
class Packed:
    """The shortest patch for a whole file."""

    base: str
    patch: str
    is_worth_it: bool


def packed(folder: Path, name: str, base: str | None = None) -> Packed:
    """The file of that name in a lab's folder as a patch to `base`, or else to the reference or the
    accepted sample with the shortest patch.

    GraderError if there is no such file or base, or the file cannot be expressed as a patch.
    """
    lab = LabFolder(folder)
    text = lab.read(name)
    if text is None:
        raise GraderError(f"{folder / name} does not exist", "write the whole file first")
    candidates = [base] if base else list(_bases(lab, name))
    patches = {other: make(other, expand(lab, other), name, text) for other in candidates}
    chosen = base or min(
        patches, key=lambda other: patches[other].count("\n") + _DETOUR * ("/" in other)
    )
    patch = patches[chosen]
    if "\n@@ " not in patch:
        raise GraderError(f"{folder / name} is {chosen} with another comment", "remove one of them")
    if apply(parse(stored_name(name), patch), expand(lab, chosen)) != text:
        raise GraderError(f"{folder / name} cannot be expressed as a patch", "keep it whole")
    return Packed(chosen, patch, patch.count("\n") <= _LONGEST * text.count("\n"))


def _bases(lab: LabFolder, name: str) -> Iterator[str]:
    """The reference, the accepted samples, and for a right program that is not one of them also the
    lazy ones; without those that are patches to this one."""
    found = [s for s in samples(lab.path) if s.expected is Verdict.ACCEPTED]
    if _folder(name) in ("lazy", Verdict.TOO_SLOW):
        found += lazy_samples(lab.path)
    for sample in found:
        base = _name(lab.path, sample)
        if name not in _chain(lab, base):
            yield base


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _chain(lab: LabFolder, name: str) -> Iterable[str]:
    """The name of the file, and those of its bases."""
    yield name
    while lab.read(name) is None:
        stored = stored_name(name)
        name = parse(stored, lab.read(stored) or "").base
        yield name


def _name(folder: Path, sample: Sample) -> str:
    path = sample.path.with_name(sample.file_name)
    return path.relative_to(folder).as_posix()
