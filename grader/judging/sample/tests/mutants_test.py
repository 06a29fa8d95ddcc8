"""Mutants of a reference, and those that are declared equivalent."""

from pathlib import Path

import pytest

from grader.judging.sample.equivalents import FILE, load_equivalents
from grader.judging.sample.mutants import Mutant, mutants
from grader.model.errors import GraderError


def changed(source: str) -> list[str]:
    return [mutant.after for mutant in mutants(source)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("if (a < b) f();", ["if (a <= b) f();"]),
        ("x = a + b;", ["x = a - b;"]),
        ("x += a;", ["x -= a;"]),
        ("return a && b;", ["return a || b;"]),
        ("f(7);", ["f(6);", "f(8);"]),
        ("f(0);", ["f(1);"]),
        ("f(true);", ["f(false);"]),
        ("  __syncthreads();", [""]),
        ("#pragma omp barrier", [""]),
        ("x.load(std::memory_order_acquire);", ["x.load(std::memory_order_relaxed);"]),
        ("while (full) pthread_cond_wait(&c, &m);", ["if (full) pthread_cond_wait(&c, &m);"]),
        ("pthread_cond_broadcast(&c);", ["pthread_cond_signal(&c);", ";"]),
        ("#pragma omp scan inclusive(sum)", ["#pragma omp scan exclusive(sum)"]),
    ],
)
def test_changes_operators_bounds_and_barriers_one_at_a_time(
    line: str, expected: list[str]
) -> None:
    assert changed(f"{line}\n") == expected


@pytest.mark.parametrize(
    "line",
    [
        "std::vector<int> values;",
        "int* p = &x;",
        "// a < b + 1",
        "while (next()) f();",
        "x.load(std::memory_order_relaxed);",
        "/* 1 */",
        'puts("a + 1");',
        "char c = '0';",
        "#include <array>",
        "#pragma omp parallel for reduction(+ : sum) schedule(static, 4)",
        "double half = 0.5;",
        "Kernel<<<blocks, threads, 0, stream>>>(x);",
        "float x1 = y2;",
        "static_assert(sizeof(int) == 4);",
    ],
)
def test_leaves_alone_what_is_no_operator_and_no_bound(line: str) -> None:
    assert changed(f"{line}\n") == []


def test_a_mutant_is_the_whole_source_with_one_change_and_says_where() -> None:
    source = "int f(int a) {\n  return a + a;\n}\n"
    assert mutants(source) == [
        Mutant(2, "return a + a;", "return a - a;", "int f(int a) {\n  return a - a;\n}\n")
    ]


def test_code_after_a_directive_that_goes_on_is_changed() -> None:
    source = "#pragma omp parallel for \\\n    schedule(static, 4)\nx = y - z;\n"
    assert [(mutant.line, mutant.after) for mutant in mutants(source)] == [(3, "x = y + z;")]


def test_an_equivalent_covers_the_one_mutant_that_it_names(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('["f is 0"]\n"if (a @<@ b) f();" = "<="\n"f(@7@);" = ["6", "8"]\n')
    one, *others = load_equivalents(tmp_path)
    assert one.covers(mutants("if (a < b) f();\n")[0])
    assert not one.covers(mutants("if (a > b) f();\n")[0])
    assert [other.after for other in others] == changed("f(7);\n")


def test_a_lab_without_the_file_has_no_equivalents(tmp_path: Path) -> None:
    assert load_equivalents(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1\n", "a: Input should be a valid dictionary"),
        ("['']\n'@a@' = 'b'\n", "at least 1 character"),
        ("[why]\n'@a@' = []\n", r"why\.@a@: Value should have at least 1 item"),
        ("[why]\n'a < b' = '<='\n", r"why\.a < b\.\[key\]: String should match pattern"),
        ("[[why]\n", FILE),
    ],
)
def test_a_broken_file_is_named_with_its_fault(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(GraderError, match=said):
        load_equivalents(tmp_path)
