"""Tests of assembling a kit: its files, its reference, its digest."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from grader.judging.kit.assemble import KitError, assemble, here, main

COPY = "/bin/cp"


@pytest.fixture
def plan(tmp_path: Path) -> dict[str, Any]:
    """A kit of one header, whose only step copies the submission and the header."""
    header = tmp_path / "bazel-out" / "sum.h"
    header.parent.mkdir()
    header.write_text("int Sum();\n", encoding="utf-8")
    reference = tmp_path / "solutions" / "sum.cc"
    reference.parent.mkdir()
    reference.write_text("int Sum() { return 1; }\n", encoding="utf-8")
    steps = [
        [COPY, "/kit/include/sum.h", "/out/copy.h"],
        [COPY, "/submission/sum.cc", "/out/student.so"],
    ]
    build = {"env": {}, "library": "student.so", "steps": steps, "worker": "public/worker"}
    return {
        "files": {"public/include/sum.h": str(header)},
        "manifest": {"schema": 1, "lab": "sum", "builds": {"tests": build}},
        "reference": str(reference),
    }


def digest_of(plan: dict[str, Any], kit: Path) -> str:
    assemble(plan, kit)
    digest = json.loads((kit / "manifest.json").read_text(encoding="utf-8"))["digest"]
    assert isinstance(digest, str)
    return digest


def test_builds_the_reference_by_the_steps_of_the_tests_build(
    plan: dict[str, Any], tmp_path: Path
) -> None:
    assemble(plan, tmp_path / "kit")
    built = (tmp_path / "kit" / "reference.so").read_bytes()
    assert built == Path(plan["reference"]).read_bytes()


def test_refuses_a_kit_that_lacks_a_file_which_its_steps_name(
    plan: dict[str, Any], tmp_path: Path
) -> None:
    plan["files"] = {}
    with pytest.raises(KitError, match=r"the reference does not build: tests: .*include/sum\.h"):
        assemble(plan, tmp_path / "kit")


def test_refuses_a_build_that_leaves_no_library(plan: dict[str, Any], tmp_path: Path) -> None:
    plan["manifest"]["builds"]["tests"]["steps"].pop()
    with pytest.raises(KitError, match=r"a build leaves no library: tests: student\.so"):
        assemble(plan, tmp_path / "kit")


@pytest.mark.parametrize("name", ["libsum.a", "libsum.lo"])
def test_keeps_an_archives_symbols_but_not_its_debugging_information(
    plan: dict[str, Any], tmp_path: Path, name: str
) -> None:
    archive, code = tmp_path / name, tmp_path / "sum.o"
    subprocess.run(["gcc", "-g", "-c", "-x", "c", "-", "-o", code], input=b"int Sum;", check=True)
    subprocess.run(["ar", "rcs", archive, code], check=True)
    assert b".debug_info" in archive.read_bytes()
    place = f"public/lib/{name}"
    plan["files"][place] = str(archive)
    assemble(plan, tmp_path / "kit")
    copied = (tmp_path / "kit" / place).read_bytes()
    assert b".debug_info" not in copied
    assert b"Sum" in copied


def test_gives_the_same_digest_to_the_same_kit_in_another_folder(
    plan: dict[str, Any], tmp_path: Path
) -> None:
    assert digest_of(plan, tmp_path / "one") == digest_of(plan, tmp_path / "two")


def test_changes_the_digest_with_a_header_and_with_a_flag(
    plan: dict[str, Any], tmp_path: Path
) -> None:
    digests = {digest_of(plan, tmp_path / "one")}
    plan["manifest"]["builds"]["tests"]["env"] = {"OMP_NUM_THREADS": "2"}
    digests.add(digest_of(plan, tmp_path / "two"))
    Path(plan["files"]["public/include/sum.h"]).write_text("long Sum();\n", encoding="utf-8")
    digests.add(digest_of(plan, tmp_path / "three"))
    assert len(digests) == 3


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("-I/kit/include", "-Ik/public/include"),
        ("/kit/lib/exports.o", "k/public/lib/exports.o"),
        ("/kitchen/sink", "/kitchen/sink"),
        ("-O2", "-O2"),
    ],
)
def test_replaces_only_the_folders_of_the_jail(argument: str, expected: str) -> None:
    assert here(argument, {"/kit": Path("k/public")}) == expected


def test_says_why_and_exits_with_one_when_the_reference_does_not_build(
    plan: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan["files"] = {}
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan), encoding="utf-8")
    assert main([str(path), str(tmp_path / "kit")]) == 1
    assert capsys.readouterr().err.startswith("error: the reference does not build: tests: ")
