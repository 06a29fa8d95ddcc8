"""findings_page.py: prints findings.md, the catalogue of findings as a page to read.

python3 -m common.cudasim.findings.findings_page > common/cudasim/findings.md
"""

from collections.abc import Mapping
from typing import Any

from common.cudasim.catalogues import findings

_HEAD = """\
# Findings

The kinds of the simulator's reports, and the verdict that the grader gives where a report decides.
Warnings end no program and decide nothing. `findings_page.py` generates this page from
[findings/findings.bzl](findings/findings.bzl).

| Kind | What to look for | Verdict |
| --- | --- | --- |
"""


def page() -> str:
    """The text of findings.md."""
    return _HEAD + "".join(map(_row, findings()))


def _row(entry: Mapping[str, Any]) -> str:
    if entry.get("is_warning"):
        return f"| `warning: {entry['name']}` | {entry['look_for']} | |\n"
    return f"| `{entry['name']}` | {entry['look_for']} | {verdict(entry)} |\n"


def verdict(entry: Mapping[str, Any]) -> str:
    """The grader's verdict on a finding that is no warning."""
    return str(entry.get("verdict", "runtime_error"))


if __name__ == "__main__":
    print(page(), end="")
