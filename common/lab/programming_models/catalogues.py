"""The catalogues of all models: counters of their programs, and what may be found in them."""

from functools import cache
from pathlib import Path
from typing import Any

from common.cudasim import catalogues as simulator
from common.cudasim.catalogues import literals, named

_MPI = Path(__file__).parents[2] / "mpi"


def counters() -> list[dict[str, Any]]:
    """The counters, in order, each with its name."""
    return simulator.counters() + named(literals(_MPI / "counters.bzl")["COUNTERS"])


def findings() -> list[dict[str, Any]]:
    """The kinds of findings, in order, each with its name."""
    return named(sentences()["FINDINGS"])


@cache
def sentences() -> dict[str, Any]:
    """All that the catalogues of findings define; what has one name in both is put together."""
    merged = dict(simulator.sentences())
    for name, value in literals(_MPI / "findings.bzl").items():
        merged[name] = merged[name] | value if isinstance(value, dict) else merged[name] + value
    return merged
