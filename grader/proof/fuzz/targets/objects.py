"""The reader of object files, which a hostile source may influence."""

import functools

from common.lab.object_policy.symbols import ObjectError, read_symbols
from grader.proof.fuzz.target import Target
from grader.proof.fuzz.targets.scratch import scratch_folder

scratch = functools.cache(scratch_folder)


def _object(data: bytes) -> None:
    path = scratch() / "student.o"
    path.write_bytes(data)
    symbols = read_symbols(path)
    assert symbols.used_by("Sum") <= symbols.undefined


TARGETS = [Target("object_symbols", _object, (ObjectError,), longest=8192)]
