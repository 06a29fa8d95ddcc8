"""Names, kinds and titles of new labs."""

import pytest

from grader.model.errors import GraderError
from grader.people.authoring.names import KINDS, LONGEST_NAME, LONGEST_TITLE, Kind, NewLab, title_of


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Prefix", "lowercase"),
        ("3d", "a letter first"),
        ("cuda-scan", "lowercase"),
        ("cuda__scan", "joined by _"),
        ("cuda_", "joined by _"),
        ("", "a letter first"),
        ("../x", "lowercase"),
        ("grün", "lowercase"),
        ("scan\n", "lowercase"),
        ("volatile", "a keyword of C++"),
        ("grader", "something else"),
        ("cuda_exports", "something else"),
        ("cuda_hidden_sizes", "are tests"),
        ("cuda_fast_test", "are tests"),
        ("a" * (LONGEST_NAME + 1), "33 characters, limit 32"),
    ],
)
def test_refuses_a_name_that_files_and_code_cannot_have(name: str, reason: str) -> None:
    with pytest.raises(GraderError, match="next: choose one such as cuda_topic") as refused:
        NewLab(name, "cuda", "Title")
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    "title", ["", " x", 'A "quoted" one', "two\nlines", "[x](y)", "{{ x }}", "a" * 61, "\\n"]
)
def test_refuses_a_title_that_toml_or_markdown_would_read_otherwise(title: str) -> None:
    with pytest.raises(GraderError, match=f"at most {LONGEST_TITLE} characters"):
        NewLab("cuda_filter", "cuda", title)


def test_names_the_files_without_the_kind() -> None:
    assert NewLab("cuda_filter", "cuda", "Filter").file == "filter.cu"
    assert NewLab("openmp_filter", "openmp", "Filter").file == "filter.cc"
    assert NewLab("filters", "pthreads", "Filter").file == "filters.cc"


@pytest.mark.parametrize("kind", KINDS)
def test_every_right_name_gives_a_right_title(kind: Kind) -> None:
    longest = f"{kind}_{'x' * LONGEST_NAME}"[:LONGEST_NAME]
    for name in (f"{kind}_prefix_sum", f"{kind}_3d", "prefix_sum", longest):
        assert NewLab(name, kind, title_of(name, kind)).title
    assert title_of(f"{kind}_prefix_sum", kind) == "Prefix sum"
