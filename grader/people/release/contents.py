"""Which files of the workspace students get, as they are or rewritten for the chosen labs."""

import fnmatch
import os
import re
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import GraderError
from grader.model.lab import Lab, load_lab
from grader.people.release.handouts import INDEX, rewrite
from grader.people.release.readme import student_files
from grader.people.release.tree import File, Tree

_TOP = (
    *(".bazelignore", ".bazeliskrc", ".bazelrc", ".clang-format", ".gitignore"),
    *("BUILD", "MODULE.bazel", "WORKSPACE", "WORKSPACE.bzlmod", "setup", "tools/compdb.py"),
)
SUBMIT = "submit"
_SUBMIT_SOURCE = "grader/service/client/submit.py"
_PAGES = tuple(
    f"labs/{name}.md" for name in ("GLOSSARY", "PARALLELISM", "CPP", "BEYOND", "EXERCISES")
)
# Tests of the framework need the grader's Python environment; the rest serves graders alone.
_LEFT_OUT = (
    *("common/*/tests/*", "common/benchmark/*"),
    *("common/cudasim/action/*", "common/cudasim/bench/*", "common/cudasim/fidelity/*"),
    "common/cudasim/predict/calibrate/*",
    *(
        "third_party/aarch64/*",
        "third_party/cli11/*",
        "third_party/nlohmann_json/*",
        "third_party/seccomp/*",
    ),
)
_NEVER = re.compile(
    r"(^|/)(bazel-[^/]*|external|__pycache__|\.[^/]*_cache|\.venv[^/]*)(/|$)"
    # Pages of pictures that commands write beside a lab.
    r"|^labs/[^/]+/[^/]+\.html$"
)


@dataclass(frozen=True)
class Chosen:
    """The labs of a release, in teaching order, and the workspace's others."""

    labs: dict[str, Lab]
    others: dict[str, Lab]

    def stub(self, lab: str) -> str:
        """The file that a student edits."""
        return f"labs/{lab}/{self.labs[lab].file}"

    @property
    def stubs(self) -> list[str]:
        return [self.stub(lab) for lab in self.labs]


def choose(root: Path, labs: Sequence[str], all_labs: Sequence[str]) -> Chosen:
    """The labs of these names, in the order of all labs; GraderError if a lab.toml is invalid."""
    loaded = {lab: load_lab(root / "labs" / lab / "lab.toml") for lab in all_labs}
    return Chosen(
        {lab: it for lab, it in loaded.items() if lab in labs},
        {lab: it for lab, it in loaded.items() if lab not in labs},
    )


def student_tree(root: Path, chosen: Chosen, address: str = "") -> Tree:
    """All files of the students' copy, with ./submit if there is an address to hand in to;
    GraderError if a lab's file is not there."""
    tree = {name: _read(root, name) for name in sorted(_names(root, chosen))}
    for stub in chosen.stubs:
        if stub not in tree:
            raise GraderError(
                f"{root / stub} is missing, or git does not track it", "write it, then git add it"
            )
    if address:
        tree[SUBMIT] = File(_read(root, _SUBMIT_SOURCE).data, executable=True)
    for name, text in student_files(chosen.labs, address).items():
        tree[name] = File(text.encode(), text.startswith("#!"))
    names = frozenset(tree)
    for name, file in tree.items():
        read = file.text() if name.endswith((".md", "/lab.toml")) else None
        if read is not None:
            changed = (
                rewrite(name, read, names, chosen.labs, chosen.others)
                if name.endswith(".md")
                else _without_ceilings(root / name, read)
            )
            tree[name] = File(changed.encode(), file.executable)
    return tree


def _without_ceilings(path: Path, text: str) -> str:
    """lab.toml without the ceilings: their names say how one could try to do less."""
    kept = [block for block in text.split("\n\n") if "[ceilings]" not in block.splitlines()]
    left = "\n\n".join(kept).rstrip("\n") + "\n"
    stated = {key: value for key, value in tomllib.loads(text).items() if key != "ceilings"}
    if tomllib.loads(left) != stated:
        raise GraderError(
            f"{path}: [ceilings] cannot be left out of the students' copy",
            "give it a paragraph of its own, with an empty line before and after",
        )
    return left


def strangers(root: Path, chosen: Chosen) -> list[str]:
    """Files in the chosen labs that git does not track, and a release therefore lacks."""
    tracked = _tracked(root)
    if tracked is None:
        return []
    known = set(tracked)
    here = {name for lab in chosen.labs for name in _walk(root, f"labs/{lab}")}
    return sorted(here - known)


def _names(root: Path, chosen: Chosen) -> Iterator[str]:
    folders = ("common", "third_party", *(f"labs/{lab}" for lab in chosen.labs))
    begins = tuple(f"{folder}/" for folder in folders)
    tracked = _tracked(root)
    if tracked is None:
        tracked = [name for folder in folders for name in _walk(root, folder)]
    for name in (*_TOP, INDEX, *_PAGES):
        if (root / name).is_file():
            yield name
    for name in tracked:
        left_out = any(fnmatch.fnmatchcase(name, pattern) for pattern in _LEFT_OUT)
        if name.startswith(begins) and not left_out and os.path.lexists(root / name):
            yield name


def _tracked(root: Path) -> list[str] | None:
    """The files that git tracks; None if the workspace itself is no repository."""
    if not (root / ".git").exists():
        return None
    git = ["git", "-C", str(root), "ls-files", "-z"]
    try:
        done = subprocess.run(git, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", b"") or str(error).encode()
        raise GraderError(
            f"cannot list the files of {root}: {said.decode(errors='replace').strip()}",
            "install git, or release from a workspace without .git",
        ) from error
    return os.fsdecode(done.stdout).rstrip("\0").split("\0")


def _walk(root: Path, folder: str) -> Iterator[str]:
    for place, _, files in os.walk(root / folder):
        for file in files:
            name = (Path(place) / file).relative_to(root).as_posix()
            if not _NEVER.search(name):
                yield name


def _read(root: Path, name: str) -> File:
    path = root / name
    if path.is_symlink():
        raise GraderError(f"{path} is a symbolic link", "put the file itself in its place")
    try:
        return File(path.read_bytes(), os.access(path, os.X_OK))
    except OSError as error:
        raise GraderError(f"cannot read {path}: {error.strerror}", "make it readable") from error
