"""`samples`: sample submissions as whole files, and as the patches that they are kept as."""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from grader.cli.places import lab_names, sample_root
from grader.judging.sample.carry import Carried, carry, merge
from grader.judging.sample.pack import packed
from grader.judging.sample.patches import LabFolder, apply, expand, make
from grader.judging.sample.samples import Sample, lazy_samples, samples
from grader.model.errors import GraderError

Facts = dict[str, Any]
"""For --json."""


def expand_samples(names: Sequence[str], out: Path | None) -> list[Facts]:
    """Writes whole files below `out`, as LAB/VERDICT/NAME.cu; without `out` prints the only one.

    A name is LAB/VERDICT/NAME, or LAB: all of its samples; no name: those of all labs.
    Returns each sample's name, with its text or the path that it was written to.
    """
    found = [entry for name in names or lab_names() for entry in _chosen(name)]
    if out is None:
        if len(found) != 1:
            raise GraderError(f"{len(found)} samples can only be written to a folder", "use --out")
        lab, sample = found[0]
        text = sample.read()
        click.echo(text, nl=False)
        return [{"name": f"{lab}/{sample.name}", "text": text.decode("utf-8", "replace")}]
    written: list[Facts] = []
    for lab, sample in found:
        inside = () if sample.path.parent.name == lab else (sample.path.parent.name,)
        path = out.joinpath(lab, *inside, sample.file_name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(sample.read())
        written.append({"name": f"{lab}/{sample.name}", "path": path})
    click.echo(f"{len(found)} samples written to {out}")
    return written


def edit_sample(name: str) -> None:
    """Opens the whole file in $EDITOR and keeps what is saved there, as a patch if it was one.

    A patch that no longer applies is opened as it merges with its base, conflicts marked.
    """
    _, sample = _one(name)
    if not sample.is_patch:
        click.edit(filename=str(sample.path))
        return
    lab, patch = sample.lab, sample.patch
    base = expand(lab, patch.base)
    try:
        whole = apply(patch, base)
    except GraderError:
        whole = merge(lab.path, patch).text
    edited = click.edit(whole, extension=Path(sample.file_name).suffix, require_save=False) or whole
    if re.search(r"^<<<<<<< ", edited, re.MULTILINE):
        lab.write(patch.target, edited)
        sample.path.unlink()
        settle = f"settle it there, then: bazel run //grader -- samples pack {name}"
        raise GraderError(f"{lab.path / patch.target}: a conflict is still marked", settle)
    text = make(patch.base, base, patch.target, edited)
    lab.store(patch.target, text)
    click.echo(f"{sample.path}: {text.count(chr(10))} lines, a patch to {patch.base}")


def pack_samples(names: Sequence[str], base: str | None) -> list[Facts]:
    """Stores whole files as patches where that tells more; returns what became of each."""
    packings: list[Facts] = []
    for name in names:
        lab, sample = _one(name)
        folder = sample_root() / lab
        if sample.is_patch:
            raise GraderError(f"{sample.path} is a patch already", "expand it first")
        whole = sample.path.relative_to(folder).as_posix()
        found = packed(folder, whole, base)
        lines = found.patch.count("\n")
        is_patch = bool(base or found.is_worth_it)
        packings.append({"name": name, "is_patch": is_patch, "base": found.base, "lines": lines})
        if is_patch:
            LabFolder(folder).store(whole, found.patch)
            click.echo(f"{lab}/{whole}: {lines} lines, a patch to {found.base}")
        else:
            click.echo(f"{lab}/{whole} stays whole: {lines} lines as a patch to {found.base}")
    return packings


def carry_samples(labs: Sequence[str]) -> dict[str, Carried]:
    """Brings patches over to their bases as they are now; returns what became of each lab's."""
    found: dict[str, Carried] = {}
    for lab in labs or lab_names():
        carried = found[lab] = carry(_folder(lab))
        for problem in carried.failed.values():
            click.echo(problem, err=True)
        kept, moved, failed = map(len, (carried.unchanged, carried.carried, carried.failed))
        click.echo(f"{lab}: {kept} patches apply, {moved} carried over, {failed} to be settled")
    return found


def _one(name: str) -> tuple[str, Sample]:
    found = list(_chosen(name))
    if len(found) != 1:
        raise GraderError(f"{name} names {len(found)} samples", "name one: LAB/VERDICT/NAME")
    return found[0]


def _chosen(name: str) -> Iterator[tuple[str, Sample]]:
    """The samples that LAB or LAB/VERDICT/NAME names, with their lab."""
    lab, _, wanted = name.partition("/")
    folder = _folder(lab)
    found = samples(folder) + lazy_samples(folder)
    chosen = [sample for sample in found if not wanted or sample.name == wanted]
    if not chosen:
        close = get_close_matches(wanted, [sample.name for sample in found], 1)
        hint = f"did you mean {lab}/{close[0]}?" if close else "name one: LAB/VERDICT/NAME"
        raise GraderError(f"no sample is called {name}", hint)
    return ((lab, sample) for sample in chosen)


def _folder(lab: str) -> Path:
    if lab not in lab_names():
        raise GraderError(f"no lab named {lab!r}", f"labs: {', '.join(lab_names())}")
    return sample_root() / lab
