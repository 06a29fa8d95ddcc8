"""Reads the catalogues of counters and findings: Starlark literals that are also Python's."""

import ast
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


def counters() -> list[dict[str, Any]]:
    """The entries of counters.bzl in their order, each with its name."""
    return named(literals(_HERE / "profile/counters.bzl")["COUNTERS"])


def findings() -> list[dict[str, Any]]:
    """The entries of findings.bzl in their order, each with its name."""
    return named(sentences()["FINDINGS"])


@cache
def sentences() -> dict[str, Any]:
    """All that findings.bzl defines, by its names."""
    return literals(_HERE / "findings/findings.bzl")


def named(catalogue: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Its entries in their order, each with its name."""
    return [{"name": name, **entry} for name, entry in catalogue.items()]


def literals(path: Path) -> dict[str, Any]:
    """What a catalogue's file assigns, by name."""
    assigned = (
        node
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
    )
    return {ast.unparse(node.targets[0]): ast.literal_eval(node.value) for node in assigned}
