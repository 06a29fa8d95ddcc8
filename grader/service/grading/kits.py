"""The kits that a service grades with: copies in its data folder, DATA/kits/LAB-DIGEST.

Whoever builds the workspace meanwhile changes nothing before the service is started again.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from grader.judging.executors.handover import copy_kit
from grader.model.errors import GraderError
from grader.model.files import make_folder, write_error
from grader.model.manifest import Kit, load_kit

_FOLDER = "kits"
_DIGITS = 16


def keep_kits(data: Path, kits: Sequence[Kit]) -> list[Kit]:
    """Copies them where they are new, and removes those of before: stores keep them for appeals."""
    folder = make_folder(data / _FOLDER)
    kept = [_kept(folder, kit) for kit in kits]
    for other in folder.iterdir():
        if other not in {kit.root for kit in kept}:
            shutil.rmtree(other, ignore_errors=True)
    return kept


def _kept(folder: Path, kit: Kit) -> Kit:
    target = folder / f"{kit.manifest.lab}-{kit.manifest.digest[:_DIGITS]}"
    if not target.exists():
        try:
            copy_kit(kit.root, target)
        except (OSError, shutil.Error) as error:
            first = error if isinstance(error, OSError) and error.strerror else OSError(str(error))
            raise write_error(target, first) from error
    return load_kit(target)


def kits_in(data: Path) -> dict[str, Kit]:
    """By lab; GraderError if the service has none."""
    kits = [load_kit(path) for path in sorted((data / _FOLDER).glob("*-*")) if path.is_dir()]
    if not kits:
        raise GraderError(f"no kits in {data / _FOLDER}", "start the service: serve --data")
    return {kit.manifest.lab: kit for kit in kits}
