"""Reads the catalogues of counters and findings: Starlark literals that are also Python's."""

import ast
from functools import cache
from pathlib import Path
from typing import Any


def counters() -> list[dict[str, Any]]:
    """The entries of counters.bzl as they stand there."""
    return list(_literals("profile/counters.bzl")["COUNTERS"])


def findings() -> list[dict[str, Any]]:
    """The entries of findings.bzl as they stand there."""
    return list(sentences()["FINDINGS"])


@cache
def sentences() -> dict[str, Any]:
    """All lists of findings.bzl by their names."""
    return _literals("findings/findings.bzl")


def _literals(path: str) -> dict[str, Any]:
    text = (Path(__file__).parent / path).read_text(encoding="utf-8")
    assigned = (node for node in ast.parse(text).body if isinstance(node, ast.Assign))
    return {ast.unparse(node.targets[0]): ast.literal_eval(node.value) for node in assigned}
