"""The kits of labs: built by Bazel when they are asked for, so that nobody builds one in vain."""

import difflib
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from grader.cli import places
from grader.model.errors import GraderError
from grader.model.kind import HUNT, kind_of, lab_of
from grader.model.manifest import Kit, load_kit

MANIFEST = "manifest.json"
BUILD_TIMEOUT_S = 2 * 3600.0
"""A first build takes minutes; Bazel also waits for other commands in the same workspace."""
_BUILD = (
    "build",
    "--show_result=0",
    "--noshow_loading_progress",
    "--output_filter=^//no_warnings$",
)


def find_kit(lab: str, given: Path | None = None, *, gpu: bool = False) -> Kit:
    """The kit of a lab: `given`, or built now. GraderError names the labs that there are."""
    if given is None:
        return find_kits([lab], gpu=gpu)[0]
    kit = load_kit(given)
    if kit.manifest.lab != lab:
        raise GraderError(
            f"{given} is the kit of {kit.manifest.lab}, not of {lab}", "check --lab and --kit"
        )
    return kit


def find_kits(labs: Sequence[str], *, gpu: bool = False) -> list[Kit]:
    """The kits of these labs, all built by one command of Bazel.

    A test gets those that it declares; where there is no Bazel, those that it once built count.
    `gpu`: kits that can time submissions on a GPU, too.
    """
    require_known(labs)
    for lab in labs:
        if kind_of(lab) == HUNT:
            raise GraderError(
                f"{lab} has no kit that is built: `hunt` makes it with the class's hunts",
                "give --kit: the folder kit in what `hunt --out` named",
            )
    bazel = None if places.is_a_test() else shutil.which("bazel") or shutil.which("bazelisk")
    outputs = _build(bazel, labs, gpu=gpu) if bazel else _outputs()
    return [load_kit(outputs / f"{lab}_kit") for lab in labs]


def require_known(labs: Sequence[str], known: Sequence[str] | None = None) -> None:
    """GraderError if one of them is not among the known labs: by default those with a kit."""
    if known is None:
        known = built_kits() if places.is_a_test() else places.lab_names()
    for lab in labs:
        if lab not in known and lab_of(lab) not in known:
            close = difflib.get_close_matches(lab, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"labs: {', '.join(known)}"
            raise GraderError(f"no lab named {lab!r}", hint)


def _outputs() -> Path:
    root = places.workspace()
    return (root if places.is_a_test() else root / "bazel-bin") / "solutions"


def built_kits() -> list[str]:
    """The labs of the kits that are there without another build, by name."""
    return sorted(p.parent.name.removesuffix("_kit") for p in _outputs().glob(f"*_kit/{MANIFEST}"))


def _build(bazel: str, labs: Sequence[str], *, gpu: bool) -> Path:
    """Builds kits, with Bazel's progress on the terminal; returns the folder that they are in."""
    command = [bazel, *_startup_options()]
    options = ["--config=gpu"] if gpu else []
    targets = [f"//solutions:{lab}_kit" for lab in labs]
    _run([*command, *_BUILD, *options, *targets], labs, stdout=None)
    asked = _run([*command, "info", "--noshow_progress", *options, "bazel-bin"], labs)
    return Path(asked.strip()) / "solutions"


def _run(command: list[str], labs: Sequence[str], stdout: int | None = subprocess.PIPE) -> str:
    what = f"cannot build the kit of {', '.join(labs)}"
    try:
        ended = subprocess.run(
            command, cwd=places.workspace(), stdout=stdout, text=True, timeout=BUILD_TIMEOUT_S
        )
    except subprocess.TimeoutExpired as error:
        raise GraderError(
            f"{what}: bazel did not end within {BUILD_TIMEOUT_S:g} s",
            f"see whether another command of Bazel runs; then {' '.join(command)}",
        ) from error
    if ended.returncode != 0:
        raise GraderError(
            f"{what}: bazel ended with code {ended.returncode}",
            "see what Bazel says above; ./setup installs what a build needs",
        )
    return ended.stdout or ""


def _startup_options() -> list[str]:
    """Those that choose the Bazel server which runs this program: another one would build anew."""
    parts = places.ROOT.parts
    if "execroot" not in parts:
        return []
    return [f"--output_base={Path(*parts[: parts.index('execroot')])}"]
