"""Reads the catalogue of counters, a file of Starlark literals that are also Python's."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any


def catalogue() -> list[dict[str, Any]]:
    """The entries of counters.bzl as they stand there."""
    text = (Path(__file__).parent / "counters.bzl").read_text(encoding="utf-8")
    (listed,) = (node.value for node in ast.parse(text).body if isinstance(node, ast.Assign))
    return list(ast.literal_eval(listed))
