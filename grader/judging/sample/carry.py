"""Updates patches to bases that have changed, by three-way merges."""

import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader.judging.sample.patches import (
    SUFFIX,
    LabFolder,
    Patch,
    apply,
    expand,
    make,
    parse,
    with_comment,
)
from grader.model.errors import GraderError

_EDIT = "settle it by hand: bazel run //grader -- samples edit"


@dataclass(frozen=True)
class Merged:
    """A patch merged with the current text of its base."""

    text: str
    conflicts: int
    """Number of places where patch and base changed the same lines; the text marks both."""


@dataclass
class Carried:
    """The outcome for each of a lab's patches, by name."""

    unchanged: list[str] = field(default_factory=list)
    carried: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """Name to reason and next step."""


def carry(folder: Path) -> Carried:
    """Rewrites the patches of a lab that no longer apply. Those with conflicts stay unchanged."""
    lab = LabFolder(folder)
    carried = Carried()
    for patch in _bases_first(lab):
        try:
            base = expand(lab, patch.base)
            if _applies(patch, base):
                carried.unchanged.append(patch.name)
                continue
            merged = merge(folder, patch)
        except GraderError as error:
            carried.failed[patch.name] = str(error)
            continue
        if merged.conflicts:
            reason = f"{patch.name}: {merged.conflicts} conflicts with changes of {patch.base}"
            carried.failed[patch.name] = str(GraderError(reason, _EDIT))
            continue
        text = make(patch.base, base, patch.target, merged.text)
        lab.store(patch.target, text)
        carried.carried.append(patch.name)
    return carried


def merge(folder: Path, patch: Patch) -> Merged:
    """Merges with the newest committed base to which the patch applies; GraderError without one."""
    now = with_comment(expand(LabFolder(folder), patch.base), patch.comment)
    for lab in _history(folder):
        try:
            earlier = expand(lab, patch.base)
            whole = apply(patch, earlier)
        except GraderError:
            continue
        return _merged(now, with_comment(earlier, patch.comment), whole)
    raise GraderError(f"{patch.name} applies to no committed version of {patch.base}", _EDIT)


def _applies(patch: Patch, base: str) -> bool:
    try:
        apply(patch, base)
    except GraderError:
        return False
    return True


def _bases_first(lab: LabFolder) -> list[Patch]:
    """The lab's patches, each after the patch that makes its base."""
    found: dict[str, Patch] = {}
    for path in sorted(lab.path.glob(f"*/*{SUFFIX}")):
        name = path.relative_to(lab.path).as_posix()
        patch = parse(name, lab.read(name) or "")
        found[patch.target] = patch

    def depth(patch: Patch) -> int:
        seen = 0
        while patch.base in found and seen <= len(found):
            patch, seen = found[patch.base], seen + 1
        return seen

    return sorted(found.values(), key=depth)


@dataclass(frozen=True)
class _Commit:
    """A lab's samples in one commit."""

    folder: Path
    commit: str

    def read(self, name: str) -> str | None:
        shown = _git(self.folder, "show", f"{self.commit}:./{name}")
        return shown.stdout.decode(errors="surrogateescape") if shown.returncode == 0 else None


def _history(folder: Path) -> Iterator[_Commit]:
    """Commits that changed the lab's samples, newest first."""
    listed = _git(folder, "log", "--format=%H", "--", ".")
    if listed.returncode != 0:
        raise GraderError(f"git log failed: {listed.stderr.decode().strip()}", "work in a clone")
    for commit in listed.stdout.decode().split():
        yield _Commit(folder, commit)


def _merged(now: str, earlier: str, whole: str) -> Merged:
    with tempfile.TemporaryDirectory() as name:
        for file, text in (("base", now), ("earlier", earlier), ("sample", whole)):
            (Path(name) / file).write_bytes(text.encode(errors="surrogateescape"))
        done = _git(Path(name), "merge-file", "-p", "--diff3", "sample", "earlier", "base")
    if not 0 <= done.returncode < 128:
        raise GraderError(f"git merge-file failed: {done.stderr.decode().strip()}", "fix the cause")
    return Merged(done.stdout.decode(errors="surrogateescape"), done.returncode)


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)
