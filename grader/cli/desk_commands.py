"""The group `desk`: what staff do on the service's pages, as commands."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grader.cli.document import document
from grader.cli.options import (
    BAD_INPUT,
    GRADED,
    UserPath,
    examples,
    exit_codes,
    json_option,
)
from grader.cli.usage import Commands

if TYPE_CHECKING:
    from grader.cli.staff_desk import Facts
    from grader.service.service import Service

_CODES = exit_codes({GRADED: "done", BAD_INPUT: "wrong usage or input; nothing was changed"})
_F = TypeVar("_F", bound=Callable[..., Any])


def _where(command: _F) -> _F:
    """--course and --data, which every command of the group has, and --json."""
    for option in (
        json_option(),
        click.option(
            "--data",
            type=UserPath(),
            metavar="DIR",
            help="The service's folder (hand_in.data of course.toml).",
        ),
        click.option(
            "--course", required=True, type=UserPath(), metavar="FILE", help="The course.toml."
        ),
    ):
        command = option(command)
    return command


@click.group(
    cls=Commands,
    epilog=examples("desk queue --course ~/course.toml", "desk mark --help") + _CODES,
)
def desk() -> None:
    """Staff's side of the service: queue, links, marks, requests, log.

    Each command may be used while the service runs. What changes something is logged under the
    name of whoever is logged in here.
    """


def _command(*shown: str, name: str | None = None) -> Callable[[Callable[..., None]], Any]:
    """Makes a function a command of the group: it gets the service, and the facts for --json."""
    epilog = examples(*(f"desk {each}" for each in shown)) + _CODES

    def decorate(function: Callable[..., None]) -> click.Command:
        @functools.wraps(function)
        def run(course: Path, data: Path | None, *, as_json: bool, **options: object) -> int:
            from grader.cli import staff_desk

            with document(as_json=as_json) as facts:
                function(staff_desk.opened(course, data), facts, **options)
            return GRADED

        return desk.command(name, epilog=epilog)(_where(run))

    return decorate


@_command("queue --course ~/course.toml")
def queue(service: Service, facts: Facts) -> None:
    """Show what waits and is graded, each grader's state, and signs of trouble."""
    from grader.cli import staff_shows

    staff_shows.show_queue(service, facts)


def _wish_command(name: str, help_text: str) -> None:
    def run(service: Service, facts: Facts) -> None:
        from grader.cli import staff_desk

        staff_desk.set_wish(service, name, facts)

    run.__name__, run.__doc__ = name, help_text
    _command(f"{name} --course ~/course.toml")(run)


_wish_command("pause", "Begin no more gradings; students may still hand in.")
_wish_command("resume", "Go on after a pause.")
_wish_command("drain", "Finish what is being graded, then end the service.")


@_command("link student07 --course ~/course.toml")
@click.argument("name")
def link(service: Service, facts: Facts, name: str) -> None:
    """Make a personal link for one person and print it, this once."""
    from grader.cli import staff_desk

    staff_desk.make_link(service, name, facts)


@_command("links --course ~/course.toml --to links.csv")
@click.option(
    "--to",
    required=True,
    type=UserPath(),
    metavar="FILE",
    help="A new CSV file, which only you may read.",
)
@click.option("--all", "is_for_all", is_flag=True, help="Also for those who have a link already.")
def links(service: Service, facts: Facts, to: Path, *, is_for_all: bool) -> None:
    """Make a personal link for everyone on the class list who has none, as a table to mail."""
    from grader.cli import staff_desk

    staff_desk.make_links(service, to, facts, is_for_all=is_for_all)


@_command("revoke student07 --course ~/course.toml")
@click.argument("name")
@click.option("--token", type=int, metavar="N", help="This one alone, as `desk person` counts.")
def revoke(service: Service, facts: Facts, name: str, token: int | None) -> None:
    """End someone's links, tokens and open browsers."""
    from grader.cli import staff_desk

    staff_desk.revoke(service, name, token, facts)


@_command("person student07 --course ~/course.toml")
@click.argument("name")
def person(service: Service, facts: Facts, name: str) -> None:
    """Show everything that someone handed in, and their tokens."""
    from grader.cli import staff_shows

    staff_shows.show_person(service, name, facts)


@_command("class pthreads_sum --course ~/course.toml", name="class")
@click.argument("lab", metavar="LAB")
def show_class(service: Service, facts: Facts, lab: str) -> None:
    """Show what counts for each student in a lab."""
    from grader.cli import staff_shows

    staff_shows.show_class(service, lab, facts)


@_command("submission ID --course ~/course.toml")
@click.argument("id_", metavar="ID")
def submission(service: Service, facts: Facts, id_: str) -> None:
    """Explain one submission: each point, marks, requests, replays, and what happened."""
    from grader.cli import staff_shows

    staff_shows.show_submission(service, id_, facts)


@_command("regrade ID --course ~/course.toml", "regrade --lab LAB --course ~/course.toml")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--lab", metavar="LAB", help="What counts for each team in this lab.")
def regrade(service: Service, facts: Facts, ids: tuple[str, ...], lab: str | None) -> None:
    """Put submissions into the queue again: their new verdict counts, and is logged."""
    from grader.cli import staff_desk

    if bool(ids) == (lab is not None):
        raise click.UsageError("name submissions, or --lab")
    staff_desk.grade_again(service, ids, lab, facts)


@_command("replay ID --course ~/course.toml")
@click.argument("id_", metavar="ID")
def replay(service: Service, facts: Facts, id_: str) -> None:
    """Let the service repeat one grading and compare; `desk submission` shows what differs."""
    from grader.cli import staff_desk

    staff_desk.replay(service, id_, facts)


@_command(
    "mark pthreads_sum student07 style=4 --course ~/course.toml",
    "mark pthreads_sum group-a style=4.5 --comment style=Names --course ~/course.toml",
)
@click.argument("lab", metavar="LAB")
@click.argument("team")
@click.argument("points", nargs=-1, required=True, metavar="ITEM=POINTS...")
@click.option(
    "--comment", "comments", multiple=True, metavar="ITEM=TEXT", help="For the student to read."
)
def mark(
    service: Service,
    facts: Facts,
    lab: str,
    team: str,
    points: tuple[str, ...],
    comments: tuple[str, ...],
) -> None:
    """Give a student or a group points of the rubric; ITEM= alone takes them back."""
    from grader.cli import staff_desk

    staff_desk.mark(service, lab, team, points, comments, facts)


@_command("requests --course ~/course.toml")
def requests(service: Service, facts: Facts) -> None:
    """List the requests for regrading that have no answer yet."""
    from grader.cli import staff_shows

    staff_shows.show_requests(service, facts)


@_command('answer 3 "Line 12 reads before it is written." --course ~/course.toml')
@click.argument("number", type=int)
@click.argument("text")
def answer(service: Service, facts: Facts, number: int, text: str) -> None:
    """Answer a request by its number."""
    from grader.cli import staff_desk

    staff_desk.answer(service, number, text, facts)


@_command("log --course ~/course.toml", "log --about student07 --course ~/course.toml")
@click.option("--about", metavar="NAME", help="A person, a group or a submission's ID.")
@click.option("--before", type=int, metavar="N", help="Changes before the one of this number.")
@click.option(
    "--most", type=click.IntRange(1, 10_000), default=40, show_default=True, help="Changes to show."
)
def log(service: Service, facts: Facts, about: str | None, before: int | None, most: int) -> None:
    """Show who changed what, and when, newest first."""
    from grader.cli import staff_shows

    staff_shows.show_log(service, about, before, most, facts)


COMMANDS = [desk]
