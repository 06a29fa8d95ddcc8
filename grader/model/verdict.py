"""The closed set of verdicts, and which of them outranks which."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """What the grader says of a part or of a whole submission."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    COMPILE_ERROR = "compile_error"
    RUNTIME_ERROR = "runtime_error"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    DATA_RACE = "data_race"
    DEADLOCK = "deadlock"
    """Threads that wait for each other: proved, or two locks that are taken in both orders."""
    OUT_OF_BOUNDS = "out_of_bounds"
    UNINITIALISED_READ = "uninitialised_read"
    BARRIER_DIVERGENCE = "barrier_divergence"
    TOO_SLOW = "too_slow"
    POLICY = "policy"
    TAMPERING = "tampering"
    JUDGE_ERROR = "judge_error"
    """Our fault: never costs a student a point, always tried again."""


EVIDENCE = frozenset(
    {
        Verdict.DATA_RACE,
        Verdict.DEADLOCK,
        Verdict.OUT_OF_BOUNDS,
        Verdict.UNINITIALISED_READ,
        Verdict.BARRIER_DIVERGENCE,
    }
)
"""Causes found by a checker; they outrank the symptoms that the plain tests saw."""
