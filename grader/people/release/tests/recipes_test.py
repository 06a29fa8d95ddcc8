"""The recipes in the students' copy: the container, the workflow, and the tests of begun labs."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from grader.people.release.contents import choose, student_tree
from grader.people.release.publish import publish
from grader.people.release.tests.fake_workspace import LABS, make_workspace, write

_BAZEL = '#!/bin/sh\necho "bazel $*"\n'


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    root = make_workspace(tmp_path / "workspace")
    write(root, "third_party/compilers/find.sh", "")
    chosen = choose(root, LABS, LABS)
    publish(student_tree(root, chosen), list(LABS), chosen.stubs, tmp_path / "copy")
    write(tmp_path, "bin/bazel", _BAZEL).chmod(0o755)
    return tmp_path / "copy"


def tested(copy: Path, *options: str) -> str:
    path = f"{copy.parent / 'bin'}:/usr/bin:/bin"
    script = copy / "tools/test_started"
    done = subprocess.run([script, *options], env={"PATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_tests_no_lab_before_one_is_begun(copy: Path) -> None:
    assert tested(copy) == "no lab's file has been edited: nothing to test"


def test_tests_the_labs_that_are_begun_with_the_given_options(copy: Path) -> None:
    write(copy, "labs/kernels/scale.cu", "mine\n")
    assert tested(copy, "--config=tsan") == "bazel test --config=tsan //labs/kernels/..."
    write(copy, "labs/threads/sum.cc", "mine\n")
    assert tested(copy) == "bazel test //labs/threads/... //labs/kernels/..."


def test_an_update_that_keeps_the_students_file_still_counts_it_as_begun(copy: Path) -> None:
    write(copy, "labs/threads/sum.cc", "mine\n")
    root = copy.parent / "workspace"
    write(root, "labs/threads/sum.cc", "a new stub LAB_NOT_WRITTEN();\n")
    chosen = choose(root, LABS, LABS)
    publish(student_tree(root, chosen), list(LABS), chosen.stubs, copy)
    assert tested(copy) == "bazel test //labs/threads/..."


def test_the_workflow_runs_what_the_copy_has(copy: Path) -> None:
    workflow = yaml.safe_load((copy / ".github/workflows/public_tests.yml").read_text())
    (job,) = workflow["jobs"].values()
    programs = [step["run"].split()[0] for step in job["steps"] if "run" in step]
    assert programs == ["./setup", "tools/test_started"]
    assert all((copy / program).stat().st_mode & 0o100 for program in programs)
    restore, save = (step for step in job["steps"] if "cache" in step.get("uses", ""))
    assert restore["with"]["key"] == "bazel-${{ hashFiles('.release.json') }}"
    assert restore["with"]["path"] == save["with"]["path"]
    assert save["if"].startswith("always()")


def test_the_image_is_published_for_both_processors_where_an_instructor_asks_for_it(
    copy: Path,
) -> None:
    workflow = yaml.safe_load((copy / ".github/workflows/image.yml").read_text())
    build, publish = (workflow["jobs"][name] for name in ("build", "publish"))
    assert build["if"] == "vars.PUBLISH_IMAGE == 'true'"
    tags = [f'"$image:{row["processor"]}"' for row in build["strategy"]["matrix"]["include"]]
    assert tags == ['"$image:amd64"', '"$image:arm64"']
    assert " ".join(tags) in publish["steps"][0]["run"]
    for step in (build["steps"][1], publish["steps"][0]):
        subprocess.run(["bash", "-n", "-c", step["run"]], check=True)


def test_what_laptops_paste_fits_their_shell(copy: Path) -> None:
    text = (copy / "README.md").read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    builds = [block for block in blocks if " build " in block[1] and " run " in block[1]]
    assert [language for language, _ in builds] == ["sh", "sh", "powershell"]
    for language, block in builds:
        assert block.count("build -f Containerfile") == 1
        assert ":Z" not in block
        assert "-v labs-cache:/home/student/.cache labs\n" in block
        if language == "powershell":
            assert "\\" not in block
            assert "$(" not in block
        else:
            subprocess.run(["bash", "-n", "-c", block], check=True)


def test_the_dev_container_is_the_container(copy: Path) -> None:
    text = (copy / ".devcontainer/devcontainer.json").read_text()
    recipe = json.loads(re.sub(r"^ *//.*", "", text, flags=re.MULTILINE))
    container = (copy / ".devcontainer" / recipe["build"]["dockerfile"]).resolve()
    assert container == copy / "Containerfile"
    lines = container.read_text().splitlines()
    assert f"USER {recipe['remoteUser']}" in lines
    copied = [line.split()[1] for line in lines if line.startswith("COPY")]
    assert copied == ["setup", "third_party/compilers/find.sh"]
    for name in copied:
        assert (copy / name).is_file(), name
    assert not re.search("amd64|x86|aarch64|arm64", container.read_text())
