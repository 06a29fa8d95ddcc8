"""The group of commands `samples`."""

from pathlib import Path

import click

from grader.cli.document import document
from grader.cli.options import EXIT_CODES, GRADED, UNSETTLED, examples, json_option, out_option
from grader.cli.usage import Commands


@click.group(cls=Commands, epilog=examples("samples expand --help", "samples carry") + EXIT_CODES)
def samples() -> None:
    """Sample submissions, most of which are kept as patches to another one."""


_NAMES = click.argument("names", nargs=-1, metavar="[LAB[/VERDICT/NAME]]...")
_NAME = "LAB/VERDICT/NAME"


_EXPAND = examples(
    "samples expand LAB/data_race/unlocked_add", "samples expand LAB --out /tmp/samples"
)


@samples.command(epilog=_EXPAND + EXIT_CODES)
@_NAMES
@out_option("Where to write them, as LAB/VERDICT/NAME.cu.", required=False)
@json_option()
def expand(names: tuple[str, ...], out: Path | None, *, as_json: bool) -> int:
    """Print a sample as a whole file, or write those of a lab, or all."""
    from grader.cli.stored_samples import expand_samples

    with document(as_json=as_json) as facts:
        facts["samples"] = expand_samples(names, out)
    return GRADED


@samples.command(epilog=examples("samples edit LAB/data_race/unlocked_add") + EXIT_CODES)
@click.argument("name", metavar=_NAME)
def edit(name: str) -> int:
    """Open a sample as a whole file in $EDITOR, and keep it as a patch again."""
    from grader.cli.stored_samples import edit_sample

    edit_sample(name)
    return GRADED


@samples.command(epilog=examples("samples pack LAB/wrong_answer/my_sample") + EXIT_CODES)
@click.argument("names", nargs=-1, required=True, metavar=f"{_NAME}...")
@click.option("--base", metavar="NAME", help="This one: matmul.cu, accepted/NAME.cu.")
@json_option()
def pack(names: tuple[str, ...], base: str | None, *, as_json: bool) -> int:
    """Keep whole files as patches to the right program that makes them shortest."""
    from grader.cli.stored_samples import pack_samples

    with document(as_json=as_json) as facts:
        facts["samples"] = pack_samples(names, base)
    return GRADED


@samples.command(epilog=examples("samples carry", "samples carry LAB") + EXIT_CODES)
@click.argument("labs", nargs=-1, metavar="[LAB]...")
@json_option()
def carry(labs: tuple[str, ...], *, as_json: bool) -> int:
    """Bring the patches over to bases that have changed since."""
    from grader.cli.stored_samples import carry_samples

    with document(as_json=as_json) as facts:
        carried = carry_samples(labs)
        facts["labs"] = carried
    return UNSETTLED if any(each.failed for each in carried.values()) else GRADED


COMMANDS = [samples]
