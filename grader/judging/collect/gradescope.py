"""Gradescope's export: folders submission_N and submission_metadata.yml, which names students."""

import re
from collections.abc import Callable

from grader.judging.collect.submission import Found, Problem, readable
from grader.judging.collect.tree import Entry, Tree
from grader.model.errors import GraderError
from grader.model.verdict import Verdict

METADATA = "submission_metadata.yml"
MAX_BYTES = 256 << 20
_MAX_DEPTH = 100
"""Gradescope's own metadata has fewer than ten levels."""
_NOTHING = ("", "~", "null")


def gradescope(
    tree: Tree,
    top: tuple[str, ...],
    folders: list[Entry],
    below: Callable[[Tree, Entry, str], Found],
) -> list[Found]:
    """One Found per submitter: each member of a group gets the group's result."""
    submitters = _submitters(tree, top)
    found: list[Found] = []
    for folder in folders:
        students = submitters.pop(folder.name, None)
        if students is None:
            tree.notes.append(f"{readable(folder.path)} is not in {METADATA}: graded by its name")
        found += [below(tree, folder, student) for student in students or [readable(folder.name)]]
    for name, students in submitters.items():
        text = f"{METADATA} lists {readable(name)}, but the export has no such folder"
        problem = Problem(Verdict.JUDGE_ERROR, text)
        found += [Found(s, f"{tree.root}/{readable(name)}", (), problem) for s in students]
    return found


def _submitters(tree: Tree, top: tuple[str, ...]) -> dict[str, list[str]]:
    data = _metadata(tree, top)
    return {str(key): _people(value) or [readable(str(key))] for key, value in data.items()}


def full_names(tree: Tree, top: tuple[str, ...]) -> dict[str, str]:
    """Student -> name as Gradescope writes it, where another key stands for the student."""
    names: dict[str, str] = {}
    for value in _metadata(tree, top).values():
        for person in _persons(value):
            key, name = _name(person), person.get(":name") or person.get("name")
            if key and isinstance(name, str) and name not in _NOTHING and readable(name) != key:
                names[key] = readable(name)
    return names


def created(tree: Tree, top: tuple[str, ...]) -> dict[str, str]:
    """When each student handed in, as the metadata says it; each member of a group when it did."""
    times: dict[str, str] = {}
    for value in _metadata(tree, top).values():
        at = (value.get(":created_at") or value.get("created_at")) if isinstance(value, dict) else 0
        if isinstance(at, str):
            times.update(dict.fromkeys(_people(value), at))
    return times


def _metadata(tree: Tree, top: tuple[str, ...]) -> dict[object, object]:
    import yaml  # only this shape needs it

    def parse(text: str) -> object:
        # This loader reads every scalar as text: 0123 stays as it is, and so does an invalid date,
        # for which the safe loader raises a ValueError.
        fast: type[yaml.BaseLoader] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
        depth = 0
        # The loader recurses without a limit and could overflow the stack.
        for event in yaml.parse(text, Loader=fast):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _MAX_DEPTH:
                raise yaml.YAMLError(f"more than {_MAX_DEPTH} nested collections")
        return yaml.load(text, Loader=fast)  # noqa: S506 (it creates no objects)

    entry = next(entry for entry in tree.children(top) if entry.name == METADATA)
    path = f"{tree.root}/{readable(entry.path)}"
    next_step = "download the export again"
    try:
        raw = tree.read(entry, MAX_BYTES)
    except OSError as error:
        raise GraderError(f"cannot read {path}: {error}", next_step) from error
    if len(raw) > MAX_BYTES:
        raise GraderError(f"{path} is larger than {MAX_BYTES >> 20} MB", next_step)
    try:
        text = raw.decode("utf-8")
        data = parse(_people_only(text))
        if not _has_submitters(data):
            data = parse(text)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise GraderError(f"{path} is not YAML: {_one_line(error)}", next_step) from error
    if not isinstance(data, dict) or not _has_submitters(data):
        raise GraderError(f"{path} names no submitters", next_step)
    return data


def _people_only(text: str) -> str:
    """The lines with submitters' names and times: the rest can be megabytes of earlier results."""
    kept: list[str] = []
    inside = False
    for line in text.splitlines():
        if re.match(r"\S", line):
            inside = False
            kept.append(line)
        elif re.match(r"  :?\w+:", line):
            inside = bool(re.match(r"  :?submitters:", line))
            if inside or re.match(r"  :?created_at: ", line):
                kept.append(line)
        elif inside:
            kept.append(line)
    return "\n".join(kept)


def _has_submitters(data: object) -> bool:
    return isinstance(data, dict) and any(_people(value) for value in data.values())


def _people(value: object) -> list[str]:
    return [name for person in _persons(value) if (name := _name(person))]


def _persons(value: object) -> list[dict[object, object]]:
    if not isinstance(value, dict):
        return []
    people = value.get(":submitters") or value.get("submitters")
    return [p for p in people if isinstance(p, dict)] if isinstance(people, list) else []


def _name(person: dict[object, object]) -> str:
    for key in ("sid", "email", "name"):
        value = person.get(f":{key}") or person.get(key)
        if isinstance(value, str) and value not in _NOTHING:
            return readable(value)
    return ""


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
