"""The public test refuses at home what the grader refuses in a file, in the same words."""

from pathlib import Path

import pytest

from common.lab.programming_models.model import ProgrammingModel
from common.lab.programming_models.models import MODELS
from common.lab.refusals.show import Compilers, main, problems, read_rules
from common.lab.text_policy.policy import allowed_headers
from grader.judging.compile.kit_rules import rules_of
from grader.model.lab import load_lab
from grader.model.manifest import load_kit
from grader.proof.fakes.fake_kit import make_kit

LABS = sorted(Path("labs").resolve().glob("*/lab.toml"))
GXX = ["g++", "-std=c++20", "-fopenmp", "-I.", "-E"]
LAB_TOML = """
file = "sum.cc"
model = "cpu"
[limits]
source_kb = 1
[policy]
includes = ["vector", "cstdlib"]
words = ["atomic"]
needed = [["pthread_create", "_ZNSt6thread*"]]
forbidden = ["GOMP_*"]
[[parts]]
function = "Sum"
[[parts]]
function = "Wait"
needed = [["sem_*wait"]]
"""


@pytest.fixture(autouse=True)
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lab's folder in a workspace, which is the current folder."""
    folder = tmp_path / "workspace" / "labs" / "fake_sum"
    folder.mkdir(parents=True)
    (folder / "lab.toml").write_text(LAB_TOML, encoding="utf-8")
    (folder / "sum.h").write_text("#pragma once\ninline int kSum = 1;\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "workspace")
    return folder


def found(source: str | bytes, *more: list[str]) -> list[str]:
    path = Path("labs/fake_sum/sum.cc")
    path.write_bytes(source if isinstance(source, bytes) else source.encode())
    rules = read_rules(Path("labs/fake_sum/lab.toml"), ["labs/fake_sum/sum.h"])
    return problems(path, rules, Compilers([GXX, *more], ["false"]))


def test_accepts_the_labs_header_under_both_names_and_any_bytes_in_comments() -> None:
    source = b'#include "sum.h"\n#include "labs/fake_sum/sum.h"\n// caf\xe9\nint a = kSum;\n'
    assert found(source) == []


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (
            "#include <chrono>\n",
            "sum.cc:1: #include <chrono> is not allowed in this lab; these headers are: vector, "
            "cstdlib",
        ),
        ("int a;\nint atomic;\n", "sum.cc:2: atomic is not allowed in a submission"),
        (
            "#define GLUE(a, b) a##b\nint GLUE(ato, mic);\n",
            "sum.cc:2: atomic is not allowed in a submission",
        ),
        (b'auto a = "\xe9";\n', "sum.cc:1: byte 0xe9 is not UTF-8: save the file as UTF-8"),
        ("//" * 1024, "sum.cc has 2 KB, limit 1 KB"),
        (
            "#define inline __attribute__((cold)) inline\n#include <cstdlib>\nint a;\n",
            "sum.cc: a #define changes a header that is included after it: put every #include "
            "before it",
        ),
    ],
)
def test_names_what_the_grader_refuses(source: str | bytes, problem: str) -> None:
    assert found(source) == [problem]


def test_accepts_a_macro_before_an_include_that_changes_no_header() -> None:
    assert found('#define TILE 16\n#include <cstdlib>\n#include "sum.h"\nint a = TILE;\n') == []


def test_names_the_line_in_which_another_build_differs() -> None:
    (problem,) = found("int a;\n#ifdef CHECKED\nint b;\n#endif\n", [*GXX, "-DCHECKED"])
    assert problem.startswith("sum.cc:3: this line differs in the builds that check or count")


def test_leaves_to_the_compiler_what_does_not_compile() -> None:
    assert found('#include "labs/fake_sum/sum.h"\n#error "unfinished"\n') == []


WRITTEN = """\
#include <cstdlib>
extern "C" int pthread_create();
int Sum(int n) { return n + pthread_create(); }
"""
STUB = """\
namespace lab { class NotWritten {}; }
int Wait(int) { throw lab::NotWritten(); }
"""
WAITS = 'extern "C" int sem_wait();\nint Wait(int) { return sem_wait() + pthread_create(); }\n'


def symbol_problems(source: str) -> list[str]:
    path = Path("labs/fake_sum/sum.cc")
    path.write_text(source, encoding="utf-8")
    rules = read_rules(Path("labs/fake_sum/lab.toml"), [])
    compiler = ["g++", "-std=c++20", "-ffunction-sections", "-fopenmp", "-fPIC"]
    return problems(path, rules, Compilers([GXX], [*compiler, "-x", "c++-cpp-output", "-c"]))


def test_accepts_a_file_that_uses_what_the_lab_asks_for() -> None:
    assert symbol_problems(WRITTEN + WAITS) == []


def test_asks_for_nothing_where_the_stub_still_stands() -> None:
    assert symbol_problems(WRITTEN + STUB) == []
    assert symbol_problems(STUB + STUB[STUB.index("int") :].replace("Wait", "Sum")) == []


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (
            "int Sum(int n) { return n; }\n" + STUB,
            "Sum in sum.cc does not use pthread_create or std::thread, which this part asks for",
        ),
        (
            "int Sum(int n) { return n; }\nint Wait(int n) { return n; }\n",
            "sum.cc does not use pthread_create or std::thread, which this lab asks for",
        ),
        (
            WRITTEN + "int Wait(int) { return pthread_create(); }\n",
            "Wait in sum.cc does not use sem_wait, which this part asks for",
        ),
        (
            WRITTEN + WAITS + 'extern "C" int fork();\nint other() { return fork(); }\n',
            "sum.cc:6 uses fork, which this lab does not allow: do without it; "
            "your instructor can allow it in lab.toml",
        ),
    ],
)
def test_names_functions_that_are_refused_or_missing(source: str, problem: str) -> None:
    assert symbol_problems(source) == [problem]


def test_writes_a_line_for_each_problem(lab: Path) -> None:
    (lab / "sum.cc").write_text("#include <map>\n#include <set>\n", encoding="utf-8")
    Path("headers").write_text("labs/fake_sum/sum.h\n", encoding="utf-8")
    Path("gxx").write_text("\n".join(GXX), encoding="utf-8")
    options = ["--source", "labs/fake_sum/sum.cc", "--lab-toml", "labs/fake_sum/lab.toml"]
    options += ["--headers", "headers", "--preprocessor", "gxx", "--compiler", "gxx"]
    options += ["--out", "problems"]
    assert main(options) == 0
    lines = Path("problems").read_text(encoding="utf-8").splitlines()
    assert [line.partition(" is ")[0] for line in lines] == [
        "sum.cc:1: #include <map>",
        "sum.cc:2: #include <set>",
    ]


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_the_usual_headers_are_those_of_the_programming_model(model: ProgrammingModel) -> None:
    policy = model.policy
    assert "vector" in policy.usual_headers
    assert allowed_headers(["usual", "deque"], policy) == (*policy.usual_headers, "deque")
    assert allowed_headers(["deque"], policy) == ("deque",)
    assert allowed_headers([], policy) == ()


@pytest.mark.parametrize("path", LABS, ids=lambda path: path.parent.name)
def test_reads_the_rules_of_every_lab_as_the_grader_does(path: Path, tmp_path: Path) -> None:
    kit, lab = load_kit(make_kit(tmp_path / "kit")), load_lab(path)
    names = {"lab": path.parent.name, "file": lab.file, "model": lab.model}
    manifest = kit.manifest.model_copy(update=names)
    rules = rules_of(kit.model_copy(update={"lab": lab, "manifest": manifest}))
    assert read_rules(path, sorted(rules.headers)) == rules


def test_sees_every_lab() -> None:
    assert len(LABS) >= 20
