"""Tests of writing compile_commands.json."""

from __future__ import annotations

from typing import Any

import pytest

from tools.compdb import entries, main, source_of


def action(*arguments: str) -> dict[str, Any]:
    return {"arguments": ["/usr/bin/g++", *arguments]}


def test_keeps_one_entry_per_source_in_order() -> None:
    actions = [action("-O2", "-c", "b.cc"), action("-c", "a.cc"), action("-O0", "-c", "b.cc")]
    found = entries("/w", actions)
    assert [one["file"] for one in found] == ["a.cc", "b.cc"]
    assert found[1]["arguments"] == ["/usr/bin/g++", "-O2", "-c", "b.cc"]
    assert found[1]["directory"] == "/w"


def test_leaves_out_options_that_clang_does_not_know() -> None:
    (one,) = entries("/w", [action("-fno-canonical-system-headers", "-c", "a.cc")])
    assert one["arguments"] == ["/usr/bin/g++", "-c", "a.cc"]


def test_defines_away_the_words_of_a_cuda_file() -> None:
    (one,) = entries("/w", [action("-E", "-x", "c++", "a.cu", "-o", "bazel-out/a.ii")])
    assert "-D__global__=" in one["arguments"]
    assert "-E" not in one["arguments"]


@pytest.mark.parametrize(
    "path", ["bazel-out/k8/bin/exports.cc", "external/gtest/a.cc", "/usr/a.cc"]
)
def test_leaves_out_files_that_are_not_the_workspaces_own(path: str) -> None:
    assert source_of(action("-c", path)) is None


def test_help_says_what_it_writes_and_how_to_call_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Writes compile_commands.json for clangd")
    assert "tools/compdb.py [BAZEL-OPTION]..." in text
