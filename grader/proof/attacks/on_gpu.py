"""Compiles the attacks that reach the timing phase, for a machine with a GPU.

    bazel run --config=gpu //grader/proof/attacks:on_gpu -- DIR

DIR gets a folder with the kit, a library for each attack, and plan.json; tools/attacks_on_gpu.py
runs the attacks from it, and needs only Python. Submissions that the policy refuses are left
out.
"""

import json
import shutil
import tempfile
from collections.abc import Collection
from pathlib import Path

import click

from common.lab.programming_models.phases import GPU_TIMING
from grader.cli.places import from_user
from grader.judging.compile.build import Workspace, compile_build
from grader.judging.judge.context import GradingContext, open_context
from grader.model.errors import GraderError
from grader.model.files import make_folder
from grader.model.manifest import Kit, load_kit
from grader.model.verdict import Verdict
from grader.proof.attacks.corpus import Attack, attacks, honest
from grader.sandbox.run_checker import CheckerRun

_CORPUS = Path(__file__).parent
_KIT = _CORPUS / "cuda" / "attacked_cuda_kit"
_SUFFIX = ".cu"
_AIMS = ("forging", "gpu", "time")
"""Others attack tests, races or counters, which stay on the simulator."""
_SEED = 1
_NEVER_THERE = frozenset({Verdict.POLICY, Verdict.COMPILE_ERROR})
"""Verdicts before anything runs."""


def _library(
    context: GradingContext, text: str, to: Path, allowed: Collection[Verdict] = ()
) -> bool:
    """Compiles into `to`; False if the grader refused it with an allowed verdict."""
    with tempfile.TemporaryDirectory(dir=context.folder) as folder:
        work = Workspace(Path(folder), context.kit, text.encode())
        compiled = compile_build(context.processes, context.kit, work, "gpu")
        if compiled.library is None and compiled.verdict in allowed:
            print(f"{to.stem}: {compiled.text}")
            return False
        if compiled.library is None:
            raise GraderError(f"{to.stem}: {compiled.verdict}: {compiled.text}", "fix the attack")
        shutil.copy(compiled.library, to)
        return True


def _chosen() -> list[Attack]:
    found = [attack for aim in _AIMS for attack in attacks(_CORPUS, aim)]
    return [a for a in found if a.suffix == _SUFFIX and a.allowed[0] not in _NEVER_THERE]


def _copy_kit(kit: Kit, to: Path) -> None:
    """Copies the files that the checker needs."""
    for path in (kit.checker, kit.jail, kit.reference(gpu=True), kit.worker("gpu")):
        place = to / path.relative_to(kit.root)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def main(folder: Path) -> None:
    """Writes kit, libraries and plan into a new folder."""
    try:
        _write(from_user(folder))
    except GraderError as error:
        raise click.ClickException(str(error).removeprefix("error: ")) from error


def _write(folder: Path) -> None:
    kit = load_kit(_KIT)
    if "gpu" not in kit.manifest.builds:
        raise GraderError("the kit is built for the simulator alone", "use --config=gpu")
    if folder.exists():
        raise GraderError(f"{folder} exists already", "name a new folder")
    make_folder(folder)
    _copy_kit(kit, folder / "kit")
    plan = []
    with open_context(kit, _SEED, 1) as context:
        text = honest(_CORPUS, _SUFFIX).read_text(encoding="utf-8")
        _library(context, text, folder / "honest.so")
        for attack in _chosen():
            name = f"{attack.aim}_{attack.name}"
            if not _library(context, attack.text, folder / f"{name}.so", attack.allowed):
                continue
            plan.append({"name": name, "allowed": [str(verdict) for verdict in attack.allowed]})
    document = {"command": _command(kit), "attacks": plan}
    (folder / "plan.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def _command(kit: Kit) -> list[str]:
    """The checker's command, with placeholders in braces for paths that differ."""
    moved = kit.model_copy(update={"root": Path("{folder}/kit"), "staged": None})
    run = CheckerRun(
        moved,
        GPU_TIMING,
        parts=kit.lab.parts,
        library=Path("{library}"),
        key=f"{_SEED:032x}",
        output=Path("{output}"),
        gpu=True,
    )
    variables = [f"{name}={value}" for name, value in run.environment().items()]
    return ["/usr/bin/env", *variables, *(str(word) for word in run.command())]


if __name__ == "__main__":
    main()
