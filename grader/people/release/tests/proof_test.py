"""The proof with a Bazel that is a script, and the command around it."""

import io
import json
import os
import tempfile
from pathlib import Path

import pytest
from rich.console import Console

from grader.cli import places
from grader.cli.app import main
from grader.cli.options import BAD_INPUT
from grader.cli.release import release_labs
from grader.model.errors import GraderError
from grader.people.release.tests.fake_workspace import make_workspace, texts, write

# Bazel as far as the proof sees it: a lab's test fails with one line for its LAB_NOT_WRITTEN()s.
_BAZEL = r"""#!/usr/bin/env python3
import json, pathlib, re, sys

command = next(word for word in sys.argv[1:] if not word.startswith("--"))
if command == "FAILING":
    print("a line of Bazel\nthe reason in Bazel's words")
    sys.exit(7)
if command != "test":
    sys.exit(0)
events, failed = [], 0
for stub in sorted(pathlib.Path("labs").glob("*/*.c[cu]")):
    if stub.stem.endswith("_test"):
        continue
    name = re.search(r"int (\w+)\(", stub.read_text())[1]
    written = "LAB_NOT_WRITTEN" not in stub.read_text()
    label = f"//{stub.parent}:{stub.stem}_test"
    log = stub.with_suffix(".log").absolute()
    line = f"{stub}: {name} not written yet: replace LAB_NOT_WRITTEN()"
    log.write_text("" if written else f"exec ${{PAGER:-/usr/bin/less}} \"$0\" || exit 1\n{line}\n")
    output = {"name": "test.log", "uri": log.as_uri()}
    result = {"status": "PASSED" if written else "FAILED", "testActionOutput": [output]}
    events.append({"id": {"testResult": {"label": label}}, "testResult": result})
    failed += not written
for word in sys.argv:
    if word.startswith("--build_event_json_file="):
        text = "\n".join(map(json.dumps, events))
        pathlib.Path(word.partition("=")[2]).write_text(text)
sys.exit(3 if failed else 0)
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_workspace(tmp_path / "workspace")
    monkeypatch.setattr(places, "ROOT", root)
    monkeypatch.setenv("TEST_SRCDIR", str(tmp_path))
    _put_bazel(tmp_path, _BAZEL)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    return root


def _put_bazel(folder: Path, text: str) -> None:
    write(folder, "bin/bazel", text).chmod(0o755)


def run(out: Path, *labs: str, proof: bool = True, course: Path | None = None) -> str:
    said = io.StringIO()
    console = Console(file=said, width=80)
    release_labs(out, labs, proof=proof, course=course, console=console)
    return said.getvalue()


def problem(out: Path, *labs: str) -> str:
    """What a release that must fail reports; it leaves nothing behind."""
    with pytest.raises(GraderError) as caught:
        run(out, *labs)
    assert not out.exists()
    assert list((out.parent / "scratch").iterdir()) == []
    return str(caught.value)


@pytest.mark.usefixtures("root")
def test_says_what_is_proven_and_leaves_no_scratch_folder(tmp_path: Path) -> None:
    said = run(tmp_path / "copy")
    assert [line.split()[0] for line in said.splitlines()] == ["proven:"] * 6 + ["released"]
    assert "the stubs of 2 labs fail with one line each" in said
    assert "released threads, kernels, " in said
    assert (tmp_path / "copy/labs/kernels/scale.cu").read_text().count("LAB_NOT_WRITTEN();") == 1
    assert list((tmp_path / "scratch").iterdir()) == []
    assert "share_of" not in "".join(texts(tmp_path / "copy").values())


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("command", ["query", "build"])
def test_shows_what_bazel_reports(tmp_path: Path, command: str) -> None:
    _put_bazel(tmp_path, _BAZEL.replace("FAILING", command))
    said = problem(tmp_path / "copy")
    assert f"error: bazel {command} " in said
    assert "exit code 7, expected 0\na line of Bazel\nthe reason in Bazel's words\n  next: " in said


def test_refuses_a_stub_that_somebody_has_written(root: Path, tmp_path: Path) -> None:
    written = "int FirstThreads(int n, int) { return n; }\n"
    (root / "labs/threads/sum.cc").write_text(written)
    said = problem(tmp_path / "copy")
    assert "stubs that do not fail as they should: 2" in said
    assert "//labs/threads:sum_test: should fail, is PASSED" in said
    assert "labs/threads/sum.cc: FirstThreads is written, or not called" in said


def test_refuses_a_reference_that_does_not_pass(root: Path, tmp_path: Path) -> None:
    stub = (root / "labs/threads/sum.cc").read_text()
    (root / "solutions/threads/sum.cc").write_text(stub)
    assert "bazel test --keep_going" in problem(tmp_path / "copy")


def test_refuses_hidden_text_before_it_builds(root: Path, tmp_path: Path) -> None:
    write(root, "labs/threads/old.cc", (root / "solutions/threads/sum.cc").read_text())
    _put_bazel(tmp_path, "#!/bin/false\n")
    assert "what students must not see: 2\n  labs/threads/old.cc:4: " in problem(tmp_path / "copy")


def test_refuses_a_link_that_leads_nowhere(root: Path, tmp_path: Path) -> None:
    handout = root / "labs/threads/README.md"
    handout.write_text(handout.read_text() + "[x]\n\n[x]: nowhere.md\n")
    assert "labs/threads/README.md:9: [x](nowhere.md): no file" in problem(tmp_path / "copy")


def test_refuses_a_set_up_that_needs_the_graders_python(root: Path, tmp_path: Path) -> None:
    write(root, "setup", "#!/bin/sh\nmkdir .venv\n")
    assert "./setup makes .venv in the students' copy" in problem(tmp_path / "copy")


def test_uses_the_users_options_of_bazel_but_no_config_and_does_not_release_them(
    root: Path, tmp_path: Path
) -> None:
    write(root, "user.bazelrc", "build --disk_cache=x\nbuild --config=solutions\n")
    check = 'import pathlib, sys\nprint(pathlib.Path("user.bazelrc").read_text())\nsys.exit(7)\n'
    _put_bazel(tmp_path, f"#!/usr/bin/env python3\n{check}")
    said = problem(tmp_path / "copy")
    assert "build --disk_cache=x" in said
    assert "--config=solutions" not in said
    run(tmp_path / "copy", proof=False)
    assert not (tmp_path / "copy/user.bazelrc").exists()


@pytest.mark.usefixtures("root")
def test_without_proof_it_says_so_and_needs_no_bazel(tmp_path: Path) -> None:
    _put_bazel(tmp_path, "#!/bin/false\n")
    said = run(tmp_path / "copy", proof=False)
    assert said.startswith("not proven: --no-proof")
    assert "proven: the" not in said


@pytest.mark.usefixtures("root")
def test_without_bazel_it_names_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "no bazel\n  next: run ./setup, or give --no-proof" in problem(tmp_path / "copy")


def test_an_update_adds_labs_and_leaves_out_none(root: Path, tmp_path: Path) -> None:
    run(tmp_path / "copy", "kernels")
    write(tmp_path, "copy/labs/kernels/scale.cu", "mine\n")
    write(root, "common/lab/not_written.h", "#define LAB_NOT_WRITTEN() Changed()\n")
    said = run(tmp_path / "copy", "threads")
    assert "added: labs/threads/sum.cc\n" in said
    assert "updated: common/lab/not_written.h\n" in said
    assert "kept: labs/kernels/scale.cu: your file\n" in said
    assert "released threads, kernels, " in said
    again = run(tmp_path / "copy")
    assert "released threads, kernels, " in again
    assert "updated" not in again


@pytest.mark.usefixtures("root")
def test_reports_an_unknown_lab_with_the_closest_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["release", "--out", str(tmp_path / "copy"), "--lab", "thread"]
    assert main(command) == BAD_INPUT
    assert capsys.readouterr().err == (
        "error: no lab named 'thread'\n  next: did you mean threads?\n"
    )


def test_refuses_a_bad_place_before_the_proof(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _put_bazel(tmp_path, "#!/bin/false\n")
    assert main(["release", "--out", str(root / "copy")]) == BAD_INPUT
    assert "is inside the workspace" in capsys.readouterr().err


def course_at(folder: Path, address: str) -> Path:
    text = """name = "c"
time_zone = "UTC"
labs = [{name = "threads"}]
hand_in.address = "%s"
"""
    return write(folder, "course.toml", text % address)


@pytest.mark.usefixtures("root")
def test_the_courses_address_puts_submit_into_the_copy_and_stays_there(tmp_path: Path) -> None:
    copy, address = tmp_path / "copy", "https://labs.example.edu"
    said = run(copy, course=course_at(tmp_path, address))
    assert "proven: ./submit starts\n" in said
    assert f"students hand in with ./submit, to {address}\n" in said
    assert os.access(copy / "submit", os.X_OK)
    assert [each.name for each in (copy / "labs").iterdir() if each.is_dir()] == ["threads"]
    assert json.loads((copy / ".release.json").read_text())["address"] == address
    assert "submit, to https://labs.example.edu" in run(copy, proof=False)
    other = course_at(tmp_path, "https://new.example.edu")
    assert "updated: README.md\n" in run(copy, proof=False, course=other)
    assert "https://new.example.edu" in (copy / "README.md").read_text()


def test_a_submit_that_does_not_start_is_not_released(root: Path, tmp_path: Path) -> None:
    write(root, "grader/service/client/submit.py", "#!/bin/sh\necho broken\nexit 5\n")
    with pytest.raises(GraderError, match=r"\./submit in the students' copy: exit code 5"):
        run(tmp_path / "copy", course=course_at(tmp_path, "https://labs.example.edu"))


@pytest.mark.usefixtures("root")
def test_refuses_an_address_that_submit_would_refuse(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="is no address of a service") as caught:
        run(tmp_path / "copy", course=course_at(tmp_path, "https://me@labs.example.edu"))
    assert "next: correct [hand_in] address" in str(caught.value)
