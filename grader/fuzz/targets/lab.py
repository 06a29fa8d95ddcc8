"""The reader of lab.toml: written by authors, not students, but its errors must be reported."""

from __future__ import annotations

import functools

from grader.fuzz.target import Features, Target
from grader.fuzz.targets.scratch import scratch_folder
from grader.model.errors import GraderError
from grader.model.lab import load_lab

scratch = functools.cache(scratch_folder)


def _lab(data: bytes) -> Features:
    path = scratch() / "lab.toml"
    path.write_bytes(data)
    lab = load_lab(path)
    assert abs(lab.max_points - 100) < 1e-6
    yield lab.model, len(lab.parts), bool(lab.ceilings)


TARGETS = [Target("lab_toml", _lab, (GraderError,))]
