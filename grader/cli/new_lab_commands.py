"""The command that begins a lab: `new-lab`."""

import click

from grader.cli.document import document
from grader.cli.options import EXIT_CODES, GRADED, examples, json_option
from grader.people.authoring.names import KINDS, Kind

_NEW_LAB = examples(
    "new-lab cuda_filter --kind cuda", 'new-lab openmp_sort --kind openmp --title "Sorting"'
)


@click.command("new-lab", epilog=_NEW_LAB + EXIT_CODES)
@click.argument("name")
@click.option(
    "--kind", type=click.Choice(KINDS), required=True, help="What the lab's programs use."
)
@click.option("--title", metavar="TITLE", help="The handout's title (from the name).")
@json_option()
def new_lab(name: str, kind: Kind, title: str | None, *, as_json: bool) -> int:
    """Make labs/NAME and solutions/NAME: a small lab that builds, passes its tests and can be
    graded, to be replaced piece by piece. `check` then says what is still missing.

    NAME is in lowercase, such as cuda_filter; its files are then called filter.
    """
    from grader.cli.places import started_as, workspace
    from grader.people.authoring.names import NewLab, title_of
    from grader.people.authoring.write import write_lab

    lab = NewLab(name, kind, title_of(name, kind) if title is None else title)
    with document(as_json=as_json) as facts:
        files = write_lab(workspace(), lab)
        facts.update(lab=name, kind=kind, title=lab.title, files=files)
        for file in files:
            click.echo(file)
        click.echo(f"next: git add labs/{name} solutions/{name}")
        click.echo(
            f"then: bazel test --config=solutions //labs/{name}/... //solutions:{name}_hidden_test"
        )
        click.echo(f"then: {started_as()} check --lab {name} --no-mutants")
    return GRADED


COMMANDS = [new_lab]
