"""Attacks that are too large, or whose bytes are too unusual, to be stored as files."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from grader.model.verdict import Verdict


def generated(aim: str) -> Iterator[tuple[Verdict, str, str]]:
    """The verdict, name and text of each one of this aim."""
    for verdict, make in _MAKERS.get(aim, ()):
        yield verdict, make.__name__, make()


def many_errors() -> str:
    return "// Hostile: 1,500 errors, to fill the store; compiler output is truncated.\n" + "".join(
        f"int f{i}() {{ return undeclared_{i}; }}\n" for i in range(1500)
    )


def one_long_line() -> str:
    return (
        "// Hostile: an error in a line of 60,000 letters; each line of output is truncated.\n"
        f"int f() {{ return {'x' * 60_000}; }}\n"
    )


def zero_byte() -> str:
    return (
        "// Hostile: hides an include behind a zero byte; a file with one is not text.\n"
        "\0#include </etc/passwd>\n"
    )


def not_utf8() -> str:
    return (
        "// Hostile: hides a word behind bytes that are not UTF-8; such a file is refused.\n\n"
        "// \udcff\udcfe\nint as\udcc0m;\n"
    )


def nested_brackets() -> str:
    return (
        "// Hostile: 20,000 nested brackets, to overflow the compiler's stack; it is in the jail.\n"
        f"int f() {{ return {'(' * 20_000}0{')' * 20_000}; }}\n"
    )


def many_symbols() -> str:
    names = "".join(f"X(a{i:03})" for i in range(600))
    digits = "".join(f"Y(n##{i:03})" for i in range(400))
    return (
        "// Hostile: 240,000 symbols, to make reading them slow; their number is limited.\n"
        "// Or: compile_error, memory_limit\n"
        f"#define Y(n) char n;\n#define X(n) {digits}\n{names}\n"
    )


def many_includes() -> str:
    return (
        "// Hostile: includes a header 3,300 times, to slow the compiler; compiling has limits.\n"
        "// Or: compile_error\n" + "#include <cstdint>\n" * 3300
    )


_MAKERS: dict[str, tuple[tuple[Verdict, Callable[[], str]], ...]] = {
    "compile": (
        (Verdict.COMPILE_ERROR, many_errors),
        (Verdict.COMPILE_ERROR, one_long_line),
        (Verdict.POLICY, zero_byte),
        (Verdict.POLICY, not_utf8),
        (Verdict.ACCEPTED, many_includes),
        (Verdict.COMPILE_ERROR, nested_brackets),
        (Verdict.POLICY, many_symbols),
    ),
}
