"""Reads the catalogues of counters and findings: Starlark literals that are also Python's."""

import ast
from functools import cache
from pathlib import Path
from typing import Any


def counters() -> list[dict[str, Any]]:
    """The entries of counters.bzl in their order, each with its name."""
    return _named(_literals("profile/counters.bzl")["COUNTERS"])


def findings() -> list[dict[str, Any]]:
    """The entries of findings.bzl in their order, each with its name."""
    return _named(sentences()["FINDINGS"])


@cache
def sentences() -> dict[str, Any]:
    """All that findings.bzl defines, by its names."""
    return _literals("findings/findings.bzl")


def _named(catalogue: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"name": name, **entry} for name, entry in catalogue.items()]


def _literals(path: str) -> dict[str, Any]:
    text = (Path(__file__).parent / path).read_text(encoding="utf-8")
    assigned = (node for node in ast.parse(text).body if isinstance(node, ast.Assign))
    return {ast.unparse(node.targets[0]): ast.literal_eval(node.value) for node in assigned}
