"""Writes the zip file: a kit, the grader's own modules that grade with it, and their set-up."""

import re
import secrets
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from grader.model.errors import GraderError
from grader.model.files import make_folder, write_error
from grader.model.manifest import Kit
from grader.people.autograder.own_modules import own_modules
from grader.people.autograder.pinned import pinned
from grader.people.autograder.run import programs
from grader.people.autograder.settings import FILE, KIT, PROGRAM, Settings

_HERE = Path(__file__).parent
_ROOT = _HERE.parent.parent.parent
_MAIN = "grader/people/autograder/run.py"
_DATA = (
    *("common/cudasim/findings/findings.bzl", "common/cudasim/profile/counters.bzl"),
    *("common/mpi/findings.bzl", "common/mpi/counters.bzl"),
)
"""Files that the modules read."""
_PYTHON_PACKAGES = ("pydantic",)
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The same contents give the same file, whenever it is made."""
_PACKAGES = {"/usr/bin/g++": "g++", "/usr/bin/objcopy": "binutils"}
_MPI = "libmpich-dev"
_LLVM = re.compile(r"/usr/lib/llvm-(\d+)/")
_GXX = re.compile(r"(\d+)\.\d+\.\d+\s*$")


def write_autograder(kit: Kit, settings: Settings, path: Path) -> Path:
    """Writes `path` as a whole or not at all; GraderError if that fails."""
    make_folder(path.resolve().parent)
    aside = path.resolve().with_name(f".{secrets.token_hex(8)}.part")
    try:
        with zipfile.ZipFile(aside, "x", zipfile.ZIP_DEFLATED) as archive:
            for name, contents in sorted(_contents(kit, settings)):
                _add(archive, name, contents)
        aside.replace(path.resolve())
    except OSError as error:
        raise write_error(path, error) from error
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
    return path


def _add(archive: zipfile.ZipFile, name: str, contents: Path | str) -> None:
    """A path's bytes, or text."""
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.compress_type = zipfile.ZIP_DEFLATED
    runs = name in ("setup.sh", "run_autograder") or name.startswith(f"{KIT}/")
    entry.external_attr = (0o100755 if runs else 0o100644) << 16
    data = contents.read_bytes() if isinstance(contents, Path) else contents.encode()
    archive.writestr(entry, data)


def _contents(kit: Kit, settings: Settings) -> Iterator[tuple[str, Path | str]]:
    for name in ("setup.sh", "run_autograder"):
        yield name, _HERE / name
    yield FILE, settings.model_dump_json(by_alias=True) + "\n"
    yield "packages.txt", "".join(f"{package}\n" for package in packages(kit))
    yield "gxx_version.txt", f"{_gxx_version(kit)}\n"
    requirements = (_ROOT / "requirements.txt").read_text(encoding="utf-8")
    yield "requirements.txt", pinned(requirements, _PYTHON_PACKAGES)
    for path in sorted(kit.root.rglob("*")):
        if path.is_file():
            yield f"{KIT}/{path.relative_to(kit.root)}", path
    for name in [*own_modules(_ROOT, _MAIN), *_DATA]:
        yield f"{PROGRAM}/{name}", _ROOT / name


def packages(kit: Kit) -> list[str]:
    """Debian's packages of the programs that the kit's builds use, in all of their releases."""
    found = {"g++", _MPI} if kit.lab.programming.ranks else {"g++"}
    for program in programs(kit):
        if llvm := _LLVM.match(program):
            version = llvm[1]
            found |= {f"clang-{version}", f"llvm-{version}", f"libomp-{version}-dev"}
            found |= {f"libclang-rt-{version}-dev", f"libclang-common-{version}-dev"}
        elif program in _PACKAGES:
            found.add(_PACKAGES[program])
        else:
            raise GraderError(
                f"the kit uses {program}, which no package of the container has",
                "build the kit without --config=gpu, and with the compilers that ./setup finds",
            )
    return sorted(found)


def _gxx_version(kit: Kit) -> str:
    said = kit.manifest.versions.get("g++", "")
    version = _GXX.search(said)
    if version is None:
        raise GraderError(f"the kit does not say its g++: {said!r}", "build the kit again")
    return version[1]
