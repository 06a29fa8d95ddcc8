"""The layouts of a class's submissions, and how each names the students."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from grader.judging.collect.gradescope import METADATA, full_names, gradescope
from grader.judging.collect.submission import Found, Problem, readable
from grader.judging.collect.tree import SKIPPED_FOLDERS, Entry, Kind, Tree, ZipTree, walk
from grader.model.errors import GraderError
from grader.model.verdict import Verdict

# The name ends at the first place where it may: what follows, students choose.
MOODLE = re.compile(r"(?P<who>.+?)_(?P<id>\d+)_assignsubmission_file_?(?P<file>.*)", re.DOTALL)
MOODLE_TEXT = re.compile(r".+_\d+_assignsubmission_onlinetext.*", re.DOTALL)
CANVAS = re.compile(
    r"(?P<who>.+?)(?:_(?P<late>LATE))?_(?P<id>\d+)_(?P<attempt>\d+)_(?P<file>.+)",
    re.DOTALL | re.IGNORECASE,
)
RESUBMITTED = re.compile(r"(?P<stem>.+)-(?P<version>\d{1,3})(?P<suffix>\.[^.]+)", re.DOTALL)


@dataclass(frozen=True)
class Shape:
    """A recognised layout and the students' files in it."""

    name: str
    found: list[Found]
    names: dict[str, str] = field(default_factory=dict)


def recognise(tree: Tree, expected: str) -> Shape:
    """The layout of a tree; GraderError if it is none of the known ones."""
    top = students_folder(tree)
    entries = _visible(_list(tree, top))
    folders = [entry for entry in entries if entry.kind is not Kind.FILE]
    files = [entry for entry in entries if entry.kind is Kind.FILE]
    if any(entry.name == METADATA for entry in files):
        return Shape(
            "Gradescope export", gradescope(tree, top, folders, below), full_names(tree, top)
        )
    if any(MOODLE.fullmatch(entry.name) for entry in folders):
        return Shape("Moodle folders", _moodle_folders(tree, folders))
    if any(MOODLE.fullmatch(entry.name) for entry in files):
        return Shape("Moodle files", _flat(tree, files, MOODLE, lambda name: (name, 0)))
    flat = [entry for entry in files if CANVAS.fullmatch(entry.name)]
    if len(flat) > len(folders):
        return Shape("Canvas files", _flat(tree, files, CANVAS, _version))
    if any(entry.name == expected for entry in entries) and not folders:
        raise GraderError(
            f"{tree.root} holds {expected} itself, not a folder per student",
            "pass the folder above it with --submissions",
        )
    if not folders:
        raise GraderError(
            f"no submissions in {tree.root}"
            + (f": {len(files)} files of unknown naming" if files else ": it is empty"),
            "pass a folder per student, or a Gradescope, Moodle or Canvas download",
        )
    stray = "not in a student's folder"
    tree.notes.extend(f"ignored {readable(entry.path)}: {stray}" for entry in files)
    clones = sum(_is_clone(tree, folder) for folder in folders)
    name = "git clones" if 2 * clones > len(folders) else "a folder per student"
    return Shape(name, [below(tree, folder, readable(folder.name)) for folder in folders])


def below(tree: Tree, folder: Entry, student: str) -> Found:
    """All files below one student's folder, at any depth."""
    source = readable(f"{tree.root}/{folder.path}")
    if folder.kind is not Kind.FOLDER:
        text = f"{readable(folder.name)} is a {folder.kind.value}, not a folder"
        return Found(student, source, (), Problem(Verdict.NOTHING_GRADABLE, text))
    try:
        inside = sorted(walk(tree, folder.parts), key=lambda entry: entry.parts)
    except OSError as error:
        text = f"cannot list {source}: {error.strerror or error}"
        return Found(student, source, (), Problem(Verdict.JUDGE_ERROR, text))
    return Found(student, source, tuple((entry.name, entry) for entry in inside))


def students_folder(tree: Tree) -> tuple[str, ...]:
    """The folder that holds the students: archives often wrap everything in one folder."""
    entries = _visible(_list(tree, ()))
    if len(entries) != 1 or entries[0].kind is not Kind.FOLDER:
        return ()
    inside = _visible(_list(tree, entries[0].parts))
    known = any(
        entry.name == METADATA or MOODLE.fullmatch(entry.name) or CANVAS.fullmatch(entry.name)
        for entry in inside
    )
    # A folder on disk was named by the instructor; only an archive may add one around a class.
    several = len(inside) > 1 and all(entry.kind is Kind.FOLDER for entry in inside)
    wrapped = known or (several and isinstance(tree, ZipTree))
    return entries[0].parts if wrapped else ()


def _list(tree: Tree, folder: tuple[str, ...]) -> list[Entry]:
    try:
        return tree.children(folder)
    except OSError as error:
        raise GraderError(
            f"cannot list {tree.root}: {error.strerror or error}", "check its permissions"
        ) from error


def _visible(entries: Iterable[Entry]) -> list[Entry]:
    return [e for e in entries if not e.name.startswith(".") and e.name not in SKIPPED_FOLDERS]


def _is_clone(tree: Tree, folder: Entry) -> bool:
    if folder.kind is not Kind.FOLDER:
        return False
    try:
        return any(entry.name == ".git" for entry in tree.children(folder.parts))
    except OSError:
        return False


def _moodle_folders(tree: Tree, folders: list[Entry]) -> list[Found]:
    named = [(entry, MOODLE.fullmatch(entry.name)) for entry in folders]
    for entry, match in named:
        if match is None and not MOODLE_TEXT.fullmatch(entry.name):
            tree.notes.append(f"ignored {readable(entry.path)}: not a Moodle submission")
    matched = [(entry, match) for entry, match in named if match]
    students = _names(match for _, match in matched)
    return [below(tree, entry, students[match["who"], match["id"]]) for entry, match in matched]


def _flat(
    tree: Tree,
    files: list[Entry],
    pattern: re.Pattern[str],
    version: Callable[[str], tuple[str, int]],
) -> list[Found]:
    """Files whose names contain the student's; of several versions of a file the last counts."""
    matched: list[tuple[Entry, re.Match[str]]] = []
    for entry in files:
        match = pattern.fullmatch(entry.name)
        if match:
            matched.append((entry, match))
        elif not MOODLE_TEXT.fullmatch(entry.name):
            tree.notes.append(f"ignored {readable(entry.path)}: its name carries no student")
    students = _names(match for _, match in matched)
    latest: dict[str, dict[str, tuple[int, list[Entry]]]] = {}
    for entry, match in matched:
        name, number = version(match["file"])
        mine = latest.setdefault(students[match["who"], match["id"]], {})
        best, held = mine.get(name, (-1, []))
        if number >= best:
            mine[name] = (number, [*held, entry] if number == best else [entry])
    return [
        Found(
            student,
            readable(f"{tree.root}/{next(iter(mine.values()))[1][0].path}"),
            tuple((name, e) for name, (_, entries) in mine.items() for e in entries),
        )
        for student, mine in latest.items()
    ]


def _version(name: str) -> tuple[str, int]:
    match = RESUBMITTED.fullmatch(name)
    return (match["stem"] + match["suffix"], int(match["version"])) if match else (name, 0)


def is_marked_late(source: str) -> bool:
    """Whether Canvas wrote LATE into the name of a file, as it was found."""
    matches = (CANVAS.fullmatch(part) for part in source.split("/") if not MOODLE.fullmatch(part))
    return any(match["late"] for match in matches if match)


def _names(matches: Iterable[re.Match[str]]) -> dict[tuple[str, str], str]:
    """Students' names, with the platform's number where two students share a name."""
    keys = dict.fromkeys((match["who"], match["id"]) for match in matches)
    shared: dict[str, int] = {}
    for who, _ in keys:
        shared[who] = shared.get(who, 0) + 1
    return {
        (who, number): readable(who if shared[who] == 1 else f"{who}_{number}")
        for who, number in keys
    }
