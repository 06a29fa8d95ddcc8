"""Notes on a data race name a guard without a name, and variables that a team shares."""

import pytest

from common.lab.race_checker.race_notes import lost_copies, notes


def noted(text: str, line: int, *, on_stack: bool = True) -> list[str]:
    return notes(text.splitlines(), [line, line], "sum.cc", on_stack=on_stack)


@pytest.mark.parametrize(
    "guard",
    [
        "std::lock_guard{m};",
        "std::lock_guard<std::mutex>{m};",
        "std::scoped_lock(m, other);",
        "unique_lock<mutex>(m);",
    ],
)
def test_a_guard_without_a_name(guard: str) -> None:
    found = noted(f"void F() {{\n  {guard}\n  total += 1;\n}}", 3)
    assert len(found) == 1
    assert "at sum.cc:2 has no name" in found[0]


@pytest.mark.parametrize(
    "guard", ["std::lock_guard lock(m);", "const std::scoped_lock lock{m};", "lock_guard<M> l(m);"]
)
def test_a_guard_with_a_name_is_not_blamed(guard: str) -> None:
    assert noted(f"void F() {{\n  {guard}\n  total += 1;\n}}", 3) == []


def test_a_guard_of_another_function_is_not_blamed() -> None:
    assert noted("void F() {\n  std::lock_guard{m};\n}\nvoid G() {\n  total += 1;\n}", 5) == []


LOOP = """void F() {{
  int i, j = 0;
#pragma omp parallel for{clause}
  for (i = 0; i < n; ++i) {{
    for ({index} = 0; j < n; ++j) {{
      t = a[i];
    }}
  }}
}}"""


@pytest.mark.parametrize("line", [3, 5])
def test_an_inner_index_that_the_team_shares(line: int) -> None:
    found = noted(LOOP.format(clause="", index="j"), line)
    assert len(found) == 1
    assert found[0].startswith("j, declared at sum.cc:2, is shared by the team: ")


@pytest.mark.parametrize(
    ("clause", "index", "on_stack"),
    [
        (" private(j)", "j", True),
        (" private(t, j)", "j", True),
        (" reduction(+ : j)", "j", True),
        ("", "int j", True),
        ("", "j", False),
    ],
)
def test_an_index_of_each_thread_is_not_blamed(clause: str, index: str, on_stack: bool) -> None:
    assert noted(LOOP.format(clause=clause, index=index), 5, on_stack=on_stack) == []


def test_a_temporary_that_the_team_shares() -> None:
    text = "void F() {\n  double t;\n#pragma omp parallel for\n  for (int i = 0; i < n; ++i) {\n"
    found = noted(f"{text}    t = a[i];\n    b[i] = t;\n  }}\n}}", 5)
    assert len(found) == 1
    assert found[0].startswith("t, declared at sum.cc:2, is shared by the team: ")


@pytest.mark.parametrize(
    ("directive", "line", "note"),
    [
        ("single nowait", 5, "the single at sum.cc:4 has nowait: "),
        ("master", 5, "the master at sum.cc:4 ends without a barrier: "),
        ("single", 5, ""),
        ("critical(a)", 5, ""),
        ("single nowait", 6, "done, declared at sum.cc:1, is shared by the team: "),
    ],
)
def test_what_one_thread_changes_is_not_to_be_private(directive: str, line: int, note: str) -> None:
    text = (
        f"int done = 0;\n#pragma omp parallel\n{{\n#pragma omp {directive}\n  ++done;\n  ++done;\n"
    )
    assert "".join(noted(text + "}\n", line)).startswith(note)
    assert bool(noted(text + "}\n", line)) is bool(note)


@pytest.mark.parametrize(
    ("first", "second", "note"),
    [
        (
            "(a)",
            " ( b ) hint(1)",
            "critical(a) at sum.cc:3 and critical(b) at sum.cc:5 are different",
        ),
        ("", "(b)", "the critical without a name at sum.cc:3 and critical(b) at sum.cc:5 are "),
        ("(a)", "(a)", ""),
        ("", "", ""),
    ],
)
def test_critical_sections_with_different_names(first: str, second: str, note: str) -> None:
    text = (
        f"void F() {{\n#pragma omp parallel\n#pragma omp critical{first}\n  total += 1;\n"
        f"#pragma omp critical{second}\n  {{\n    total += 2;\n  }}\n}}"
    )
    found = "".join(notes(text.splitlines(), [4, 7], "sum.cc", on_stack=False))
    assert found.startswith(note)
    assert bool(found) is bool(note)


@pytest.mark.parametrize(
    ("text", "is_of_format"),
    [
        ("std::cout << name << std::setw(2) << std::hex << t;", True),
        ("cerr << std::fixed << x;", True),
        ("std::cout << set_size << x.hex;", False),
        ("line << std::setw(2) << t;", False),
    ],
)
def test_a_stream_whose_format_all_threads_share(text: str, *, is_of_format: bool) -> None:
    found = noted(text, 1)
    assert bool(found) == is_of_format
    stream, changes = ("cout", "setw") if "setw" in text else ("cerr", "fixed")
    said = f"all threads share the format of std::{stream}, which {changes} changes: "
    assert not is_of_format or found[0].startswith(said)


LOST = """double F() {{
  double t = 0;
#pragma omp parallel for {clause}
  for (int i = 0; i < n; ++i) {{
    t += a[i];
  }}
  {after};
}}
double G() {{ return t; }}
"""


@pytest.mark.parametrize(
    ("clause", "after", "is_lost"),
    [
        ("firstprivate(t)", "return t", True),
        ("schedule(static) private(u, t)", "return 2 * t", True),
        ("reduction(+ : t)", "return t", False),
        ("firstprivate(u)", "return t", False),
        ("firstprivate(t) ", "return u", False),
        ("private(t)", "t = 3", False),
    ],
)
def test_what_threads_add_to_copies_of_their_own(clause: str, after: str, *, is_lost: bool) -> None:
    found = lost_copies(LOST.format(clause=clause, after=after).splitlines(), "sum.cc")
    assert bool(found) == is_lost
    said = "t is private at sum.cc:3: what the threads add to their copies at sum.cc:5 is lost, "
    assert not is_lost or found.startswith(f"{said}and sum.cc:7 reads ")
