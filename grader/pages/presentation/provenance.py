"""What a result depends on, and what is kept to repeat it: kit, seed, machine, compilers, times."""

from collections.abc import Iterator, Mapping

from pydantic import BaseModel, ConfigDict

from grader.model.result import Result
from grader.pages.presentation.facts import flags
from grader.pages.presentation.text import one_line


class EarlierResult(BaseModel):
    """A result that another one replaced."""

    model_config = ConfigDict(frozen=True)
    replaced_at: str
    graded_at: str
    points: float
    verdict: str
    kit: str
    submission: str


class Provenance(BaseModel):
    """Facts about one grading."""

    model_config = ConfigDict(frozen=True)
    kit: str
    kit_is_kept: bool
    submission: str
    text_is_kept: bool
    source: str | None
    """For instructors only."""
    seed: int
    machine: str
    compilers: dict[str, str]
    graded_at: str
    seconds: dict[str, float]
    protections_lost: list[str]
    flags: list[str]
    earlier: list[EarlierResult]


def provenance(
    result: Result,
    compilers: Mapping[str, str],
    earlier: list[tuple[str, Result]],
    *,
    kit_is_kept: bool,
    text_is_kept: bool,
    for_student: bool,
) -> Provenance:
    """`compilers`: program -> version, of the kit's manifest."""
    return Provenance(
        kit=result.key.kit,
        kit_is_kept=kit_is_kept,
        submission=result.key.submission,
        text_is_kept=text_is_kept,
        source=None if for_student else result.source,
        seed=result.key.seed,
        machine=result.key.machine,
        compilers=dict(compilers),
        graded_at=result.graded_at,
        seconds=result.seconds,
        protections_lost=[] if for_student else result.protections_lost,
        flags=[] if for_student else list(flags(result)),
        earlier=[
            EarlierResult(
                replaced_at=replaced_at,
                graded_at=before.graded_at,
                points=before.points,
                verdict=before.verdict.value,
                kit=before.key.kit,
                submission=before.key.submission,
            )
            for replaced_at, before in earlier
        ],
    )


def provenance_lines(facts: Provenance) -> Iterator[tuple[str, str]]:
    """Name and value of each fact, as text for a terminal or a page."""
    kept = "kept in the store" if facts.kit_is_kept else "not kept: graded by an older grader"
    yield "kit", f"{facts.kit[:16]}, {kept}"
    text = "kept in the store" if facts.text_is_kept else "no text is kept"
    yield "submission", f"{facts.submission[:16]}, {text}"
    if facts.source:
        yield "handed in as", one_line(facts.source)
    yield "seed", str(facts.seed)
    yield "machine", one_line(facts.machine)
    for name, version in sorted(facts.compilers.items()):
        yield "compiler", f"{one_line(name)}: {one_line(version)}"
    yield "graded at", f"{facts.graded_at or 'not known'} (UTC)"
    if facts.seconds:
        phases = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in facts.seconds.items())
        yield "took", phases
    for line in facts.protections_lost:
        yield "protection lost", one_line(line)
    for line in facts.flags:
        yield "flag", one_line(line)
    for before in facts.earlier:
        yield (
            "earlier result",
            f"{before.points:g} points, {before.verdict.replace('_', ' ')}, graded "
            f"{before.graded_at or 'at an unknown time'}, replaced {before.replaced_at}; "
            f"kit {before.kit[:16]}, submission {before.submission[:16]}",
        )
