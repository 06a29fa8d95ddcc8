"""The grader's exceptions."""

from __future__ import annotations


class GraderError(Exception):
    """Bad input or a bad environment: names the file or value, and the next step."""

    def __init__(self, problem: str, next_step: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.next_step = next_step

    def __str__(self) -> str:
        return f"error: {self.problem}\n  next: {self.next_step}"


class JudgeError(Exception):
    """The grader itself failed on one submission. Never the student's fault."""
