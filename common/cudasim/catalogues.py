"""Reads the catalogues of counters and findings: Starlark literals that are also Python's."""

import ast
from pathlib import Path
from typing import Any


def counters() -> list[dict[str, Any]]:
    """The entries of counters.bzl as they stand there."""
    return _listed("profile/counters.bzl")


def findings() -> list[dict[str, Any]]:
    """The entries of findings.bzl as they stand there."""
    return _listed("findings/findings.bzl")


def _listed(path: str) -> list[dict[str, Any]]:
    text = (Path(__file__).parent / path).read_text(encoding="utf-8")
    (listed,) = (node.value for node in ast.parse(text).body if isinstance(node, ast.Assign))
    return list(ast.literal_eval(listed))
