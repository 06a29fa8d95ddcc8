"""Where things are: the user's folder, the workspace with its labs and sample submissions."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
"""Of this program's own files: the source tree, or a copy of it that Bazel made."""

_HANDOUT = re.compile(r"\]\((\w+)/README\.md\)")


def from_user(path: Path) -> Path:
    """Relative to where the user stands: `bazel run` starts programs elsewhere."""
    return Path(os.environ.get("BUILD_WORKING_DIRECTORY", ".")) / path.expanduser()


def started_as() -> str:
    """What the user typed to start this program, before the command."""
    return "bazel run //grader --" if "BUILD_WORKING_DIRECTORY" in os.environ else "grader"


def is_a_test() -> bool:
    """Whether Bazel runs this as a test, which sees only the files that it declares."""
    return "TEST_SRCDIR" in os.environ


def workspace() -> Path:
    """The source tree; under `bazel test`, the declared part of it."""
    return ROOT if is_a_test() else Path(__file__).resolve().parent.parent.parent


def version() -> str:
    """The project's, from its one source."""
    import tomllib

    text = (workspace() / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def sample_root() -> Path:
    """The folder with <lab>/<verdict>/<file>."""
    return workspace() / "solutions"


def lab_names() -> list[str]:
    """The labs that have a reference, in teaching order: as labs/README.md links to them."""
    names = sorted(path.parent.name for path in sample_root().glob("*/hidden_test.cc"))
    try:
        index = (workspace() / "labs" / "README.md").read_text(encoding="utf-8")
    except OSError:
        return names
    order = {name: place for place, name in reversed(list(enumerate(_HANDOUT.findall(index))))}
    return sorted(names, key=lambda name: order.get(name, len(order)))
