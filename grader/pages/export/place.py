"""The path of an export that is a single file."""

from pathlib import Path


def single_file(path: Path, usual_name: str) -> Path:
    """`path` itself, or the format's usual name in it if it is a folder."""
    return path / usual_name if path.is_dir() else path
