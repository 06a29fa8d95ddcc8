"""Commands that make a grader for other places: `autograder`."""

import secrets
from pathlib import Path

import click

from grader.cli.document import document
from grader.cli.options import (
    EXIT_CODES,
    GRADED,
    UserPath,
    examples,
    json_option,
    kit_option,
    lab_option,
    seed_option,
)


@click.command(epilog=examples("autograder --lab LAB --out ~/autograder.zip") + EXIT_CODES)
@lab_option(required=True)
@click.option(
    "--out", required=True, type=UserPath(), metavar="FILE", help="The zip file to write."
)
@click.option(
    "--allow-unjailed",
    is_flag=True,
    help="Grade also where no jail can be made: submissions then see the container's files.",
)
@seed_option()
@kit_option()
@json_option()
def autograder(
    lab: str, out: Path, seed: int | None, kit: Path | None, *, allow_unjailed: bool, as_json: bool
) -> int:
    """Write a lab's grader as the zip file that Gradescope takes."""
    from grader.cli.kits import find_kit
    from grader.people.autograder.bundle import write_autograder
    from grader.people.autograder.settings import Settings

    chosen = secrets.randbits(31) if seed is None else seed
    secret = secrets.token_hex(16)
    settings = Settings(
        schema=1, lab=lab, seed=chosen, secret=secret, allow_unjailed=allow_unjailed
    )
    with document(as_json=as_json) as facts:
        path = write_autograder(find_kit(lab, kit), settings, out).resolve()
        size = path.stat().st_size
        facts.update(lab=lab, seed=chosen, written=[path], bytes=size)
        click.echo(f"wrote {path} ({size / 1e6:.1f} MB, seed {chosen})")
        click.echo("  next: on Gradescope, Configure Autograder, upload it, then test it once")
    return GRADED


COMMANDS = [autograder]
