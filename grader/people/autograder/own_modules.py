"""The project's own modules that a program imports, at its start or later."""

import ast
from collections.abc import Iterator
from pathlib import Path


def own_modules(root: Path, program: str) -> list[str]:
    """Paths below `root`: the program, what it imports, and the packages' __init__.py.

    modulefinder, of the standard library, fails on packages without __init__.py.
    """
    found: set[str] = set()
    left = [program]
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            tree = ast.parse((root / path).read_text(encoding="utf-8"))
            left += [file for name in _imported(tree) for file in _files(root, name)]
    return sorted(found)


def _imported(tree: ast.Module) -> Iterator[str]:
    """Dotted names that may be modules; the project has no relative imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _files(root: Path, name: str) -> Iterator[str]:
    """The module's file and its packages' files, if it is one of the project's."""
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        path = "/".join(parts[:count])
        for file in (f"{path}.py", f"{path}/__init__.py"):
            if (root / file).is_file():
                yield file
