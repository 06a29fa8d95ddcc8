"""Several files of one student as one text, with the student's name: equal files of two students
are different texts, as each is graded against another program."""

import json
from collections.abc import Mapping


def joined(student: str, files: Mapping[str, bytes]) -> bytes:
    """Bytes that are no UTF-8 become U+FFFD."""
    texts = {name: data.decode("utf-8", "replace") for name, data in files.items()}
    said = {"student": student, "files": texts}
    return json.dumps(said, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"


def parted(data: bytes) -> tuple[str, dict[str, bytes]]:
    """The student and the files; ValueError if `joined` did not write it."""
    said = json.loads(data)
    try:
        return said["student"], {name: text.encode() for name, text in said["files"].items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not several files of a student") from error
