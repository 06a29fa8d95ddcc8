"""The files that only students get, from templates: their README, a container, a workflow."""

from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from grader.model.lab import Lab

_TEMPLATES = Path(__file__).resolve().parent / "templates"
_SUFFIX = ".j2"


def student_files(labs: Mapping[str, Lab], address: str) -> dict[str, str]:
    """Their texts by name: templates/NAME.j2 becomes NAME in the copy's root."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 (Markdown and text; all values are the lab authors')
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    rows = [{"name": name, "lab": lab, "topic": Path(lab.file).stem} for name, lab in labs.items()]
    cuda = [row for row in rows if labs[str(row["name"])].model == "cuda"]
    cpu = [row for row in rows if labs[str(row["name"])].model == "cpu"]
    values = {"labs": rows, "first": rows[0], "cuda": cuda, "cpu": cpu, "address": address}
    return {
        path.relative_to(_TEMPLATES).as_posix().removesuffix(_SUFFIX): environment.get_template(
            path.relative_to(_TEMPLATES).as_posix()
        ).render(values)
        for path in sorted(_TEMPLATES.rglob(f"*{_SUFFIX}"))
    }
