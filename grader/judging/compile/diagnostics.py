"""Makes what a student is told of the output of compilers and the linker.

Compilers quote whatever files they read. So only messages about the student's own file and the
headers that students have pass, each with its line from the submission; of other headers only
errors and warnings, without the header's path and text. The linker's errors are told in sentences
of our own. All other lines are dropped, those about what the grader makes of the file among them.
"""

import re
from collections.abc import Iterator

_PLACED = re.compile(
    r"(?P<file>[^\s:(][^:(]*)(?::(?P<line>\d+)(?::(?P<column>\d+))?|\((?P<edg>\d+)\)): (?P<text>.*)"
)
_PROBLEM = re.compile(r"(?:fatal error|error|warning|internal compiler error|sorry, unimpl)\b")
# Beside problems; the lines of a chain of templates are indented.
_MORE = re.compile(r"note: |  \S")
_CONTEXT = re.compile(r"(?P<file>[^\s:]+): (?:In|At) [^\n]*:$")
_INCLUDED = re.compile(r"(?:In file included| +) ?from (?P<file>[^:]+):(?P<line>\d+)")
_ADVICE = "  next: "  # the second line of an error of the simulator's rewriter
_FULL = re.compile(r"\w+: (?:out of memory|virtual memory exhausted)")
_CALLED_BY_LAB = re.compile(r"lab/exports/exports\.h:\d+: undefined reference to `(.*)'$")
_UNDEFINED = re.compile(r": undefined reference to `(.*)'$")
_DEFINED_TWICE = re.compile(r": multiple definition of `(.*?)'")
_LINE_END = re.compile(r"\r\n?|\n")


def tell_student(output: str, name: str, source: str) -> str:
    """The messages about the file `name`, whose text is `source`, with paths from its folder."""
    return "\n".join(dict.fromkeys(_Messages(name, source).about(output)))


class _Messages:
    def __init__(self, name: str, source: str) -> None:
        self._name = name
        self._lines = _LINE_END.split(source)
        self._include = ""
        self._quoted = ""
        self._said: set[str] = set()

    def about(self, output: str) -> Iterator[str]:
        is_shown = False
        for line in output.splitlines():
            shown = self._of_compiler(line) or self._of_linker(line)
            if not shown and is_shown and line.startswith(_ADVICE):
                shown = line
            is_shown = bool(shown)
            if shown:
                yield shown

    def _of_compiler(self, line: str) -> str:
        if included := _INCLUDED.match(line):
            if included["file"] == self._name:
                self._include = f"{self._name}:{included['line']}: "
            return ""
        if context := _CONTEXT.match(line):
            return line if self._is_students(context["file"]) else ""
        if _FULL.match(line):
            return line
        placed = _PLACED.match(line)
        if not placed:
            return ""
        text = placed["text"]
        is_problem = bool(_PROBLEM.match(text)) and not line.startswith("/out/")
        if not self._is_students(placed["file"]):
            return f"{self._include}in a header of a library: {text}" if is_problem else ""
        if not is_problem and not _MORE.match(text):
            return ""
        if line in self._said:
            return ""
        self._said.add(line)
        number = int(placed["line"] or placed["edg"])
        return line + self._quote(placed["file"], number, int(placed["column"] or 0))

    def _is_students(self, file: str) -> bool:
        """Paths of the submission and the kit's headers are relative."""
        return not file.startswith(("/", "<"))

    def _quote(self, file: str, number: int, column: int) -> str:
        """A line of the submission, as compilers quote it; empty if that was the last one, too."""
        if file != self._name or not 1 <= number <= len(self._lines):
            return ""
        text = self._lines[number - 1]
        quoted = f"\n{number:5} | {text}"
        # Compilers differ in the columns behind other characters.
        if column and text[:column].isascii() and "\t" not in text[:column]:
            quoted += f"\n      | {' ' * (column - 1)}^"
        last, self._quoted = self._quoted, quoted
        return "" if quoted == last else quoted

    def _of_linker(self, line: str) -> str:
        name = self._name
        if found := _CALLED_BY_LAB.search(line):
            return (
                f"{name} does not define {found[1]}: keep every function of the stub, with its "
                "name and its parameters as the header has them"
            )
        if found := _UNDEFINED.search(line):
            return f"{name} uses {found[1]}, which neither it nor a library of the lab defines"
        if found := _DEFINED_TWICE.search(line):
            return f"{name} defines {found[1]}, which is defined already: give it another name"
        return ""
