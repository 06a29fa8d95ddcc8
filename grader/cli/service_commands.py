"""`serve`, and the command that its grading process is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from grader.cli.options import (
    BAD_INPUT,
    EXIT_CODES,
    GRADED,
    UserPath,
    examples,
    exit_codes,
    jobs_option,
)
from grader.service.web.settings import HOST, PORT

_ADDRESS = f"{HOST}:{PORT}"
_SERVE = examples(
    "serve --course course.toml --data ~/labs",
    "serve --course course.toml --data ~/labs --address 0.0.0.0:443 --certificate labs.pem "
    "--key labs.key",
    "serve --course course.toml --data ~/labs --print-unit",
    "serve --data ~/labs --backup ~/labs.zip",
)
_PROCESS = examples("grading-process --course course.toml --data ~/labs --parent 1")
_EXIT_CODES = exit_codes(
    {
        GRADED: "the service was ended or drained; everything that was handed in is kept",
        BAD_INPUT: "wrong usage or input, or the service could not start",
    }
)


_F = TypeVar("_F", bound=Callable[..., Any])


class _Address(click.ParamType[tuple[str, int]]):
    name = "HOST:PORT"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        host, colon, port = str(value).rpartition(":")
        if not colon or not port.isascii() or not port.isdigit() or int(port) > 65535:
            self.fail(f"{value!r} is not HOST:PORT, such as {_ADDRESS}", param, ctx)
        return host.removeprefix("[").removesuffix("]"), int(port)


def _how_options(command: _F) -> _F:
    """Those that say how submissions are graded."""
    for option in (
        click.option(
            "--slurm-option",
            "slurm_options",
            multiple=True,
            metavar="OPTION",
            help='For sbatch, such as "--partition=NAME"; may be repeated.',
        ),
        jobs_option(),
        click.option(
            "--executor",
            type=click.Choice(["local", "slurm"]),
            default="local",
            help="Who grades: this machine, or the nodes of a Slurm cluster.",
        ),
    ):
        command = option(command)
    return command


def _file(name: str, text: str) -> Callable[[_F], _F]:
    return click.option(name, type=UserPath(), metavar="FILE", help=text)


@click.command(epilog=_SERVE + _EXIT_CODES)
@_file("--course", "The course file, course.toml.")
@click.option(
    "--data",
    required=True,
    type=UserPath(),
    metavar="DIR",
    help="Where everything is kept that is handed in and graded; made if it is missing.",
)
@click.option(
    "--address",
    type=_Address(),
    default=_ADDRESS,
    metavar="HOST:PORT",
    help=f"Where to listen ({_ADDRESS}).",
)
@_how_options
@click.option(
    "--kit",
    "kits",
    multiple=True,
    type=UserPath(),
    metavar="DIR",
    help="A lab's built kit, for a machine without Bazel; may be repeated. Otherwise those of the "
    "course's labs are built.",
)
@_file("--certificate", "TLS: the certificate and its chain, PEM.")
@_file("--key", "TLS: the private key, PEM.")
@click.option(
    "--trust-header",
    metavar="NAME",
    help="The header in which a reverse proxy names who signed in there.",
)
@click.option(
    "--proxy-address",
    metavar="IP",
    help="A reverse proxy's address: it alone is believed for whom it asks, and who signed in.",
)
@click.option(
    "--clock-is-right",
    is_flag=True,
    help="Go on from the clock's time, though later times are stored: it had been set ahead.",
)
@click.option("--print-unit", is_flag=True, help="Print a systemd unit that serves like this.")
@click.option(
    "--backup",
    type=UserPath(),
    metavar="FILE",
    help="Write all databases of DIR into one zip file, also while the service runs.",
)
def serve(
    course: Path | None,
    data: Path,
    address: tuple[str, int],
    executor: str,
    jobs: int | None,
    slurm_options: tuple[str, ...],
    kits: tuple[Path, ...],
    certificate: Path | None,
    key: Path | None,
    trust_header: str | None,
    proxy_address: str | None,
    backup: Path | None,
    *,
    clock_is_right: bool,
    print_unit: bool,
) -> int:
    """Run the course: students hand in, it is graded, and they read the verdict minutes later.

    A signal ends it in order; so does a power cut, after which the same command goes on.
    """
    if backup is not None:
        from grader.service.grading.backup import backup as write

        databases = write(data, backup)
        click.echo(f"{backup}: {databases} databases")
        return GRADED
    if course is None:
        raise click.UsageError("Missing option '--course'.")
    if (certificate is None) != (key is None):
        raise click.UsageError("--certificate and --key need each other")
    if trust_header and not proxy_address:
        raise click.UsageError("--trust-header needs --proxy-address")
    from grader.cli import serving
    from grader.service.serve import Reached

    reached = Reached(*address, certificate, key, trust_header, proxy_address)
    how = serving.How(executor, jobs, slurm_options)
    asked = serving.Asked(course, data, reached, how, kits, clock_is_right)
    (serving.print_unit if print_unit else serving.serve_course)(asked)
    return GRADED


@click.command("grading-process", epilog=_PROCESS + EXIT_CODES, hidden=True)
@click.option("--course", required=True, type=UserPath(), metavar="FILE", help="course.toml.")
@click.option("--data", required=True, type=UserPath(), metavar="DIR", help="As of `serve`.")
@click.option("--parent", required=True, type=int, metavar="PID", help="Ends when that one does.")
@_how_options
def grading_process(
    course: Path,
    data: Path,
    parent: int,
    executor: str,
    jobs: int | None,
    slurm_options: tuple[str, ...],
) -> int:
    """Grade what is handed in to the service whose process is --parent."""
    from grader.cli.serving import How, grade_for_service

    return grade_for_service(course, data, How(executor, jobs, slurm_options), parent)


COMMANDS = (serve, grading_process)
