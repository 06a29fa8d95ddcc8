"""The lab.toml of an assignment of the kind "tests", made from the lab's own."""

import json

from grader.model.lab import Lab

# GoogleTest's functions, and those that the lab's own tests use.
_ALLOWED = ("_ZN7testing*", "_ZNK7testing*", "_ZT?N7testing*", "_ZTINSt*", "_ZN3lab*", "_ZNK3lab*")

# A program's functions are called by their names alone.
_FORBIDDEN = ("LabExports",)


def lab_toml(lab: Lab, file: str) -> str:
    """Each part has all points that it has in the lab."""
    limits = lab.limits
    lines = [
        f"title = {_text(f'{lab.title}: tests')}",
        f"file = {_text(file)}",
        f"model = {_text(lab.model)}",
        "",
        "[limits]",
        "compile_s = 60",
        f"memory_mb = {limits.memory_mb}",
        f"pids = {limits.pids}",
        "",
        "[policy]",
        f"allowed = {_text(list(_ALLOWED))}",
        f"forbidden = {_text(list(_FORBIDDEN))}",
        "",
        "[feedback]",
        f"hidden = {_text(lab.feedback.hidden)}",
    ]
    for part in lab.parts:
        lines += [
            "",
            "[[parts]]",
            f"function = {_text(part.function)}",
            f"title = {_text(part.title)}",
            f"suite = {_text(part.suite)}",
            f"points = {part.max_points:g}",
        ]
    return "\n".join(lines) + "\n"


def _text(value: str | list[str]) -> str:
    """As in TOML, whose strings are JSON's."""
    return json.dumps(value, ensure_ascii=False)
