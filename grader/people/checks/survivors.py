"""Finds mutants of a lab's reference that pass all of the grader's checks."""

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from grader.judging.compile.build import Workspace, compile_build
from grader.judging.judge.context import GradingContext, open_context
from grader.judging.sample.equivalents import FILE, Equivalent, load_equivalents
from grader.judging.sample.mutants import Mutant, mutants
from grader.judging.sample.samples import Sample
from grader.model.errors import JudgeError
from grader.model.manifest import Kit
from grader.model.verdict import Verdict
from grader.people.checks.kept import Grade
from grader.people.checks.verdicts import grade_samples
from grader.sandbox.machine import cores

_COPY_S = 60
Advance = Callable[[Verdict, str], None]


def candidates(kit: Kit, folder: Path) -> list[Mutant]:
    """The mutants of the reference in `folder` that are not declared equivalent."""
    source = (folder / kit.manifest.file).read_text(encoding="utf-8")
    known = load_equivalents(folder)
    return [mutant for mutant in mutants(source) if not any(one.covers(mutant) for one in known)]


def stale(kit: Kit, folder: Path) -> Iterator[str]:
    """Lines on declared equivalents that are no longer mutants of the reference."""
    every = mutants((folder / kit.manifest.file).read_text(encoding="utf-8"))
    for one in load_equivalents(folder):
        if not any(one.covers(mutant) for mutant in every):
            what = f"{_shown(folder, FILE)}: no such mutant: {_words(one)}"
            yield f"{what}\n  next: remove the entry"


def survivors(
    kit: Kit,
    folder: Path,
    found: Sequence[Mutant],
    seed: int,
    advance: Advance,
    tested: Grade = grade_samples,
    whole: Grade = grade_samples,
) -> list[str]:
    """Lines on the mutants that are accepted, though they compile to different code.

    Nearly all fail in the tests alone, so only those that pass the tests go through all phases.
    `tested` and `whole` grade in these two steps.
    """
    left = _accepted(_tests_only(kit), found, seed, tested, advance)
    left = _accepted(kit, left, seed, whole, None) if left else []
    if not left:
        return []
    reference = (folder / kit.manifest.file).read_text(encoding="utf-8")
    return [
        f"{_shown(folder, kit.manifest.file)}:{mutant.line}: survives: {_words(mutant)}\n"
        f"  next: add a hidden test that detects it, or explain in {FILE} why none can"
        for mutant in _compiled_otherwise(kit, reference, left, seed)
    ]


def _shown(folder: Path, name: str) -> str:
    return f"solutions/{folder.name}/{name}"


def _words(change: Mutant | Equivalent) -> str:
    return f"`{change.before}` becomes `{change.after}`"


def _tests_only(kit: Kit) -> Kit:
    only_tests: dict[str, object] = {"timing": None, "parallelism": None, "counters": []}
    parts = [part.model_copy(update=only_tests) for part in kit.lab.parts]
    builds = {"tests": kit.manifest.builds["tests"]}
    return kit.model_copy(
        update={
            "lab": kit.lab.model_copy(update={"parts": parts}),
            "manifest": kit.manifest.model_copy(update={"builds": builds}),
        }
    )


def _accepted(
    kit: Kit, found: Sequence[Mutant], seed: int, grade: Grade, advance: Advance | None
) -> list[Mutant]:
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for number, mutant in enumerate(found):
            path = Path(folder) / f"{number}_{kit.manifest.file}"
            path.write_text(mutant.source, encoding="utf-8")
            files[path] = mutant
        chosen = [Sample(path, Verdict.ACCEPTED) for path in files]
        left = []
        for sample, result in grade(kit, chosen, seed):
            if advance:
                advance(result.verdict, sample.name)
            if result.verdict in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR):
                left.append(sample.path)
    return [mutant for path, mutant in files.items() if path in left]


def _compiled_otherwise(
    kit: Kit, reference: str, found: Sequence[Mutant], seed: int
) -> list[Mutant]:
    with open_context(kit, seed, cores()) as context:
        same = _code(context, reference)
        return [mutant for mutant in found if _code(context, mutant.source) != same]


def _code(context: GradingContext, source: str) -> str:
    """A digest of a source's compiled code and data, without names and debug information."""
    with tempfile.TemporaryDirectory(dir=context.folder) as folder:
        work = Workspace(Path(folder), context.kit, source.encode(), context.headers)
        library = compile_build(context.processes, context.kit, work, "tests").library
        if library is None:
            return "nothing"
        code = Path(folder) / "code"
        sections = [f"--only-section={name}" for name in (".text", ".rodata*", ".data", ".tdata")]
        copy: list[str | Path] = ["objcopy", "-O", "binary", *sections, library, code]
        done = context.processes.run(copy, deadline_s=_COPY_S)
        if done.code != 0:
            raise JudgeError(f"objcopy ended with code {done.code}: {done.stderr}")
        return hashlib.sha256(code.read_bytes()).hexdigest()
