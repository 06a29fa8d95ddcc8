"""The zip file holds all that grading needs, pinned, and nothing that a container must not have."""

import zipfile
from pathlib import Path

import pytest

import grader
from grader.model.errors import GraderError
from grader.model.manifest import load_kit
from grader.people.autograder.bundle import packages, write_autograder
from grader.people.autograder.own_modules import own_modules
from grader.people.autograder.pinned import pinned
from grader.people.autograder.settings import Settings, load_settings
from grader.people.autograder.tests.versioned_kit import kit_with_versions
from grader.proof.fakes.fake_kit import make_kit

_SETTINGS = Settings(schema=1, lab="fake_sum", seed=7, secret="00ff")
_REQUIREMENTS = """# made by pip-compile
alpha==1.0 \\
    --hash=sha256:aa
    # via -r requirements.in
beta==2.0 \\
    --hash=sha256:bb
    # via alpha, gamma
beta-core==2.1 \\
    --hash=sha256:bc
    # via beta
gamma==3.0 \\
    --hash=sha256:cc
    # via -r requirements.in
"""


def test_holds_the_kit_the_scripts_and_the_programs_own_modules_alone(tmp_path: Path) -> None:
    path = write_autograder(kit_with_versions(tmp_path), _SETTINGS, tmp_path / "out" / "a.zip")
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in archive.infolist()}
    assert {name.split("/")[0] for name in names} == {
        *("autograder.json", "gxx_version.txt", "kit", "packages.txt", "program"),
        *("requirements.txt", "run_autograder", "setup.sh"),
    }
    programs = [name for name in names if name.startswith("program/")]
    assert [
        name for name in programs if "/tests/" in name or not name.endswith((".py", "bzl"))
    ] == []
    assert "program/grader/pages/export/gradescope.py" in programs
    assert [name for name in programs if "/cli/" in name or "/store/" in name] == []
    assert modes["setup.sh"] == modes["run_autograder"] == modes["kit/checker"] == 0o755
    assert modes["requirements.txt"] == 0o644


def test_makes_the_same_file_of_the_same_kit(tmp_path: Path) -> None:
    kit = kit_with_versions(tmp_path)
    first = write_autograder(kit, _SETTINGS, tmp_path / "first.zip").read_bytes()
    assert first == write_autograder(kit, _SETTINGS, tmp_path / "second.zip").read_bytes()


def test_leaves_the_old_file_and_nothing_else_when_it_cannot_be_written(tmp_path: Path) -> None:
    kit = kit_with_versions(tmp_path / "kits")
    out = tmp_path / "out"
    out.mkdir()
    old = out / "a.zip"
    old.write_bytes(b"old")
    (kit.root / "lab.toml").unlink()
    (kit.root / "lab.toml").symlink_to("/proc/self/mem")
    with pytest.raises(GraderError, match="cannot write"):
        write_autograder(kit, _SETTINGS, old)
    assert old.read_bytes() == b"old"
    assert list(out.iterdir()) == [old]


def test_refuses_a_path_that_is_a_folder(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match=r"cannot write .*Is a directory"):
        write_autograder(kit_with_versions(tmp_path), _SETTINGS, tmp_path)


def test_asks_for_the_compilers_in_the_kits_versions(tmp_path: Path) -> None:
    kit = kit_with_versions(tmp_path, "/usr/lib/llvm-15/bin/clang++")
    assert packages(kit) == [
        *("clang-15", "g++", "libclang-common-15-dev", "libclang-rt-15-dev"),
        *("libomp-15-dev", "llvm-15"),
    ]


def test_asks_for_what_takes_the_names_out_of_a_submission(tmp_path: Path) -> None:
    assert packages(kit_with_versions(tmp_path, "/usr/bin/objcopy")) == ["binutils", "g++"]


def test_refuses_a_kit_whose_compiler_no_container_has(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match=r"the kit uses /usr/local/cuda/bin/nvcc"):
        packages(kit_with_versions(tmp_path, "/usr/local/cuda/bin/nvcc"))


def test_refuses_a_kit_that_does_not_say_its_compiler(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="does not say its g"):
        write_autograder(load_kit(make_kit(tmp_path)), _SETTINGS, tmp_path / "a.zip")


def test_pins_a_package_with_all_that_it_needs_and_no_other() -> None:
    text = pinned(_REQUIREMENTS, ["alpha"])
    assert [line.split("==")[0] for line in text.splitlines() if "==" in line] == [
        *("alpha", "beta", "beta-core")
    ]
    assert text.count("--hash=sha256:") == 3
    assert "pip-compile" not in text


def test_names_a_package_that_is_not_pinned() -> None:
    with pytest.raises(GraderError, match=r"requirements\.txt has no delta"):
        pinned(_REQUIREMENTS, ["delta"])


def test_finds_modules_that_are_imported_inside_functions(tmp_path: Path) -> None:
    (tmp_path / "one" / "inner").mkdir(parents=True)
    (tmp_path / "one" / "__init__.py").write_text("")
    (tmp_path / "one" / "main.py").write_text("def f():\n    from one.inner import late, json\n")
    (tmp_path / "one" / "inner" / "late.py").write_text("import one.other\nimport os\n")
    (tmp_path / "one" / "other.py").write_text("")
    (tmp_path / "one" / "unused.py").write_text("")
    assert own_modules(tmp_path, "one/main.py") == [
        *("one/__init__.py", "one/inner/late.py", "one/main.py", "one/other.py")
    ]


def test_takes_every_package_of_the_grader_that_grading_imports() -> None:
    found = own_modules(Path(grader.__file__).parent.parent, "grader/people/autograder/run.py")
    assert {
        "grader/judging/judge/grading.py",
        "common/lab/programming_models/catalogues.py",
    } <= set(found)


@pytest.mark.parametrize("text", ["", "{}", '{"schema": 2, "lab": "x", "seed": 1}'])
def test_names_settings_that_are_not_whole(tmp_path: Path, text: str) -> None:
    (tmp_path / "autograder.json").write_text(text)
    with pytest.raises(GraderError, match=r"autograder\.json"):
        load_settings(tmp_path)
