"""The faults of a lab: its wrong samples as edits of right programs, and mutants of those."""

import hmac
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grader.judging.hunts.book import Fault
from grader.judging.hunts.diagnosis import KINDS
from grader.judging.hunts.program import Edit, apply, edits, includes, plain, with_includes
from grader.judging.hunts.rules import Rules
from grader.judging.sample.mutants import mutants
from grader.judging.sample.patches import LabFolder, expand, parse, stored_name
from grader.judging.sample.samples import Sample, samples
from grader.model.verdict import Verdict

_FEW = 3
"""Faults of a program below which nothing can be said of what they share."""


@dataclass(frozen=True)
class Pool:
    """What a hunt is drawn from."""

    programs: dict[str, str]
    """Right programs without comments, by the names of their samples."""
    faults: tuple[Fault, ...]


def pool(folder: Path, rules: Rules) -> Pool:
    """The faults of the samples in a lab's folder that are edits of a right program."""
    by_base: dict[str, list[Sample]] = {}
    right = {_name(folder, sample) for sample in samples(folder) if not sample.is_wrong}
    for sample in samples(folder):
        if sample.expected not in KINDS or not sample.is_patch or sample.is_hostile:
            continue
        if base := _right_base(folder, sample.patch.base, right):
            by_base.setdefault(base, []).append(sample)
    programs: dict[str, str] = {}
    faults: list[Fault] = []
    for base, wrong in by_base.items():
        lines, found = _faults_of(base, plain(expand(LabFolder(folder), base)), wrong)
        programs[base] = "\n".join(lines)
        faults += [fault for fault in found if 0 < fault.size <= rules.drawn.largest]
    return Pool(programs, tuple(faults))


def mutants_of(pool_of_lab: Pool, rules: Rules, key: str, count: int) -> list[Fault]:
    """That many mutants of the right programs, drawn by the key. Their kinds are not known yet."""
    found: list[Fault] = []
    for base, program in pool_of_lab.programs.items():
        lines = program.split("\n")
        for number, mutant in enumerate(mutants(program), 1):
            changes = edits(lines, mutant.source.split("\n"))
            name = f"mutant/{number} of {base}"
            kind = Verdict.WRONG_ANSWER
            found.append(Fault(name=name, base=base, kind=kind, edits=changes))
    fit = [fault for fault in found if 0 < fault.size <= rules.drawn.largest]
    return ranked(key, "mutants", fit)[:count]


def ranked(key: str, purpose: str, faults: Iterable[Fault]) -> list[Fault]:
    """In an order that the key and the purpose give."""

    def rank(fault: Fault) -> bytes:
        return hmac.digest(key.encode(), f"{purpose}\0{fault.name}".encode(), "sha256")

    return sorted(faults, key=rank)


def _name(folder: Path, sample: Sample) -> str:
    return sample.path.with_name(sample.file_name).relative_to(folder).as_posix()


def _right_base(folder: Path, name: str, right: set[str]) -> str | None:
    """The file itself or what it is a patch of, whichever is right; None where none is."""
    lab = LabFolder(folder)
    while name not in right:
        text = lab.read(stored_name(name))
        if text is None:
            return None
        name = parse(stored_name(name), text).base
    return name


def _faults_of(base: str, right: list[str], wrong: list[Sample]) -> tuple[list[str], list[Fault]]:
    """The right program's lines, and each sample as a fault of it.

    An edit that most samples share is how their author writes, not what is wrong: the right
    program has it, too. All programs include what any of them does, which tells nothing.
    """
    texts = [plain(sample.read().decode("utf-8", "replace")) for sample in wrong]
    all_includes = includes(line for text in [right, *texts] for line in text)
    right, *texts = (with_includes(text, all_includes) for text in (right, *texts))
    counts = Counter(edit for text in texts for edit in set(edits(right, text)))
    shared = [edit for edit, times in counts.items() if times > len(texts) / 2 >= _FEW / 2]
    faults = [
        Fault(
            name=sample.name,
            base=base,
            kind=sample.expected,
            edits=_own(right, text, shared),
        )
        for sample, text in zip(wrong, texts, strict=True)
    ]
    return apply(right, shared), faults


def _own(right: list[str], text: list[str], shared: list[Edit]) -> tuple[Edit, ...]:
    """A wrong program's edits besides the shared ones, of the right program that has those."""
    own = [edit for edit in edits(right, text) if edit not in shared]
    if not any(edit.touches(other) for edit in own for other in shared):
        text = apply(right, [*own, *shared])
    return edits(apply(right, shared), text)
