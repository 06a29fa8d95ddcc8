"""The reader of lab.toml: written by authors, not students, but its errors must be reported."""

import functools

from grader.model.errors import GraderError
from grader.model.lab import load_lab
from grader.proof.fuzz.target import Target
from grader.proof.fuzz.targets.scratch import scratch_folder

scratch = functools.cache(scratch_folder)


def _lab(data: bytes) -> None:
    path = scratch() / "lab.toml"
    path.write_bytes(data)
    assert abs(load_lab(path).max_points - 100) < 1e-6


TARGETS = [Target("lab_toml", _lab, (GraderError,))]
