"""Attacks that are too large, or whose bytes are too unusual, to be stored as files."""

from collections.abc import Callable, Iterator

from grader.model.verdict import Verdict


def generated(aim: str) -> Iterator[tuple[Verdict, str, str]]:
    """The verdict, name and text of each one of this aim."""
    for verdict, make in _MAKERS.get(aim, ()):
        yield verdict, make.__name__, make()


def many_errors() -> str:
    head = (
        "// Hostile: 1,000 errors, the first in a line of 20,000 letters, to fill the store;\n"
        "// compiler output and its lines are truncated.\n"
        f"int f() {{ return {'x' * 20_000}; }}\n"
    )
    return head + "".join(f"int f{i}() {{ return undeclared_{i}; }}\n" for i in range(1000))


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


_MAKERS: dict[str, tuple[tuple[Verdict, Callable[[], str]], ...]] = {
    "compile": (
        (Verdict.COMPILE_ERROR, many_errors),
        (Verdict.POLICY, not_utf8),
        (Verdict.COMPILE_ERROR, nested_brackets),
        (Verdict.POLICY, many_symbols),
    )
}
