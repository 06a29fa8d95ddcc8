"""What a kit's lab allows in the text of a submission."""

from __future__ import annotations

from common.lab.text_policy.policy import Rules
from grader.model.manifest import Kit


def rules_of(kit: Kit) -> Rules:
    """The rules for submissions that are graded from this kit."""
    include = kit.public / "include"
    headers = (path for path in include.rglob("*") if path.is_file())
    return Rules(
        lab=kit.manifest.lab,
        file=kit.manifest.file,
        model=kit.manifest.model,
        limit=kit.lab.limits.source_kb << 10,
        includes=tuple(kit.lab.policy.includes),
        words=tuple(kit.lab.policy.words),
        headers=frozenset(path.relative_to(include).as_posix() for path in headers),
    )
