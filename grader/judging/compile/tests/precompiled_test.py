"""Headers that many submissions begin with are compiled once."""

from pathlib import Path

import pytest

from grader.judging.compile import build
from grader.judging.compile.precompiled import WORTH, PrecompiledHeaders, split_text
from grader.model.manifest import Headers, Kit, load_kit
from grader.proof.fakes.fake_kit import make_kit
from grader.sandbox.processes import Processes
from grader.sandbox.run_in_jail import Outcome

OWN = b"int Sum() { return kSum; }\n"


def text_of(line: int, between: bytes = b"\n") -> bytes:
    """A file that includes sum.h in that line, as a compiler preprocesses it."""
    return b"".join(
        [
            b'# 0 "/submission/sum.cc"\n# 0 "<command-line>"\n# 1 "/submission/sum.cc"\n',
            between * (line - 1),
            b'# 1 "/kit/include/sum.h" 1\nconstexpr int kSum = 1;\n',
            b'# %d "/submission/sum.cc" 2\n' % (line + 1) + OWN,
        ]
    )


def test_the_same_headers_are_the_same_text_wherever_a_file_includes_them() -> None:
    one, other = split_text(text_of(3)), split_text(text_of(30))
    assert one
    assert other
    assert one.headers == other.headers
    assert one.headers.endswith(b"constexpr int kSum = 1;\n")
    assert one.first == b'# 0 "/submission/sum.cc"\n'
    assert one.own == b'# 4 "/submission/sum.cc"\n' + OWN
    assert other.own == b'# 31 "/submission/sum.cc"\n' + OWN


@pytest.mark.parametrize("text", [OWN, b"", text_of(2, b"struct Own;\n")])
def test_a_files_own_text_is_never_taken_for_headers(text: bytes) -> None:
    assert split_text(text) is None


def test_headers_behind_a_files_own_text_stay_there() -> None:
    text = text_of(2) + b'# 1 "/usr/include/late.h" 1 3\nint late;\n# 9 "/submission/sum.cc" 2\n'
    split = split_text(text)
    assert split
    assert b"late" not in split.headers
    assert split.own == b'# 3 "/submission/sum.cc"\n' + text[text.index(OWN) :]


def test_headers_are_compiled_once_they_pay_and_for_one_build(tmp_path: Path) -> None:
    headers = PrecompiledHeaders(tmp_path / "headers")
    made: list[bytes] = []

    def make(folder: Path) -> bool:
        made.append((folder / "text.ii").read_bytes())
        return True

    found = [headers.find("tests", b"int a;\n", make) for _ in range(WORTH + 1)]
    assert found[: WORTH - 1] == [None] * (WORTH - 1)
    assert found[-1] is not None
    assert found[-1] == found[-2]
    assert headers.find("races", b"int a;\n", make) is None
    assert headers.find("tests", b"int b;\n", make) is None
    assert made == [b"int a;\n"]


def test_headers_that_do_not_compile_are_not_tried_again(tmp_path: Path) -> None:
    headers = PrecompiledHeaders(tmp_path / "headers")
    tried: list[Path] = []

    def fail(folder: Path) -> bool:
        tried.append(folder)
        return False

    assert {headers.find("tests", b"int a;\n", fail) for _ in range(2 * WORTH)} == {None}
    assert len(tried) == 1
    assert not tried[0].exists()


@pytest.mark.parametrize(
    ("said", "is_used"),
    [
        (Outcome(outcome="exited"), True),
        (Outcome(outcome="exited", output="sum.cc:4: warning: unused"), False),
        (Outcome(outcome="exited", code=1), False),
        (Outcome(outcome="memory_limit"), False),
    ],
)
def test_what_a_compiler_says_does_not_depend_on_other_submissions(
    said: Outcome, is_used: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = ["g++", "/out/sum.ii", "-o", "/out/sum.o"]
    plan = Headers(
        step=step,
        text="/out/sum.ii",
        make=["make"],
        use=["use", "-o", "/out/sum.o"],
        begins="#pragma begin\n",
    )
    kit = with_headers(load_kit(make_kit(tmp_path)), plan)
    headers = PrecompiledHeaders(tmp_path / "headers")
    split = split_text(text_of(2))
    assert split
    for _ in range(WORTH):
        headers.find("tests", split.headers, lambda _: True)
    work = build.Workspace(tmp_path, kit, b"", headers)
    out = work.out("tests")
    (out / "sum.ii").write_bytes(text_of(2))

    def run(*arguments: object, **_: object) -> Outcome:
        assert arguments[3] == plan.use
        (out / "sum.o").touch()
        return said

    monkeypatch.setattr(build, "_run", run)
    outcome = build._run_with_headers(Processes(), kit, "tests", step, work, out)
    assert (outcome == said) is is_used
    assert (out / "sum.o").exists() is is_used
    own = (tmp_path / "own_tests" / "text.ii").read_bytes()
    assert own == split.first + b"#pragma begin\n" + split.own


def with_headers(kit: Kit, plan: Headers) -> Kit:
    tests = kit.manifest.builds["tests"].model_copy(update={"headers": plan})
    manifest = kit.manifest.model_copy(update={"builds": {"tests": tests}})
    return kit.model_copy(update={"manifest": manifest})
