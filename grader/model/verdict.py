"""The closed set of verdicts, and which of them outranks which."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a verdict is about; pages and terminals give each kind a colour."""

    RIGHT = "right"
    WRONG = "wrong"
    COSTLY = "costly"
    """It crashed, or used more than it may."""
    EVIDENCE = "evidence"
    """A cause that a checker found; it outranks the symptoms that the plain tests saw."""
    BREACH = "breach"
    """The file does not keep to the rules."""
    OURS = "ours"
    """Our fault: never costs a student a point, always tried again."""


class Verdict(StrEnum):
    """What the grader says of a part or of a whole submission.

    One that is added here needs its words in grader/presentation/words.py and nothing more: the
    checker's C++ has the names from here.
    """

    kind: Kind

    def __new__(cls, value: str, kind: Kind = Kind.WRONG) -> Verdict:
        self = str.__new__(cls, value)
        self._value_ = value
        self.kind = kind
        return self

    ACCEPTED = "accepted", Kind.RIGHT
    WRONG_ANSWER = "wrong_answer", Kind.WRONG
    COMPILE_ERROR = "compile_error", Kind.WRONG
    RUNTIME_ERROR = "runtime_error", Kind.COSTLY
    TIME_LIMIT = "time_limit", Kind.COSTLY
    MEMORY_LIMIT = "memory_limit", Kind.COSTLY
    OUTPUT_LIMIT = "output_limit", Kind.COSTLY
    DATA_RACE = "data_race", Kind.EVIDENCE
    DEADLOCK = "deadlock", Kind.EVIDENCE
    """Threads that wait for each other: proved, or two locks that are taken in both orders."""
    OUT_OF_BOUNDS = "out_of_bounds", Kind.EVIDENCE
    UNINITIALISED_READ = "uninitialised_read", Kind.EVIDENCE
    BARRIER_DIVERGENCE = "barrier_divergence", Kind.EVIDENCE
    TOO_SLOW = "too_slow", Kind.COSTLY
    POLICY = "policy", Kind.BREACH
    TAMPERING = "tampering", Kind.BREACH
    JUDGE_ERROR = "judge_error", Kind.OURS


EVIDENCE = frozenset(verdict for verdict in Verdict if verdict.kind is Kind.EVIDENCE)
