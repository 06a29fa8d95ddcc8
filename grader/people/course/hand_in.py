"""What course.toml says of the official run: how students hand in, and what a marker judges."""

from decimal import Decimal
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator


def _typed(text: str) -> str:
    if text != text.strip() or any(ord(character) < 32 for character in text):
        raise ValueError(f"{text!r} has white space around it, or a control character")
    return text


Name = Annotated[str, Field(min_length=1, max_length=200)]
PersonName = Annotated[Name, AfterValidator(_typed)]

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
"""Hosts whose plain http no other machine can read."""

Shows = Literal["verdict", "cases", "all"]
"""What a student sees of a hidden test that failed: its verdict; its case and size; all of it."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HandingIn(_Strict):
    """The table [hand_in]."""

    address: str | None = None
    """Where students reach the service; the students' copy gets it."""
    handouts: str | None = None
    """Where the labs' folders are to be read, as on GitHub: pages link to LAB below it."""
    data: Name | None = None
    """The folder of `serve --data`, relative to course.toml: `term` reads what was handed in."""
    attempts_per_day: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """Per lab and team, from midnight to midnight in the course's time zone; None: no limit."""
    pause_s: Annotated[int, Field(ge=0, le=86_400)] = 0
    """Between two hand-ins of a lab by a team."""
    shows_before: Shows = "all"
    """Up to the deadline. Never more than the lab's own `feedback.hidden` allows."""
    shows_after: Shows = "all"
    board: bool = True

    @field_validator("address")
    @classmethod
    def _is_an_address(cls, address: str | None) -> str | None:
        if address is None:
            return None
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise ValueError(f"{address!r} is no address such as https://labs.example.edu")
        if parts.path.strip("/"):
            raise ValueError(f"{address!r} has a path: the service needs a host name of its own")
        if parts.scheme == "http" and parts.hostname not in LOCAL:
            raise ValueError(f"{address!r}: tokens cross the network, so it must be https://")
        return address.rstrip("/")

    @field_validator("handouts")
    @classmethod
    def _is_a_folder(cls, address: str | None) -> str | None:
        if address is None:
            return None
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise ValueError(f"{address!r} is no address such as https://example.edu/course/labs")
        return address.rstrip("/")


class Rubric(_Strict):
    """Points that a human marker gives on one item of a lab."""

    lab: Name
    item: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
    points: Decimal = Field(gt=0, le=1000)
    text: Annotated[str, Field(min_length=1, max_length=2000)]
