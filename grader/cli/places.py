"""Where things are: the user's folder, the built kits, the sample submissions, the labs."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from grader.model.errors import GraderError

if TYPE_CHECKING:
    from grader.model.manifest import Kit

_ROOT = Path(__file__).parent.parent.parent
MANIFEST = "manifest.json"


def from_user(path: Path) -> Path:
    """Relative to where the user stands: `bazel run` starts programs elsewhere."""
    return Path(os.environ.get("BUILD_WORKING_DIRECTORY", ".")) / path.expanduser()


def workspace() -> Path:
    """The source tree, as far as it is there: labs' stubs and handouts are looked for in it."""
    return Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", _ROOT))


def sample_root() -> Path:
    """The folder with <lab>/<verdict>/<file>, among this program's own data."""
    return _ROOT / "solutions"


def kit_folders() -> dict[str, Path]:
    """Every built kit by its lab's name."""
    return {folder.name.removesuffix("_kit"): folder for folder in _kits()}


def _kits() -> Iterator[Path]:
    """Beside this program under Bazel; in bazel-bin when it is run from the source tree."""
    for root in (_ROOT / "solutions", _ROOT / "bazel-bin" / "solutions"):
        found = [path.parent for path in sorted(root.glob(f"*_kit/{MANIFEST}"))]
        if found:
            yield from found
            return


def find_kit(lab: str, given: Path | None = None) -> Kit:
    """The kit of a lab; GraderError names the labs that there are."""
    from grader.model.manifest import load_kit

    if given is not None:
        kit = load_kit(given)
        if kit.manifest.lab != lab:
            raise GraderError(
                f"{given} is the kit of {kit.manifest.lab}, not of {lab}", "check --lab and --kit"
            )
        return kit
    folders = kit_folders()
    if not folders:
        raise GraderError("no kits are built", "build them with: bazel build //solutions:kits")
    if lab not in folders:
        close = difflib.get_close_matches(lab, folders, 1)
        hint = f"did you mean {close[0]}?" if close else f"labs: {', '.join(folders)}"
        raise GraderError(f"no lab named {lab!r}", hint)
    return load_kit(folders[lab])
