"""A request that the service turns down."""

from dataclasses import dataclass


@dataclass(eq=False)
class Refused(Exception):  # noqa: N818
    """A sentence on what was wrong and one on the next step, for the person who asked."""

    status: int
    """As in HTTP."""
    error: str
    next: str
    retry_after: int | None = None
    """Seconds after which the same request may succeed; None: it will not."""

    def __str__(self) -> str:
        return f"{self.error} {self.next}"


def not_graded_yet() -> Refused:
    return Refused(409, "This submission is not graded yet.", "Wait for its verdict first.")


def no_such_submission() -> Refused:
    """The same for one that is missing and one that the viewer may not see."""
    return Refused(
        404, "There is no such submission.", "Choose one from the list of your submissions."
    )
