"""The closed set of verdicts, and which of them outranks which."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """The kind of a verdict; pages and terminals give each kind a colour."""

    RIGHT = "right"
    WRONG = "wrong"
    COSTLY = "costly"
    """It crashed or exceeded a limit."""
    EVIDENCE = "evidence"
    """A cause that a checker found; it outranks the symptoms in the plain tests."""
    BREACH = "breach"
    """The file breaks the rules."""
    OURS = "ours"
    """Not judged yet, or the grader failed: never costs a student a point, always tried again."""


class Verdict(StrEnum):
    """The grader's verdict on a part or on a whole submission.

    A new verdict also needs its words in grader/pages/presentation/words.py; the checker's C++ is
    generated from this class.
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
    """Threads wait for each other, or two locks are taken in both orders."""
    OUT_OF_BOUNDS = "out_of_bounds", Kind.EVIDENCE
    UNINITIALISED_READ = "uninitialised_read", Kind.EVIDENCE
    BARRIER_DIVERGENCE = "barrier_divergence", Kind.EVIDENCE
    TOO_SLOW = "too_slow", Kind.COSTLY
    NOTHING_GRADABLE = "nothing_gradable", Kind.WRONG
    """No file, several files or another kind of file than the lab's was handed in."""
    POLICY = "policy", Kind.BREACH
    TAMPERING = "tampering", Kind.BREACH
    NOT_GRADED = "not_graded", Kind.OURS
    """Found by a run that ended before it was graded."""
    JUDGE_ERROR = "judge_error", Kind.OURS

    @property
    def is_final(self) -> bool:
        """Whether it stays: other results give no points and are graded by the next run."""
        return self.kind is not Kind.OURS


EVIDENCE = frozenset(verdict for verdict in Verdict if verdict.kind is Kind.EVIDENCE)
