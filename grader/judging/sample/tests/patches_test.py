"""Samples that are stored as patches: expanding, packing and carrying them over to new bases."""

import subprocess
from pathlib import Path

import pytest

from grader.judging.sample.carry import carry, merge
from grader.judging.sample.pack import packed
from grader.judging.sample.patches import LabFolder, expand, make, parse
from grader.judging.sample.samples import Sample, samples
from grader.model.errors import GraderError
from grader.model.verdict import Verdict

_BODY = "".join(f"int f{i}() {{ return {i}; }}\n" for i in range(12))
_BASE = f"// The reference: sums,\n// in two lines.\n\n{_BODY}"
_WRONG = _BASE.replace("// The reference: sums,\n// in two lines.", "// Wrong: f5 is off by one.")
_WRONG = _WRONG.replace("return 5", "return 6")
_FAULTY = "wrong_answer/f5_off_by_one.cc"


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A reference, an accepted one and a wrong one, all whole, committed."""
    folder = tmp_path / "lab"
    _write(folder, "sum.cc", _BASE)
    _write(folder, "hidden_test.cc", "// secret\n")
    _write(folder, "accepted/other.cc", _BASE.replace("return 9", "return 3 * 3"))
    _write(folder, _FAULTY, _WRONG)
    _git(tmp_path, "init", "--quiet")
    _commit(folder)
    return folder


def _write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(text.encode(errors="surrogateescape"))


def _git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def _commit(folder: Path) -> None:
    _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "--message=x")


def _pack(lab: Path, name: str = _FAULTY, base: str | None = None) -> Path:
    LabFolder(lab).store(name, packed(lab, name, base).patch)
    return (lab / name).with_suffix(".diff")


def test_a_patch_is_its_comment_and_the_lines_that_differ(lab: Path) -> None:
    assert _pack(lab, base="sum.cc").read_text() == (
        "// Wrong: f5 is off by one.\n"
        "--- sum.cc\n"
        "@@ -8 +8 @@ int f4() { return 4; }\n"
        "-int f5() { return 5; }\n"
        "+int f5() { return 6; }\n"
    )
    assert not (lab / _FAULTY).exists()


def _replaces_six_lines(lab: Path) -> Path:
    begin, end = _WRONG.index("int f3"), _WRONG.index("int f9")
    _write(lab, _FAULTY, _WRONG[:begin] + "int g();\n" + _WRONG[end:])
    return _pack(lab, base="sum.cc")


def test_of_many_removed_lines_a_patch_has_their_number_and_the_last(lab: Path) -> None:
    assert (
        _replaces_six_lines(lab)
        .read_text()
        .endswith("@@ -6,6 +6 @@ int f2() { return 2; }\n~6 int f8() { return 8; }\n+int g();\n")
    )


def test_changes_around_an_equal_line_are_one_where_that_is_shorter(lab: Path) -> None:
    kept = "int f5() { return 5; }\n"
    text = _BASE.replace(kept, "").replace("int f2", f"int g();\n{kept}int f2")
    begin, end = text.index("int f2"), text.index("int f9")
    _write(lab, _FAULTY, "// Wrong.\n" + text[text.index("\n\n") + 1 : begin] + text[end:])
    hunks = _pack(lab, base="sum.cc").read_text().split("\n", 2)[2]
    assert hunks.splitlines()[1:] == [
        "~7 int f8() { return 8; }",
        "+int g();",
        "+int f5() { return 5; }",
    ]


def test_removed_lines_that_a_patch_does_not_write_may_change(lab: Path) -> None:
    path = _replaces_six_lines(lab)
    whole = Sample(path, Verdict.WRONG_ANSWER).read()
    _write(lab, "sum.cc", _BASE.replace("return 6", "return 3 + 3"))
    assert Sample(path, Verdict.WRONG_ANSWER).read() == whole
    _write(lab, "sum.cc", _BASE.replace("int f6", "int h();\nint f6"))
    with pytest.raises(GraderError, match=r"line 11 of sum\.cc is 'int f7\(\) .*expected 'int f8"):
        Sample(path, Verdict.WRONG_ANSWER).read()


def test_a_sample_that_is_a_patch_is_handed_in_as_a_whole_file(lab: Path) -> None:
    path = _pack(lab)
    (sample,) = (sample for sample in samples(lab) if sample.is_wrong)
    assert (sample.path, sample.name) == (path, "wrong_answer/f5_off_by_one")
    assert sample.file_name == "f5_off_by_one.cc"
    assert sample.submission().read() == sample.read() == _WRONG.encode()


def test_a_hostile_sample_is_known_by_the_first_line_of_its_patch(lab: Path) -> None:
    _write(lab, _FAULTY, _WRONG.replace("// Wrong", "// Hostile"))
    assert Sample(_pack(lab), Verdict.WRONG_ANSWER).is_hostile


@pytest.mark.parametrize(
    "text",
    [
        _WRONG.replace("int f0() { return 0; }\n", ""),
        _WRONG.replace("int f11() { return 11; }\n", ""),
        _WRONG + "int last() { return 0; }\n",
        _WRONG.replace("\n", "\r\n"),
        _WRONG.replace("int f3", "\n\n--- sum.cc\n+++ x\n@@ -1 +1 @@\nint f3"),
        _WRONG.replace("f3", "f\x0c\u2028\udcff3"),
        "int f0() { return 5; }\n",
        "// Wrong: nothing but a comment.\n",
    ],
    ids=["first", "last", "added", "crlf", "like_a_patch", "odd", "other", "comment"],
)
def test_whatever_is_stored_as_a_patch_comes_back_byte_by_byte(lab: Path, text: str) -> None:
    _write(lab, _FAULTY, text)
    path = _pack(lab, base="sum.cc")
    assert Sample(path, Verdict.WRONG_ANSWER).read() == text.encode(errors="surrogateescape")


def test_a_file_whose_last_line_has_no_end_is_no_patch(lab: Path) -> None:
    _write(lab, _FAULTY, _WRONG.rstrip("\n"))
    with pytest.raises(GraderError, match=r"f5_off_by_one\.cc: no newline at the end of the file"):
        packed(lab, _FAULTY)


def test_a_base_may_be_a_patch_itself(lab: Path) -> None:
    _write(lab, _FAULTY, _WRONG.replace("return 9", "return 3 * 3"))
    _pack(lab, "accepted/other.cc", "sum.cc")
    path = _pack(lab, base="accepted/other.cc")
    assert "--- accepted/other.cc\n" in path.read_text()
    assert b"return 3 * 3" in Sample(path, Verdict.WRONG_ANSWER).read()


def test_a_base_that_is_named_may_be_any_sample(lab: Path) -> None:
    _write(lab, "too_slow/other.cc", _BASE.replace("return 9", "return 3 * 3"))
    assert packed(lab, _FAULTY, "too_slow/other.cc").base == "too_slow/other.cc"


def test_a_cycle_of_patches_is_an_error(lab: Path) -> None:
    _write(lab, "accepted/a.diff", make("accepted/b.cc", _BASE, "accepted/a.cc", _WRONG))
    _write(lab, "accepted/b.diff", make("accepted/a.cc", _BASE, "accepted/b.cc", _WRONG))
    with pytest.raises(GraderError, match=r"accepted/a.diff: more than \d patches"):
        expand(LabFolder(lab), "accepted/a.cc")


def test_a_patch_to_a_base_that_has_changed_names_the_line(lab: Path) -> None:
    path = _pack(lab, base="sum.cc")
    _write(lab, "sum.cc", _BASE.replace("f4()", "f4(void)"))
    with pytest.raises(GraderError) as caught:
        Sample(path, Verdict.WRONG_ANSWER).read()
    assert str(caught.value) == (
        "error: wrong_answer/f5_off_by_one.diff does not apply: line 7 of sum.cc is "
        "'int f4(void) { return 4; }', expected 'int f4() { return 4; }'\n"
        "  next: carry it over to the current base: bazel run //grader -- samples carry"
    )


def test_lines_are_added_only_behind_the_line_that_the_patch_names(lab: Path) -> None:
    more = _WRONG.replace("return 6", "return 5").replace("int f5", "int g();\nint f5")
    _write(lab, _FAULTY, more)
    path = _pack(lab, base="sum.cc")
    assert "@@ -7,0 +8 @@ int f4() { return 4; }\n+int g();\n" in path.read_text()
    _write(lab, "sum.cc", _BASE.replace("int f0", "int h();\nint f0"))
    with pytest.raises(GraderError, match=r"line 7 of sum\.cc is 'int f3\(\) .*expected 'int f4"):
        Sample(path, Verdict.WRONG_ANSWER).read()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("// Wrong: no patch.\n", "no base"),
        ("--- sum.cc\n@@ -1,3 +1,2 @@\n a\n", "not a patch of one file"),
        ("--- sum.cc\n@@ -1,3 +1 @@\n-a\n~3 b\n+c\n", "not a patch of one file: @@ -1,3 "),
        ("--- sum.cc\n--- sum.cc\n+++ x.cc\n@@ -1 +1 @@\n-a\n+b\n", "not a patch of one file"),
    ],
)
def test_a_broken_patch_is_an_error_that_names_it(text: str, problem: str) -> None:
    with pytest.raises(GraderError, match=problem) as caught:
        parse("wrong_answer/y.diff", text)
    assert "wrong_answer/y.diff" in str(caught.value)


def test_a_base_that_is_missing_is_named(lab: Path) -> None:
    path = _pack(lab, base="sum.cc")
    (lab / "sum.cc").unlink()
    with pytest.raises(GraderError, match=r"sum.cc is the base of wrong_answer/f5_off_by_one.diff"):
        Sample(path, Verdict.WRONG_ANSWER).read()


def test_a_sample_that_is_there_twice_is_an_error(lab: Path) -> None:
    _pack(lab)
    _write(lab, _FAULTY, _WRONG)
    with pytest.raises(GraderError, match=r"f5_off_by_one\.diff both exist"):
        samples(lab)


def test_packing_chooses_the_right_program_that_is_nearest(lab: Path) -> None:
    far = "return 9; /*\n" + "*/\n/*\n" * 4 + "*/"
    _write(lab, "accepted/other.cc", _BASE.replace("return 9;", far))
    _write(lab, _FAULTY, _WRONG.replace("return 9;", far))
    assert packed(lab, _FAULTY).base == "accepted/other.cc"


def test_packing_prefers_the_reference_to_one_that_is_hardly_nearer(lab: Path) -> None:
    near = _BASE.replace("return 5", "return 5 + 0")
    _write(lab, "accepted/other.cc", near)
    _write(lab, _FAULTY, near.replace("// The reference", "// Wrong").replace("f4()", "f4(int)"))
    assert packed(lab, _FAULTY).base == "sum.cc"


def test_packing_keeps_a_file_whole_that_has_little_in_common_with_others(lab: Path) -> None:
    _write(lab, _FAULTY, "// Wrong: everything.\n" + "int g() { return 0; }\n" * 9)
    assert not packed(lab, _FAULTY).is_worth_it


def test_carrying_over_follows_a_base_in_which_lines_moved(lab: Path) -> None:
    path = _pack(lab, base="sum.cc")
    _commit(lab)
    base = _BASE.replace("int f1", "// More\n// lines.\nint f1").replace("return 8", "return 4 + 4")
    _write(lab, "sum.cc", base)
    carried = carry(lab)
    assert (carried.carried, carried.failed) == (["wrong_answer/f5_off_by_one.diff"], {})
    assert "@@ -10 +10 @@ int f4()" in path.read_text()
    expected = base.replace("return 5", "return 6").split("\n", 2)[2]
    assert Sample(path, Verdict.WRONG_ANSWER).read().decode().split("\n", 1)[1] == expected
    assert carry(lab).unchanged == ["wrong_answer/f5_off_by_one.diff"]


def test_carrying_over_takes_bases_that_are_patches_first(lab: Path) -> None:
    _write(lab, _FAULTY, _WRONG.replace("return 9", "return 3 * 3"))
    _pack(lab, "accepted/other.cc", "sum.cc")
    path = _pack(lab, base="accepted/other.cc")
    _commit(lab)
    _write(lab, "sum.cc", _BASE.replace("int f0", "int g() { return 1; }\nint f0"))
    carried = carry(lab)
    assert carried.carried == ["accepted/other.diff", "wrong_answer/f5_off_by_one.diff"]
    whole = Sample(path, Verdict.WRONG_ANSWER).read().decode()
    assert all(part in whole for part in ("int g()", "return 3 * 3", "int f5() { return 6; }"))


def test_carrying_over_leaves_a_conflict_as_it_is_and_names_it(lab: Path) -> None:
    path = _pack(lab, base="sum.cc")
    _commit(lab)
    before = path.read_bytes()
    _write(lab, "sum.cc", _BASE.replace("return 5", "return 2 + 3"))
    carried = carry(lab)
    assert list(carried.failed) == ["wrong_answer/f5_off_by_one.diff"]
    assert "1 conflicts with changes of sum.cc" in str(carried.failed)
    assert path.read_bytes() == before
    merged = merge(lab, parse("wrong_answer/f5_off_by_one.diff", path.read_text()))
    assert "<<<<<<<" in merged.text


def test_carrying_over_reports_a_patch_that_fits_no_committed_base(lab: Path) -> None:
    path = _pack(lab, base="sum.cc")
    path.write_text(path.read_text().replace("return 5", "return 55"))
    (reason,) = carry(lab).failed.values()
    assert "applies to no committed version of sum.cc" in reason
