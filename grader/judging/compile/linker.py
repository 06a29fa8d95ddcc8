"""Rewrites the linker's errors about missing functions of a lab for students."""

import re

_UNDEFINED = re.compile(
    r"^.*lab/exports/exports\.h:\d+: undefined reference to `(.*)'$", re.MULTILINE
)
_EXPORTS = re.compile(r"^.*exports\.o: in function `.*\n?", re.MULTILINE)
_FAILED = re.compile(r"^collect2: .*\n?", re.MULTILINE)


def name_missing_functions(text: str, file: str) -> str:
    """`text` with one line for each function that the lab calls and the file does not define.

    Errors about other undefined functions stay as the linker writes them.
    """
    missing = dict.fromkeys(_UNDEFINED.findall(text))
    if not missing:
        return text
    rest = _FAILED.sub("", _EXPORTS.sub("", _UNDEFINED.sub("", text))).strip()
    lines = [
        f"{file} does not define {name}: keep every function of the stub, with its name and its "
        "parameters as the header has them"
        for name in missing
    ]
    return "\n".join([*lines, rest] if rest else lines)
