"""Checks that a lab is complete: handout, stub, exported functions, enough samples."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from common.lab.object_policy.symbols import ObjectError, read_symbols
from grader.judging.sample.samples import Sample
from grader.model.manifest import Kit
from grader.people.checks.unfinished import todos
from grader.people.handouts.stated import unstated

MIN_ACCEPTED = 3
MIN_WRONG = 8
_NOT_WRITTEN = "LAB_NOT_WRITTEN()"


def missing(kit: Kit, lab_folder: Path, found: Sequence[Sample]) -> list[str]:
    """One line for each thing that is missing, in the order in which to write it; empty if the lab
    is complete.

    load_kit() has already checked that the points total 100 and the thresholds are in order.
    """
    labs, root = Path("labs", lab_folder.name), lab_folder.parent.parent
    header = Path(kit.manifest.file).with_suffix(".h")
    notes = Path("solutions", lab_folder.name, "README.md")
    return [
        *_handout(lab_folder),
        *todos(root, [labs / header, labs / "README.md"]),
        *_stub(kit, lab_folder),
        *_exports(kit),
        *_samples(kit, found),
        *todos(root, [labs / "lab.toml", notes]),
    ]


def _handout(folder: Path) -> Iterator[str]:
    path = folder / "README.md"
    text = _text(path)
    if text is None:
        yield f"{path}: no handout"
    elif not text.lstrip().startswith("#"):
        yield f"{path}: a handout starts with a title"
    else:
        yield from unstated(folder)


def _stub(kit: Kit, folder: Path) -> Iterator[str]:
    path = folder / kit.manifest.file
    text = _text(path)
    if text is None:
        yield f"{path}: no stub"
        return
    written = len(kit.lab.parts) - text.count(_NOT_WRITTEN)
    if written > 0:
        yield f"{path}: {written} functions of the stub lack {_NOT_WRITTEN}"


def _exports(kit: Kit) -> Iterator[str]:
    path = kit.public / "lib" / "exports.o"
    try:
        used = read_symbols(path).undefined
    except ObjectError as error:
        yield str(error)
        return
    for part in kit.lab.parts:
        mangled = f"_Z{len(part.function)}{part.function}"
        if not any(name.startswith(mangled) for name in used):
            yield f"lab.toml: {part.function} is not among the functions of the lab's BUILD"


def _samples(kit: Kit, found: Sequence[Sample]) -> Iterator[str]:
    lab = kit.manifest.lab
    accepted = sum(sample.path.parent.name == "accepted" for sample in found)
    if accepted < MIN_ACCEPTED:
        yield f"solutions/{lab}: {accepted} accepted samples, at least {MIN_ACCEPTED} are required"
    wrong = sum(sample.is_wrong for sample in found)
    if wrong < MIN_WRONG:
        yield f"solutions/{lab}: {wrong} wrong submissions, at least {MIN_WRONG} are required"
    if not any(sample.path.name == kit.manifest.file for sample in found):
        yield f"solutions/{lab}: no reference {kit.manifest.file}"
    for sample in found:
        if Path(sample.file_name).suffix != Path(kit.manifest.file).suffix:
            yield f"{sample.path}: the lab's file is {kit.manifest.file}"


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
