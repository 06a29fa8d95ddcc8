"""A Python fuzz target."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

Features = Iterable[Hashable]


@dataclass(frozen=True)
class Target:
    """A reader of a student's bytes, and the exceptions by which it refuses them."""

    name: str
    check: Callable[[bytes], Features | None]
    """Reads the bytes and asserts what holds for any bytes. May return features of its result; the
    fuzzer keeps data with new ones, because C code such as `re` has no coverage."""
    refusals: tuple[type[Exception], ...] = ()
    """Exceptions by which the reader refuses bytes. Any other one is a finding."""
    longest: int = 4096
    """Most bytes of usual data; some data is repeated up to `huge` bytes."""
    huge: int = 256 << 10
