"""The symbols that one function of an object file can reach."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from common.lab.object_policy.symbol_policy import check_symbols, missing_symbols
from common.lab.object_policy.symbols import Symbols, read_symbols
from grader.judging.compile.kit_rules import rules_of
from grader.model.manifest import Kit, load_kit
from grader.proof.fakes.fake_kit import make_kit

USES = 'extern "C" void needed();\n'


def compiled(folder: Path, code: str, *flags: str) -> Symbols:
    path = folder / "a.o"
    command = ["g++", "-O2", "-fopenmp", "-fPIC", *flags, "-x", "c++", "-c", "-", "-o", str(path)]
    subprocess.run(command, input=f"{USES}{code}".encode(), check=True)
    return read_symbols(path)


def sections(folder: Path, code: str) -> Symbols:
    return compiled(folder, code, "-ffunction-sections")


def test_separates_a_functions_symbols_from_those_of_its_neighbours(tmp_path: Path) -> None:
    code = "void Sum() { needed(); }\nvoid Max() {}\nvoid SumMany() {}\nvoid Sum(int) {}"
    symbols = sections(tmp_path, code)
    assert "needed" in symbols.used_by("Sum")
    assert "needed" not in symbols.used_by("Max") | symbols.used_by("SumMany")


@pytest.mark.parametrize(
    "code",
    [
        "[[gnu::noinline]] static void help(int n) { if (n) help(n - 1); needed(); }\n"
        "void Sum() { help(3); help(4); }",
        "void Sum() {\n#pragma omp parallel\n  needed();\n}",
        "extern void run(void (*)());\nstatic void step() { needed(); }\nvoid Sum() { run(step); }",
        "struct A { virtual ~A() {} virtual void f() { needed(); } };\n"
        "extern void run(A&);\nvoid Sum() { A a; run(a); }",
        "struct Pool { Pool() { needed(); } } pool;\nvoid Sum() {}",
        "static void step() { needed(); }\nvoid (*table[])() = {step};\nvoid Sum() { table[0](); }",
        "template <class T> void f(T) { needed(); }\nvoid Sum() { f(1); }",
    ],
    ids=["call", "region", "address", "virtual", "initialiser", "table", "template"],
)
def test_follows_what_a_function_calls_or_takes_the_address_of(tmp_path: Path, code: str) -> None:
    symbols = sections(tmp_path, f"{code}\nvoid Max() {{}}")
    assert "needed" in symbols.used_by("Sum")
    assert ("needed" in symbols.used_by("Max")) == ("pool" in code)


def test_falls_back_to_the_symbols_of_the_whole_object(tmp_path: Path) -> None:
    code = "void Sum() { needed(); }\nvoid Max() {}"
    assert "needed" in compiled(tmp_path, code).used_by("Max")
    assert "needed" in sections(tmp_path, code).used_by("Other")


def test_a_parts_own_function_must_reach_the_required_symbols(tmp_path: Path) -> None:
    kit: Kit = load_kit(make_kit(tmp_path / "kit"))
    rules, groups = rules_of(kit), (("needed",),)
    plain = rules.parts[0]
    asking = replace(plain, needed=groups)
    theirs = sections(tmp_path, f"void {plain.function}() {{}}\nvoid Other() {{ needed(); }}")
    own = sections(tmp_path, f"void {plain.function}() {{ needed(); }}")
    for needed, part in (((), asking), (groups, plain)):
        asked = replace(rules, needed=needed)
        assert missing_symbols(theirs, asked) == []
        assert missing_symbols(theirs, asked, part) == [
            f"{plain.function} in sum.cc does not use needed, which this part asks for"
        ]
        assert missing_symbols(own, asked, part) == []


def test_refuses_kernels_what_only_the_host_has(tmp_path: Path) -> None:
    code = """#include <cstring>
namespace cudasim { template <class Body> void RunThreads(const char* a) { Body{}(a); } }
[[gnu::noinline]] static int Same(const char* a, int n) { return std::memcmp(a, a + n, n); }
struct K { void operator()(char const* a) const { if (Same(a, *a)) throw a; } };
template void cudasim::RunThreads<K>(const char*);
int Host(const char* a) { return std::strcmp(a, a + 1); }
"""
    rules = rules_of(load_kit(make_kit(tmp_path / "kit")))
    symbols = sections(tmp_path, code)
    assert {"memcmp", "strcmp"} <= symbols.undefined
    assert check_symbols(symbols, rules) == [
        "sum.cc uses memcmp in a kernel: kernels may call only what CUDA has: write a loop over "
        "the elements"
    ]
