"""Each picture of a profile as an SVG file of its own, for a handout or a lecture."""

import re
from collections.abc import Iterator
from pathlib import Path

from common.cudasim.pictures.access_map import access_map
from common.cudasim.pictures.barriers import barriers
from common.cudasim.pictures.branches import divergence
from common.cudasim.pictures.evidence import Profile, largest
from common.cudasim.pictures.occupancy import occupancy
from common.cudasim.pictures.timelines import critical_path, streams
from common.pictures.picture import Picture


def write_pictures(profile: Profile, folder: Path) -> None:
    """Writes KERNEL-WHAT.svg for what each kernel's largest launch and the longest calls show."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in _all(profile):
        if picture is not None:
            file = re.sub(r"\W+", "_", name, flags=re.ASCII)[:100]
            (folder / f"{file}.svg").write_text(picture.file(), encoding="utf-8")


def _all(profile: Profile) -> Iterator[tuple[str, Picture | None]]:
    for kernel in largest(profile.kernels):
        if kernel.is_library:
            continue
        for line in kernel.lines:
            for request in line.samples:
                name = [kernel.name, str(line.place[1]), line.operation, line.target]
                yield " ".join([*name, request.names[-1]]), access_map(line, request)
        for branch in kernel.branches:
            yield f"{kernel.name} {branch.place[1]} branch", divergence(branch)
        yield f"{kernel.name} barriers", barriers(kernel)
        yield f"{kernel.name} occupancy", occupancy(kernel)
    for call in profile.calls:
        yield f"{call.kernels} critical path", critical_path(call)
        yield f"{call.kernels} streams", streams(call)
