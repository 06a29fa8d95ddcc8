"""The reader of object files, which a hostile source may influence."""

from __future__ import annotations

import functools

from common.lab.object_policy.symbols import ObjectError, read_symbols
from grader.fuzz.target import Features, Target
from grader.fuzz.targets.scratch import scratch_folder

scratch = functools.cache(scratch_folder)


def _object(data: bytes) -> Features:
    path = scratch() / "student.o"
    path.write_bytes(data)
    symbols = read_symbols(path)
    used = symbols.used_by("Sum")
    assert used <= symbols.undefined
    yield "defined", len(symbols.defined).bit_length(), "undefined", len(symbols.undefined)
    yield "used", len(used)


TARGETS = [Target("object_symbols", _object, (ObjectError,), longest=8192)]
