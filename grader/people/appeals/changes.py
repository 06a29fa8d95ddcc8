"""What changed between the kit that judged a result and another one."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grader.judging.store import Store
from grader.model.errors import GraderError
from grader.model.lab import Lab, parse_lab
from grader.model.manifest import Kit

_LAB, _MANIFEST = "lab.toml", "manifest.json"
_WORDS = {
    "checker": "the hidden tests (checker)",
    "reference.so": "the reference (reference.so)",
    "reference_gpu.so": "the reference on a GPU (reference_gpu.so)",
    _MANIFEST: "how submissions are built (manifest.json)",
}
_MOST_FILES = 5


class OtherKit:
    """A kit of the store, compared with the one that is to judge from now on."""

    def __init__(self, store: Store, digest: str, new: Kit) -> None:
        self.digest = digest
        files = store.archive.kit_files(digest)
        self.is_kept = bool(files)
        self.lab: Lab | None = None
        self._changed: list[str] = []
        if self.is_kept:
            self.lab = parse_lab(_content(store, files[_LAB]), Path(_LAB))
            fresh = store.archive.kit_files(new.manifest.digest)
            self._changed = [
                place
                for place in sorted(files.keys() | fresh.keys())
                if files.get(place) != fresh.get(place) and place not in (_LAB, _MANIFEST)
            ]
            if _built(_content(store, files[_MANIFEST])) != _built(
                _content(store, fresh[_MANIFEST])
            ):
                self._changed.append(_MANIFEST)

    @property
    def other_files(self) -> list[str]:
        """Files other than lab.toml that differ, in words."""
        words = [_WORDS.get(place, place) for place in self._changed]
        more = len(words) - _MOST_FILES
        return words if more <= 0 else [*words[:_MOST_FILES], f"{more} more files"]


def _content(store: Store, digest: str) -> bytes:
    data = store.archive.content(digest)
    if data is None:
        raise GraderError(f"{store.path} is damaged: a kit's file is missing", "restore a copy")
    return data


def _built(manifest: bytes) -> Any:  # noqa: ANN401 (any JSON)
    """The manifest without the digest, which changes with every file."""
    return {name: value for name, value in json.loads(manifest).items() if name != "digest"}


def lab_changes(old: Lab, new: Lab) -> list[str]:
    """Each value of lab.toml that differs: "SumA: timing.full 1.5 -> 1.2"."""
    before, after = (dict(_values(lab)) for lab in (old, new))
    return [
        f"{name} {_text(before.get(name))} -> {_text(after.get(name))}"
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    ]


def _values(lab: Lab) -> Iterator[tuple[str, object]]:
    whole = lab.model_dump(mode="json", exclude={"parts", "why"})
    yield from _leaves("", whole)
    for part in lab.parts:
        values = part.model_dump(mode="json", exclude={"counters"})
        yield from _leaves(f"{part.function}: ", values)
        for counter in part.counters:
            name = f"{part.function}: {counter.counter}"
            if counter.kernel != "*":
                name += f" in {counter.kernel}"
            yield from _leaves(f"{name}, ", counter.model_dump(mode="json"))


def _leaves(prefix: str, values: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _leaves(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", value


def _text(value: object) -> str:
    if value is None:
        return "nothing"
    return f"{value:g}" if isinstance(value, float) else str(value)
