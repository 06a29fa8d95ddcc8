"""Sphinx: a site from the workspace's Markdown files, which stay where they are.

    .venv/bin/python3 -m sphinx -W --keep-going -c tools/site . FOLDER

Links to files that are no pages lead into the repository, if SITE_REPOSITORY has its address, as
https://git.example.edu/labs/blob/main; else to copies of these files in the site.
"""

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

_ROOT = Path(__file__).resolve().parent.parent.parent
_REPOSITORY = os.environ.get("SITE_REPOSITORY")
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#)[^()\s#]+")
_SECTION = re.compile(r"^<!-- README: (.+) -->$", re.MULTILINE)

project = "Parallel programming labs"
root_doc = "README"
extensions = ["myst_parser"]
include_patterns = ["**.md"]
exclude_patterns = [".*", "bazel-*", "external", "grader-demo", "common/cudasim/tests"]
myst_heading_anchors = 6
suppress_warnings = ["misc.highlighting_failure"]
html_theme = "furo"
html_title = project
html_extra_path = ["index.html"]
html_copy_source = False
html_show_copyright = False

_READERS = """
```{toctree}
:hidden:

tools/site/students
tools/site/instructors
tools/site/authors
tools/site/contributors
```
"""


def _complete(_: Sphinx, page: str, text: list[str]) -> None:
    """The text as a page: with the README's section that it asks for, and with links that work."""
    if page == root_doc:
        text[0] += _READERS
    text[0] = _SECTION.sub(lambda found: _section(page, found[1]), text[0])
    folder = (_ROOT / page).parent
    text[0] = _LINK.sub(lambda link: _target(folder, link[0]), text[0])


def _section(page: str, title: str) -> str:
    """A section of the README, its links from the page's folder."""
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")
    _, _, after = readme.partition(f"\n## {title}\n")
    way = os.path.relpath(_ROOT, (_ROOT / page).parent)
    return _LINK.sub(lambda link: f"{way}/{link[0]}", after.partition("\n## ")[0])


def _target(folder: Path, target: str) -> str:
    path = Path(os.path.normpath(folder / target))
    is_shown = path.suffix in (".md", ".svg", ".webp")
    if _REPOSITORY is None or is_shown or not path.exists():
        return target
    return f"{_REPOSITORY}/{path.relative_to(_ROOT).as_posix()}"


def setup(app: Sphinx) -> None:
    app.connect("source-read", _complete)
