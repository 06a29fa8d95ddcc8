"""What a kit's lab allows in a submission, and what it requires."""

from collections.abc import Iterable

from common.lab.object_policy.allowed_symbols import declared_in
from common.lab.programming_models.model import ModelPolicy
from common.lab.text_policy.policy import PartRules, Rules, allowed_headers
from grader.model import kind
from grader.model.manifest import Kit


def rules_of(kit: Kit) -> Rules:
    """The rules for submissions that are graded from this kit."""
    include = kit.public / "include"
    paths = (path for path in include.rglob("*") if path.is_file())
    headers = [path.relative_to(include) for path in paths]
    policy = kit.lab.policy
    # Tests are ordinary code of the host, for one compiler.
    tests = kit.manifest.kind == kind.TESTS
    model = ModelPolicy() if tests else kit.lab.programming.policy
    return Rules(
        lab=kit.manifest.folder,
        file=kit.manifest.file,
        model=model,
        limit=kit.lab.limits.source_kb << 10,
        includes=allowed_headers(policy.includes, model),
        words=tuple(policy.words),
        allowed=tuple(policy.allowed),
        headers=frozenset(path.as_posix() for path in headers),
        forbidden=tuple(policy.forbidden),
        needed=_groups(policy.needed),
        parts=tuple(PartRules(part.function, _groups(part.needed)) for part in kit.lab.parts),
        folders=tuple({path.parent.as_posix() for path in headers}) if tests else (),
        declared=declared_in(kit.public / "simulator"),
    )


def _groups(needed: Iterable[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group) for group in needed)
