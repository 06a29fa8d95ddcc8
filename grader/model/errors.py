"""The grader's exceptions."""


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


class TooBusyError(JudgeError):
    """The machine was too busy to take points from a submission. It was measured several times."""

    BEGINS = "the machine was too busy to measure"

    def __init__(self, function: str, low: float, high: float) -> None:
        super().__init__(
            f"{self.BEGINS} {function}: the reference itself did not earn all "
            f"points; its interval was {low:.2f} to {high:.2f}\n"
            "  next: run the same command again when the machine is quieter"
        )
