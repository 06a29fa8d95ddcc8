"""Reading and checking preprocessed text, and comparing that of two builds."""

import shutil
import subprocess
from pathlib import Path

import pytest

from common.lab.text_policy.header_macros import headers_differ, includes_alone
from common.lab.text_policy.policy import check_words
from common.lab.text_policy.preprocessed import (
    Preprocessed,
    TextError,
    dependent_lines,
    first_difference,
    read_preprocessed,
)
from grader.judging.compile.kit_rules import rules_of
from grader.model.manifest import Kit, load_kit
from grader.proof.fakes.fake_kit import make_kit

CLANG = shutil.which("clang++") or shutil.which("clang++-14")


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return load_kit(make_kit(tmp_path))


def preprocess(folder: Path, source: str, *command: str, name: str = "sum.ii") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "sum.cc").write_text(source, encoding="utf-8")
    out = folder / name
    arguments = [*(command or ("g++",)), "-std=c++20", "-fopenmp", "-E", f"{folder}/sum.cc"]
    subprocess.run([*arguments, "-o", str(out)], check=True, capture_output=True)
    return out


def read(folder: Path, source: str, *command: str) -> Preprocessed:
    return read_preprocessed(preprocess(folder, source, *command), str(folder / "sum.cc"))


def words(kit: Kit, folder: Path, source: str) -> list[str]:
    return check_words(source.encode(), read(folder, source), rules_of(kit))


def test_keeps_the_lines_of_the_students_file_and_nothing_of_headers(tmp_path: Path) -> None:
    text = read(tmp_path, "#include <climits>\n\n\nint a;\n" + "\n" * 20 + "int b = INT_MAX;\n")
    assert [(token.line, token.text) for token in text.own] == [
        *((4, "int"), (4, "a"), (4, ";")),
        *((25, "int"), (25, "b"), (25, "="), (25, "0x7fffffff"), (25, ";")),
    ]
    assert [Path(path).name for path in text.entered] == ["climits"]


@pytest.mark.parametrize(
    "source",
    [
        '#define GLUE(a, b) a##b\nvoid f() {\n  GLUE(as, m)("");\n}\n',
        "#define GLUE(a, b) a##b\n\n[[gnu::GLUE(no_, sanitize_thread)]] int f();\n",
        "#define P(a) _Pragma(#a)\n\nP(clang attribute push(x))\n",
        "#define P(a) _Pragma(#a)\n\nP(redefine_extname f dlsym)\n",
        "\n\n#pragma acc parallel loop\n",
        "\n\n#pragma omp metadirective when(implementation={vendor(llvm)}: parallel)\n",
        "#define V declare variant\n\n#pragma omp V(f) match(implementation={vendor(llvm)})\n",
        "#define P(a) _Pragma(#a)\n\nP(omp declare variant(f) match(device={kind(host)}))\n",
        "\n\n#pragma omp cancel parallel if (true)\n",
        "\n\nvoid f() { [[omp::directive(barrier)]]; }\n",
        "\n\nvoid f() { [[using omp: directive(barrier)]]; }\n",
        "#define GLUE(a, b) a##b\n\nvoid f() { GLUE(cuda, sim)::Profiles(); }\n",
        '#define GLUE(a, b) a##b\n\nextern "C" void GLUE(_, ZN7cudasim8ProfilesEv)();\n',
        "#define GLUE(a, b) a##b\n\nlong x = GLUE(sys, call)(39);\n",
        '\n\n[[gnu::section(".text.x")]] const char code[] = "x";\n',
        "\n\nconst char* name() { return __PRETTY_FUNCTION__; }\n",
        '\n\n#pragma GCC dependency "/etc/passwd"\n',
        "\n\n#pragma optionNobodyHasHeardOf\n",
        "\n\nusing Four [[clang::ext_vector_type(4)]] = int;\n",
        '\n\nint f(int n) __attribute__((const, enable_if(n > 0, "")));\n',
        "\n\nstruct __attribute__((packed)) S {};\n",
        "\n\n[[gnu::hot, using clang: nodebug]] int f();\n",
        '\n\nstatic long f(long) __attribute__((weakref("g")));\n',
        "#define GLUE(a, b) a##b\n\nbool same = GLUE(__buil, tin_constant_p)(1 + 1);\n",
        "\n\nvoid f(char* a) { __builtin_strcpy(a, a); }\n",
        "\n\nvoid f(int* a) { __scoped_atomic_store_n(a, 1); }\n",
        "\n\nvoid f(int* a) { __sync_fetch_and_umin(a, 1); }\n",
        "#include <type_traits>\n\nconstexpr bool f() { return std::is_constant_evaluated(); }\n",
    ],
)
def test_refuses_words_and_pragmas_that_macros_expand_to(
    kit: Kit, tmp_path: Path, source: str
) -> None:
    (problem,) = words(kit, tmp_path, source)
    assert problem.startswith("sum.cc:3: ")
    assert problem.endswith(" is not allowed in a submission")


def test_allows_ordinary_pragmas_and_what_macros_of_headers_stand_for(
    kit: Kit, tmp_path: Path
) -> None:
    source = (
        "#include <cassert>\nint acc = 0;\n#pragma omp parallel // acc\n{ assert(acc == 0); }\n"
        '#pragma GCC unroll 4\n#pragma region\n_Pragma("omp barrier")\n'
        "#define LOOP for\n#pragma omp LOOP\n#pragma omp section\nint section(int);\n"
        "#pragma omp threadprivate(acc)\n#pragma omp cancel LOOP\n"
        "#pragma omp cancellation point for\n"
        "#pragma omp declare reduction(+ : A : f())\n#ifndef __SUM_H\n#define __SUM_H\n#endif\n"
        '[[gnu::hot]] __attribute__((__aligned__(64), target("avx2"))) int* f(int a[]);\n'
        "[[maybe_unused]] int b[1][f([](int i) { return i; })[0]];\n"
        "int g(unsigned n) { return __builtin_popcount(n) + __sync_fetch_and_add(b[0], 1); }\n"
    )
    assert words(kit, tmp_path, source) == []


def test_refuses_a_file_that_was_included_by_a_directive_it_does_not_see(
    kit: Kit, tmp_path: Path
) -> None:
    text = read(tmp_path, "#include <climits>\n")
    (problem,) = check_words(b"int f();\n", text, rules_of(kit))
    assert problem.endswith("/climits is not allowed in a submission")


def test_refuses_a_text_of_endless_macros_without_reading_it_all(tmp_path: Path) -> None:
    doubled = "".join(f"#define A{n + 1} A{n} A{n}\n" for n in range(20))
    with pytest.raises(TextError, match="its macros expand to more than 1 MB of text"):
        read(tmp_path, "#define A0 int a;\n" + doubled + "A20\n")


ONE_PROGRAM = """\
#include <cassert>
#include <cfloat>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <omp.h>
#define LANES 4
int Most(int n) {
  assert(n < INT_MAX && n > LLONG_MIN && n < 0x10);
  std::fprintf(stderr, "%g %g", DBL_MAX, FLT_EPSILON);
#pragma omp parallel for num_threads(LANES) reduction(+ : n)
  for (int i = 0; i < LANES; ++i) n += static_cast<int>(UINT64_C(1) % SIZE_MAX);
  return n;
}
"""


@pytest.mark.skipif(CLANG is None, reason="no clang++ here")
def test_takes_a_program_as_the_same_for_compilers_that_spell_limits_differently(
    tmp_path: Path,
) -> None:
    assert CLANG
    one = read(tmp_path, ONE_PROGRAM)
    other = read(tmp_path, ONE_PROGRAM, CLANG, "-fsanitize=thread")
    assert one.own != other.own
    assert first_difference(one.own, other.own) is None


@pytest.mark.parametrize(
    "different",
    [
        "#ifdef WATCHED\nint watched;\n#endif\n",
        "#ifndef WATCHED\nint unwatched;\n#endif\n",
        "int a = 1 WATCHED_ONLY;\n",
        "#define TEXT(a) #a\n#define SAID(a) TEXT(a)\nconst char* a = SAID(LIMIT);\n",
        "#define GLUE(a, b) a##b\n#define GLUED(a, b) GLUE(a, b)\ndouble a = GLUED(LIMIT, e0);\n",
    ],
)
def test_names_the_line_from_which_on_builds_differ(tmp_path: Path, different: str) -> None:
    source = "int first;\n" + different
    plain = ("g++", "-DLIMIT=0x7fffffff", "-DWATCHED_ONLY=")
    watched = ("g++", "-DLIMIT=2147483647", "-DWATCHED_ONLY=+1", "-DWATCHED")
    one = read(tmp_path / "one", source, *plain)
    other = read(tmp_path / "other", source, *watched)
    last = source.count("\n")
    assert first_difference(one.own, other.own) in (last - 1, last)


@pytest.mark.parametrize(
    "line",
    [
        "#ifdef __NVCC__\nint fast;\n#endif",
        "#ifndef __CUDA_ARCH__\nint fast;\n#endif",
        "#define GLUE(a, b) a##b\n#if GLUE(__NV, CC__)\nint fast;\n#endif",
        "\nint toolkit = CUDART_VERSION;",
        "#define V __CUDACC_VER_MAJOR__",
    ],
)
def test_sees_that_a_line_depends_on_the_compiler_of_a_cuda_file(tmp_path: Path, line: str) -> None:
    assert cuda_lines(tmp_path, f"int a;\n{line}\n") != []


def test_takes_macros_that_headers_define_in_their_own_ways_as_the_same(tmp_path: Path) -> None:
    text = "#define N 3\n#if N > 2\n__global__ void f() { /* N */ int a[N]; }\n#endif\n"
    assert cuda_lines(tmp_path, text) == []


def cuda_lines(folder: Path, source: str) -> list[int]:
    nvcc = ("-D__NVCC__", "-D__CUDACC_VER_MAJOR__=13", "-D__global__=__attribute__((unused))")
    compilers = {
        "simulator": ("-D__CUDA_ARCH__=900", "-D__global__="),
        "device": ("-D__CUDA_ARCH__=900", *nvcc),
        "host": nvcc,
    }
    return dependent_lines(
        [
            read(folder / name, source, "g++", "-fdirectives-only", *options)
            for name, options in compilers.items()
        ]
    )


def test_sees_a_macro_that_changes_a_header(tmp_path: Path) -> None:
    source = "#define inline __attribute__((cold)) inline\n#include <cstdlib>\nint a;\n"
    alone = includes_alone(source)
    assert alone == "#include <cstdlib>\n"
    one, other = preprocess(tmp_path / "a", source), preprocess(tmp_path / "b", alone)
    other_text = other.read_text(encoding="utf-8").replace(f"{tmp_path}/b/", f"{tmp_path}/a/")
    other.write_text(other_text, encoding="utf-8")
    assert headers_differ(one, other, f"{tmp_path}/a/sum.cc")


def test_accepts_macros_that_do_not_change_the_headers_after_them(tmp_path: Path) -> None:
    source = (
        "#define NDEBUG\n#define TILE \\\n  16\n#include <cassert>\n#include <cstdlib>\nint a;\n"
    )
    alone = includes_alone(source)
    assert alone == "#define NDEBUG\n#include <cassert>\n#include <cstdlib>\n"
    one, other = preprocess(tmp_path / "a", source), preprocess(tmp_path / "b", alone)
    other_text = other.read_text(encoding="utf-8").replace(f"{tmp_path}/b/", f"{tmp_path}/a/")
    other.write_text(other_text, encoding="utf-8")
    assert not headers_differ(one, other, f"{tmp_path}/a/sum.cc")


def test_compares_no_headers_if_the_includes_come_first() -> None:
    assert includes_alone("#include <vector>\n#define TILE 16\n#undef TILE\nint a;\n") is None


def test_refuses_a_text_without_markers(tmp_path: Path) -> None:
    (tmp_path / "sum.ii").write_text("int x;\n", encoding="utf-8")
    with pytest.raises(TextError, match="no line markers"):
        read_preprocessed(tmp_path / "sum.ii", "/submission/sum.cc")
