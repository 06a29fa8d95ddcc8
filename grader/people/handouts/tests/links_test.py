"""Tests of the links between Markdown files, in small workspaces and in this one."""

from pathlib import Path

import pytest

from grader.people.handouts.links import links, markdown_files, problems, slugs

INDEX = """# Labs

| Lab | You write | Handout |
| --- | --- | --- |
| `sum` | `sum.cc` | [Sum with threads](sum/README.md) |
| `scan` | `scan.cc` | [Scan](scan/README.md) |

| Lab | Needs | From | Hours |
| --- | --- | --- | ---: |
| `sum` | C++ | | 4 |
| `scan` | shares | `sum` | 5 |
"""
SUM = """# Sum with threads

**Builds on:** no other lab.

## The idea
"""
SCAN = """# Scan on a GPU

**Builds on:** [Sum with
threads](../sum/README.md) (shares).

## The idea
"""


def workspace(root: Path, **changed: str) -> Path:
    """Two labs; a keyword argument replaces the text of the index, `sum` or `scan`."""
    texts = {"index": INDEX, "sum": SUM, "scan": SCAN} | changed
    for name, text in texts.items():
        folder = root / "labs" if name == "index" else root / "labs" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "README.md").write_text(text, encoding="utf-8")
    return root


def test_every_link_of_this_workspace_leads_where_it_says() -> None:
    # Bazel links this file from the source tree, where all the Markdown files are.
    root = Path("pyproject.toml").resolve().parent
    found = problems(root)
    assert not found, "\n" + "\n".join(found)
    assert len(list(markdown_files(root))) > 10


def test_finds_nothing_wrong_in_a_small_workspace(tmp_path: Path) -> None:
    assert problems(workspace(tmp_path)) == []


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("[header](sum.h)", "labs/sum/README.md:6: [header](sum.h): no file labs/sum/sum.h"),
        ("[out](../../../x.md)", "labs/sum/README.md:6: [out](../../../x.md): no file ../x.md"),
        (
            "[idea](#the-ideas)",
            "labs/sum/README.md:6: [idea](#the-ideas): no such heading in labs/sum/README.md",
        ),
        (
            "[idea](../scan/README.md#parts)",
            "labs/sum/README.md:6: [idea](../scan/README.md#parts): "
            "no such heading in labs/scan/README.md",
        ),
        (
            "[Scan](../README.md)",
            "labs/sum/README.md:6: [Scan](../README.md): "
            "the handout of this title is labs/scan/README.md",
        ),
        (
            "[scan on a GPU](README.md)",
            "labs/sum/README.md:6: [scan on a GPU](README.md): "
            "the handout of this title is labs/scan/README.md",
        ),
        (
            "[Scan]: ../README.md",
            "labs/sum/README.md:6: [Scan](../README.md): "
            "the handout of this title is labs/scan/README.md",
        ),
    ],
)
def test_reports_a_link_that_leads_elsewhere(tmp_path: Path, link: str, problem: str) -> None:
    assert problems(workspace(tmp_path, sum=SUM + link + "\n")) == [problem]


@pytest.mark.parametrize(
    "text",
    [
        "[idea](#the-idea)",
        "[the idea of scans](../scan/README.md#the-idea)",
        "[Scan](../scan/README.md#the-idea)",
        "[elsewhere](https://example.org/x.md#y), [mail](mailto:a@example.org)",
        "`operator[](unsigned)` and `[a](b)`",
        "```cpp\nv[0](x.md)\n```",
        "   ```\n   [a](b)\n   ```",
    ],
)
def test_accepts_links_that_lead_there_and_code_that_looks_like_one(
    tmp_path: Path, text: str
) -> None:
    assert problems(workspace(tmp_path, sum=SUM + text + "\n")) == []


def test_accepts_links_into_folders_that_a_students_copy_lacks(tmp_path: Path) -> None:
    text = "[grading](grader/docs/grading.md#results) [notes](solutions/README.md)\n"
    workspace(tmp_path)
    (tmp_path / "README.md").write_text(text, encoding="utf-8")
    assert problems(tmp_path) == []


def test_reports_a_missing_file_in_the_grader_where_there_is_one(tmp_path: Path) -> None:
    workspace(tmp_path)
    (tmp_path / "README.md").write_text("[grading](grader/docs/grading.md)\n", encoding="utf-8")
    (tmp_path / "grader").mkdir()
    assert problems(tmp_path) == [
        "README.md:1: [grading](grader/docs/grading.md): no file grader/docs/grading.md"
    ]


def test_reports_a_missing_folder_that_a_students_copy_has(tmp_path: Path) -> None:
    workspace(tmp_path)
    (tmp_path / "README.md").write_text("[simulator](common/x.md)\n", encoding="utf-8")
    assert problems(tmp_path) == ["README.md:1: [simulator](common/x.md): no file common/x.md"]


def test_reports_a_handout_that_does_not_say_what_it_builds_on(tmp_path: Path) -> None:
    late = SCAN.replace("**Builds on:**", "\n" * 25 + "**Builds on:**")
    assert problems(workspace(tmp_path, scan=late)) == [
        "labs/scan/README.md: no **Builds on:** in the first 25 lines"
    ]


def test_reports_a_handout_that_builds_on_other_labs_than_the_table(tmp_path: Path) -> None:
    scan = SCAN.replace("[Sum with\nthreads](../sum/README.md)", "no other lab")
    assert problems(workspace(tmp_path, scan=scan)) == [
        "labs/scan/README.md: builds on no lab, and in labs/README.md the column From has sum"
    ]


def test_reports_a_lab_that_a_table_leaves_out(tmp_path: Path) -> None:
    rows = INDEX.splitlines(keepends=True)
    without = "".join(row for row in rows if not row.startswith("| `scan`"))
    assert problems(workspace(tmp_path, index=without)) == ["labs/README.md: no row for scan"]
    without = INDEX.replace("| `scan` | shares | `sum` | 5 |\n", "")
    assert problems(workspace(tmp_path, index=without)) == [
        "labs/README.md: no row for scan in the table with the column From"
    ]


def test_reports_a_lab_that_builds_on_one_below(tmp_path: Path) -> None:
    index = INDEX.replace("| C++ | |", "| C++ | `scan` |")
    text = SUM.replace("no other lab", "[Scan](../scan/README.md)")
    assert problems(workspace(tmp_path, index=index, sum=text)) == [
        "labs/README.md: sum builds on scan, which no row above has"
    ]


def test_reports_a_row_without_the_link_to_its_handout(tmp_path: Path) -> None:
    index = INDEX.replace("[Scan](scan/README.md)", "Scan")
    assert problems(workspace(tmp_path, index=index)) == [
        "labs/README.md: the row of scan does not link to scan/README.md"
    ]


def test_names_headings_as_github_does() -> None:
    headings = ["What goes wrong: the `lost_update`", "The idea", "The idea", "3.5 D - why?"]
    assert slugs(headings) == {
        "what-goes-wrong-the-lost_update",
        "the-idea",
        "the-idea-1",
        "35-d---why",
    }


def test_reads_a_link_that_spans_two_lines_where_it_begins() -> None:
    (link,) = links("a\nb [two\nwords](x.md)\n")
    assert (link.line, link.text, link.target) == (2, "two\nwords", "x.md")


def test_leaves_out_what_git_ignores(tmp_path: Path) -> None:
    for folder in ("labs", ".venv", "bazel-out", "external"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.md").write_text("[gone](gone.md)\n", encoding="utf-8")
    assert list(markdown_files(tmp_path)) == [Path("labs/a.md")]
