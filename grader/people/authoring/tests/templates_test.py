"""The files of a new lab of each kind: in format, loadable, linked, and fit for students."""

import subprocess
import sys
from pathlib import Path

import pytest

from grader.judging.sample.samples import lazy_samples, samples
from grader.model.lab import load_lab
from grader.model.manifest import Kit, Manifest
from grader.people.authoring.names import KINDS, LONGEST_NAME, Kind, NewLab
from grader.people.authoring.templates import lab_files
from grader.people.authoring.write import write_lab
from grader.people.checks.ceilings import unstated
from grader.people.checks.completeness import missing
from grader.people.checks.unfinished import rows, todos
from grader.people.handouts.links import problems
from grader.people.release.leaks import hidden_lines, leaks
from grader.people.release.tree import File, Tree

EACH_KIND = pytest.mark.parametrize("kind", KINDS)
_CLANG_FORMAT = Path(sys.executable).with_name("clang-format")
_STYLE = "{BasedOnStyle: Google, ColumnLimit: 100}"
_INDEX = """# Labs

| Lab | You write | Handout |
| --- | --- | --- |
| `{0}` | a file | [{1}]({0}/README.md) |

| Lab | Needs | From |
| --- | --- | --- |
| `{0}` | C++ | |

## How parallelism earns points
"""


def new_lab(kind: Kind, name: str = "") -> NewLab:
    return NewLab(name or f"{kind}_filter", kind, "Filters, 2nd edition")


def make(root: Path, lab: NewLab) -> Path:
    """A workspace with this lab alone, and its row in the index."""
    for folder in ("labs", "solutions"):
        (root / folder).mkdir()
    (root / "labs" / "README.md").write_text(_INDEX.format(lab.name, lab.title), encoding="utf-8")
    write_lab(root, lab)
    return root


def names(kind: Kind) -> list[str]:
    """A short name, an ordinary one, and one as long as may be, with and without the kind."""
    return [
        "f",
        f"{kind}_filter",
        "x" * LONGEST_NAME,
        f"{kind}_{'x' * LONGEST_NAME}"[:LONGEST_NAME],
    ]


@EACH_KIND
def test_code_is_in_format_whatever_the_name(kind: Kind) -> None:
    for name in names(kind):
        for path, text in lab_files(new_lab(kind, name)).items():
            if Path(path).suffix not in (".h", ".cc", ".cpp", ".cu"):
                continue
            formatted = subprocess.run(
                [_CLANG_FORMAT, f"--style={_STYLE}", "--assume-filename", path],
                input=text,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            assert text == formatted, path
            assert max(map(len, text.splitlines())) <= 100, path


@EACH_KIND
def test_lab_toml_loads_and_its_ceilings_have_samples(kind: Kind, tmp_path: Path) -> None:
    lab = new_lab(kind)
    root = make(tmp_path, lab)
    loaded = load_lab(root / "labs" / lab.name / "lab.toml")
    assert (loaded.title, loaded.file) == (lab.title, lab.file)
    lazy = lazy_samples(root / "solutions" / lab.name)
    required = loaded.usual_ceilings.keys()
    later = required & {"first_algorithm"}  # where there are several parts
    assert {sample.path.stem for sample in lazy} == required - later
    left = [line.partition("\n")[0] for line in unstated(loaded, lazy)]
    assert left == [f"lab.toml: ceilings.{name}: no sample" for name in later]
    assert (not lazy) is (kind == "plain")


@EACH_KIND
def test_samples_expand_and_describe_themselves(kind: Kind, tmp_path: Path) -> None:
    lab = new_lab(kind)
    folder = make(tmp_path, lab) / "solutions" / lab.name
    found = samples(folder)
    assert sum(sample.is_wrong for sample in found) == 1
    assert sum(sample.path.parent.name == "accepted" for sample in found) == 1
    reference = (folder / lab.file).read_bytes()
    for sample in [*found, *lazy_samples(folder)]:
        text = sample.read()
        assert text.startswith(b"// "), sample.path
        assert sample.path.name == lab.file or text != reference, sample.path


@EACH_KIND
def test_handout_links_hold_and_its_todos_are_told(kind: Kind, tmp_path: Path) -> None:
    lab = new_lab(kind)
    root = make(tmp_path, lab)
    assert problems(root) == []
    assert list(rows(root, lab.name)) == []
    handout = Path("labs", lab.name, "README.md")
    told = list(todos(root, [Path("labs", "missing.md"), handout]))
    assert told[0] == (
        f"{handout}:3: still to write: say in two or three sentences what students write and what "
        "they learn by it."
    )
    assert len(told) == (root / handout).read_text(encoding="utf-8").count("TODO")
    notes = list(todos(root, [Path("solutions", lab.name, "README.md")]))
    assert [line.partition("still to write: ")[2] for line in notes[1:]] == [
        "the idea",
        "the points",
    ]


@EACH_KIND
def test_check_says_what_is_missing_in_order(kind: Kind, tmp_path: Path) -> None:
    lab = new_lab(kind)
    root = make(tmp_path, lab)
    kit = Kit(
        root=root / "kit",
        manifest=Manifest(
            schema=1, lab=lab.name, file=lab.file, model="cpu", digest="0" * 64, builds={}
        ),
        lab=load_lab(root / "labs" / lab.name / "lab.toml"),
    )
    found = samples(root / "solutions" / lab.name)
    told = missing(kit, root / "labs" / lab.name, found)
    places = [line.partition(":")[0] for line in told]
    assert list(dict.fromkeys(places)) == [
        f"labs/{lab.name}/{lab.topic}.h",
        f"labs/{lab.name}/README.md",
        "cannot read exports.o",  # not built here
        f"solutions/{lab.name}",
        f"labs/{lab.name}/lab.toml",
        f"solutions/{lab.name}/README.md",
    ]
    assert f"solutions/{lab.name}: 1 accepted samples, at least 3 are required" in told
    assert f"solutions/{lab.name}: 1 wrong submissions, at least 8 are required" in told


def test_tells_which_table_lacks_the_lab(tmp_path: Path) -> None:
    root = make(tmp_path, new_lab("cuda"))
    told = "\n".join(rows(root, "another"))
    assert "no row for another" in told
    assert "another has no prerequisites" in told
    (root / "labs" / "README.md").unlink()
    assert "next: write the table of labs" in "\n".join(rows(root, "another"))


@EACH_KIND
def test_students_files_tell_nothing_hidden(kind: Kind, tmp_path: Path) -> None:
    lab = new_lab(kind)
    root = make(tmp_path, lab)
    hidden = hidden_lines(root / "solutions")
    assert len(hidden) > 40
    tree: Tree = {
        path: File(text.encode())
        for path, text in lab_files(lab).items()
        if path.startswith("labs/")
    }
    stub = f"labs/{lab.name}/{lab.file}"
    assert leaks(tree, [stub], hidden) == []
    reference = (root / "solutions" / lab.name / lab.file).read_bytes()
    assert leaks({**tree, stub: File(reference)}, [stub], hidden) != []
