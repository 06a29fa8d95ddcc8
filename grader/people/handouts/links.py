"""Checks the links of the workspace's Markdown files, and the handouts against the tables of labs.

labs/README.md has two tables with a row for each lab: one links to the handouts, the other names in
its column From the labs that each lab builds on. A students' copy has no grader and no solutions;
there, links into those folders are not followed.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

INDEX = Path("labs/README.md")
NOT_FOR_STUDENTS = ("grader", "solutions")
FIRST_LINES = 25
_BUILDS_ON = "**Builds on:**"

_IGNORED = re.compile(r"\..*|bazel-.*|external|grader-demo")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:[^\n]|\n(?!\s*\n))+?(?<!`)\1(?!`)")
_NO_BRACKETS = str.maketrans("", "", "[]()<>")
_INLINE = r'\[(?P<text>[^\[\]]*)\]\(<?(?P<target>[^()<>\s]+)>?(?:\s+"[^"]*")?\)'
_DEFINITION = r"^ {0,3}\[(?P<label>[^\[\]]+)\]:\s*<?(?P<place>[^<>\s]+)"
_LINK = re.compile(f"{_INLINE}|{_DEFINITION}", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$", re.MULTILINE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


@dataclass(frozen=True)
class Link:
    """`[text](target)` on that line."""

    line: int
    text: str
    target: str


@dataclass(frozen=True)
class Lab:
    """A row of each of the two tables."""

    name: str
    title: str
    target: str
    needs: list[str] | None  # None: the second table has no such row

    @property
    def handout(self) -> Path:
        return INDEX.parent / self.name / INDEX.name


def problems(root: Path) -> list[str]:
    """Everything that is wrong in the workspace, a line for each: `file:line: what`."""
    labs = read_labs(root)
    titles = {_plain(lab.title): lab.handout for lab in labs}
    for lab in labs:
        headings = _headings(root / lab.handout)
        titles.update({_plain(heading): lab.handout for heading in headings[:1]})
    found = list(_table_problems(root, labs))
    for path in markdown_files(root):
        found += _link_problems(root, path, titles)
    for lab in labs:
        if lab.needs is not None and (root / lab.handout).is_file():
            found += _builds_on_problems(root, lab, lab.needs)
    return found


def markdown_files(root: Path) -> Iterator[Path]:
    """All Markdown files of the workspace, relative to its root; none that git ignores."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not _IGNORED.fullmatch(name))
        for name in sorted(files):
            if name.endswith(".md"):
                yield (Path(folder) / name).relative_to(root)


def links(text: str) -> Iterator[Link]:
    """The links of a Markdown text, none of those in code."""
    prose = _prose(text)
    for match in _LINK.finditer(prose):
        line = prose.count("\n", 0, match.start()) + 1
        text_of_link = match["text"] if match["text"] is not None else match["label"]
        yield Link(line, text_of_link, match["target"] or match["place"])


def slugs(headings: list[str]) -> set[str]:
    """GitHub's fragments for these headings of one file; repeated ones are numbered."""
    found: set[str] = set()
    seen: Counter[str] = Counter()
    for heading in headings:
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


def cells(line: str) -> list[str]:
    """Of a table's row, which begins and ends with a bar."""
    return [cell.strip() for cell in line.strip()[1:-1].split("|")]


def read_labs(root: Path) -> list[Lab]:
    """The labs in the order of the first table."""
    rows = list(_rows(_prose((root / INDEX).read_text(encoding="utf-8"))))
    needs = {_name(row["Lab"]): _names(row["From"]) for row in rows if "From" in row}
    labs: list[Lab] = []
    for row in rows:
        if "Handout" in row:
            name = _name(row["Lab"])
            link = next(links(row["Handout"]), Link(0, "", ""))
            labs.append(Lab(name, link.text, link.target, needs.get(name)))
    return labs


def _table_problems(root: Path, labs: list[Lab]) -> Iterator[str]:
    folders = {path.parent.name for path in (root / INDEX.parent).glob(f"*/{INDEX.name}")}
    for name in sorted(folders - {lab.name for lab in labs}):
        yield f"{INDEX}: no row for {name}"
    above: set[str] = set()
    for lab in labs:
        if lab.target != f"{lab.name}/{INDEX.name}":
            yield f"{INDEX}: the row of {lab.name} does not link to {lab.name}/{INDEX.name}"
        if lab.needs is None:
            yield f"{INDEX}: no row for {lab.name} in the table with the column From"
        for name in lab.needs or []:
            if name not in above:
                yield f"{INDEX}: {lab.name} builds on {name}, which no row above has"
        above.add(lab.name)


def _link_problems(root: Path, path: Path, titles: dict[str, Path]) -> Iterator[str]:
    for link in links((root / path).read_text(encoding="utf-8")):
        if _SCHEME.match(link.target):
            continue
        where = f"{path}:{link.line}: [{link.text}]({link.target})"
        target, _, fragment = link.target.partition("#")
        file = _resolve(path, target)
        if _is_left_out(root, file):
            continue
        if not (root / file).is_file():
            yield f"{where}: no file {file}"
            continue
        if fragment and fragment not in slugs(_headings(root / file)):
            yield f"{where}: no such heading in {file}"
        handout = titles.get(_plain(link.text), file)
        if handout != file:
            yield f"{where}: the handout of this title is {handout}"


def _builds_on_problems(root: Path, lab: Lab, needs: list[str]) -> Iterator[str]:
    text = (root / lab.handout).read_text(encoding="utf-8")
    first = "\n".join(text.splitlines()[:FIRST_LINES])
    _, builds_on, rest = first.partition(_BUILDS_ON)
    if not builds_on:
        yield f"{lab.handout}: no {_BUILDS_ON} in the first {FIRST_LINES} lines"
        return
    paragraph = rest.split("\n\n")[0]
    linked = {_resolve(lab.handout, link.target).parent.name for link in links(paragraph)}
    if linked != set(needs):
        yield (
            f"{lab.handout}: builds on {_listed(linked)}, and in {INDEX} "
            f"the column From has {_listed(set(needs))}"
        )


def _resolve(path: Path, target: str) -> Path:
    """Where a link of the file leads, relative to the root."""
    return Path(os.path.normpath(path.parent / target)) if target else path


def _is_left_out(root: Path, file: Path) -> bool:
    """Whether the file is in a folder that a students' copy lacks, and the root is such a copy."""
    top = file.parts[0] if file.parts else ""
    return top in NOT_FOR_STUDENTS and not (root / top).exists()


def _headings(path: Path) -> list[str]:
    if path.suffix != ".md" or not path.is_file():
        return []
    prose = _without_blocks(path.read_text(encoding="utf-8"))
    return [_LINK.sub(r"\g<text>", heading) for heading in _HEADING.findall(prose)]


def _prose(text: str) -> str:
    """The text with its lines, without code blocks, and without brackets in code spans."""
    return _CODE_SPAN.sub(lambda span: span[0].translate(_NO_BRACKETS), _without_blocks(text))


def _without_blocks(text: str) -> str:
    """The text with empty lines in place of fenced code blocks."""
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        marker = re.match(r"\s*(`{3,}|~{3,})", line)
        if fence:
            if marker and marker[1].startswith(fence) and line.strip() == marker[1]:
                fence = ""
            lines.append("")
        elif marker:
            fence = marker[1]
            lines.append("")
        else:
            lines.append(line)
    return "\n".join(lines)


def _rows(text: str) -> Iterator[dict[str, str]]:
    """The rows of the tables, by the heads of their columns."""
    heads: list[str] = []
    for line in text.splitlines():
        if not line.startswith("|"):
            heads = []
        elif not heads:
            heads = cells(line)
        elif set(line) - set("|-: "):
            yield dict(zip(heads, cells(line), strict=False))


def _name(cell: str) -> str:
    return cell.strip("` ")


def _names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def _plain(title: str) -> str:
    """The title without markup, case and line breaks."""
    return " ".join(re.sub(r"[`*]", "", title).casefold().split())


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "no lab"
