"""The files of a new lab, from templates: a small example of its kind that works at once.

templates/SET/FOLDER/PATH.j2 becomes FOLDER/NAME/PATH, where TOPIC in a path is the lab's topic. A
kind uses the sets of `_SETS`.
"""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grader.people.authoring.names import NewLab

FOLDERS = ("labs", "solutions")

_TEMPLATES = Path(__file__).resolve().parent / "templates"
_SUFFIX = ".j2"
_SETS = {
    "pthreads": ("all", "cpu", "pthreads"),
    "openmp": ("all", "cpu", "openmp"),
    "cuda": ("all", "cuda"),
    "mpi": ("all", "mpi"),
    "plain": ("all", "plain"),
}


def lab_files(lab: NewLab) -> dict[str, str]:
    """The texts of a new lab by their paths in the workspace."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 (C++, TOML and Markdown; NewLab admits no special character)
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    values = {
        "name": lab.name,
        "kind": lab.kind,
        "title": lab.title,
        "topic": lab.topic,
        "file": lab.file,
        "language": lab.language,
    }
    found = {}
    for path in _templates(lab.kind):
        _, folder, *rest = path.parts
        place = Path(folder, lab.name, *rest).as_posix().removesuffix(_SUFFIX)
        text = environment.get_template(path.as_posix()).render(values)
        found[place.replace("TOPIC", lab.topic)] = text
    return found


def _templates(kind: str) -> list[Path]:
    return [
        path.relative_to(_TEMPLATES)
        for name in _SETS[kind]
        for path in sorted((_TEMPLATES / name).rglob(f"*{_SUFFIX}"))
    ]
