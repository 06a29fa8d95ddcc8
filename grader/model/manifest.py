"""A kit's manifest: how a submission to this lab is built and run."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grader.model import kind
from grader.model.errors import GraderError
from grader.model.lab import Lab, load_lab


class Headers(BaseModel):
    """How a build's step can begin with headers that were compiled for other submissions."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    step: list[str]
    text: str
    """The preprocessed text that the step compiles."""
    make: list[str]
    """Compiles /headers/text.ii, the text of the headers."""
    use: list[str]
    """Replaces the step: compiles /own/text.ii, the text behind them."""
    begins: str
    """What that text needs at its beginning."""


class Build(BaseModel):
    """One way to build a submission: argv steps run in the jail, in order, in one folder."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    steps: list[list[str]]
    library: str
    worker: str
    env: dict[str, str] = {}
    folders: list[str] = []
    """Folders of this machine outside /usr that the steps use."""
    symbolizer: str = ""
    """The program that resolves addresses of race reports; empty if the build has no reports."""
    headers: Headers | None = None


class Manifest(BaseModel):
    """manifest.json."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    schema_version: Literal[1] = Field(alias="schema")
    lab: str
    """The assignment's name: the lab's, if it is of that kind."""
    kind: Literal["lab", "tests", "hunt"] = "lab"
    """What is handed in, which says how it is graded."""
    file: str
    model: str
    digest: str
    builds: dict[str, Build]
    versions: dict[str, str] = {}

    @property
    def folder(self) -> str:
        """The name of the lab's folder."""
        return kind.lab_of(self.lab)


class Kit(BaseModel):
    """A built kit on disk, with its lab's description."""

    model_config = ConfigDict(frozen=True)
    root: Path
    manifest: Manifest
    lab: Lab
    staged: Path | None = None
    """A copy of the files that jails use, readable by the jails' accounts."""
    unjailed: bool = False
    """Whether submissions run without namespaces, on a machine that permits none: under a user id
    of their own, with limits and a system call filter, but with a view of the machine's files."""

    @property
    def checker(self) -> Path:
        return self.root / "checker"

    @property
    def jail(self) -> Path:
        return self.root / "jail"

    def reference(self, *, gpu: bool = False) -> Path:
        """The library against which a submission is timed."""
        name = "reference_gpu.so" if gpu else "reference.so"
        return (self.staged or self.root) / name

    @property
    def public(self) -> Path:
        return (self.staged or self.root) / "public"

    def worker(self, build: str) -> Path:
        """The program that loads this build's library."""
        return (self.staged or self.root) / self.manifest.builds[build].worker


def load_kit(root: Path) -> Kit:
    """Reads a kit's folder; GraderError names the file that is missing or wrong."""
    path = root / "manifest.json"
    try:
        manifest = Manifest.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GraderError(
            f"no kit at {root}: {path.name}: {error.strerror}",
            "build it with: bazel build //solutions:kits",
        ) from error
    except ValidationError as error:
        raise GraderError(f"{path}: {error.errors()[0]['msg']}", "build the kit again") from error
    lab = load_lab(root / "lab.toml")
    if lab.model != manifest.model:
        raise GraderError(
            f"{root / 'lab.toml'}: model = {lab.model!r}, but {manifest.file} is built as "
            f"{manifest.model!r}",
            "correct the model, or the name of the file",
        )
    return Kit(root=root, manifest=manifest, lab=lab)
