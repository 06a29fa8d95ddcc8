"""The catalogues of all models: counters of their programs, and what may be found in them."""

import ast
from functools import cache
from pathlib import Path
from typing import Any

_COMMON = Path(__file__).parents[2]
_COUNTERS = ("cudasim/profile/counters.bzl", "mpi/counters.bzl")
_FINDINGS = ("cudasim/findings/findings.bzl", "mpi/findings.bzl")
"""Starlark literals that are also Python's."""


def counters() -> list[dict[str, Any]]:
    """The counters, in order, each with its name."""
    return _named(_literals(_COUNTERS)["COUNTERS"])


def findings() -> list[dict[str, Any]]:
    """The kinds of findings, in order, each with its name."""
    return _named(sentences()["FINDINGS"])


@cache
def sentences() -> dict[str, Any]:
    """All that the catalogues of findings define, by its names."""
    return _literals(_FINDINGS)


def _named(catalogue: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"name": name, **entry} for name, entry in catalogue.items()]


def _literals(paths: tuple[str, ...]) -> dict[str, Any]:
    """What the files assign; dictionaries and lists of one name are put together."""
    merged: dict[str, Any] = {}
    for path in paths:
        text = (_COMMON / path).read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.Assign):
                name, value = ast.unparse(node.targets[0]), ast.literal_eval(node.value)
                before = merged.get(name, type(value)())
                merged[name] = before | value if isinstance(value, dict) else before + value
    return merged
