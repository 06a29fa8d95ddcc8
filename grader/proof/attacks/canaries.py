"""Plants secrets where attacks look, and checks that none of their bytes reach a student."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.model.lab import Lab
from grader.model.result import Result
from grader.pages.export import write

FILE = Path("/var/tmp/grader_attack_canary")  # noqa: S108 - attacks name it
VARIABLE = "GRADER_ATTACK_CANARY"
_ENOUGH = 12
"""Consecutive bytes of a secret that cannot be a coincidence."""


@dataclass(frozen=True)
class Secret:
    """Bytes that no student may read, and where they lie."""

    place: str
    text: bytes

    def is_in(self, seen: bytes) -> bool:
        """Whether a piece of it occurs, plain, in hexadecimal, or with blanks for underscores."""
        text = self.text
        pieces = {text[i : i + _ENOUGH] for i in range(max(1, len(text) - _ENOUGH + 1))}
        wanted = pieces | {piece.replace(b"_", b" ") for piece in pieces}
        return any(piece in seen or piece.hex().encode() in seen for piece in wanted)


@contextmanager
def planted(kits: list[Path], hidden_text: str) -> Iterator[list[Secret]]:
    """A secret in a file that anyone may read, in each kit, and in the grader's environment.

    Also yields secrets that exist anyway: the hidden input, the kernel's command line, and the
    grader's working folders.
    """
    fresh = {place: secrets.token_hex(16) for place in ("file", "kit", "environment")}
    FILE.write_text(f'#error "{fresh["file"]}"\n', encoding="utf-8")
    FILE.chmod(0o644)
    for kit in kits:
        (kit / "canary").write_text(fresh["kit"], encoding="utf-8")
    os.environ[VARIABLE] = fresh["environment"]
    found = [Secret(place, text.encode()) for place, text in fresh.items()]
    found.append(Secret("hidden input", hidden_text.encode()))
    found.append(Secret("folder of the kits", str(kits[0].parent).encode()))
    found.append(Secret("folder of the grader's work", b"/grader-work-"))
    found.append(Secret("/proc/cmdline", Path("/proc/cmdline").read_bytes().strip()))
    try:
        yield found
    finally:
        FILE.unlink(missing_ok=True)
        del os.environ[VARIABLE]


def what_a_student_sees(result: Result, lab: Lab) -> bytes:
    """A submission's stored result and the exports that its student may see."""
    stored = result.model_copy(update={"source": ""})
    with tempfile.TemporaryDirectory() as folder:
        for name in ("feedback", "gradescope", "json", "junit"):
            write(name, [stored], lab, Path(folder))
        written = [path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()]
    return b"\n".join([stored.model_dump_json().encode(), *written])
