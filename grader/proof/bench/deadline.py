"""The minutes before a deadline: how long students wait for pages while the cores grade.

    bazel run //grader/proof/bench:deadline -- [--seconds S] [--students N] [--streams N] [--busy N]

Starts `serve` with a fake kit, hands in at the rate of 2,000 submissions in ten minutes, opens
eight pages for each, and keeps streams of events open. Beside the fake gradings, which wait more
than they compute, `busy` processes compute without end, at the priority of gradings.
"""

import asyncio
import os
import random
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import click

from grader.cli import places
from grader.cli.serving import NICENESS
from grader.model.manifest import load_kit
from grader.people.course.course import load_course
from grader.proof.fakes.fake_kit import GOOD, make_kit
from grader.service import desk, people
from grader.service.service import Service

_PER_S = 2_000 / 600
_PAGES_PER_S = 8 * _PER_S
"""Each hand-in is looked at: the lab's page before, the submission's while it waits and after."""
_Call = Coroutine[None, None, None]
_COURSE = """
name = "Parallel programming"
time_zone = "UTC"
students = [{students}]
[[labs]]
name = "fake_sum"
deadline = 2099-12-31T23:59:59
"""


def _text() -> bytes:
    """A file that nobody handed in before."""
    return f"{GOOD}// fake: sleep 0.2\n// {secrets.token_hex(8)}\n".encode()


@dataclass
class Class:
    """The students, and what they measured."""

    port: int
    tokens: dict[str, str]
    cookies: dict[str, str]
    submissions: list[tuple[str, str]] = field(default_factory=list)
    """Each student's name and a submission's id."""
    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    events: int = 0

    async def ask(self, what: str, method: str, path: str, lines: str, body: bytes = b"") -> bytes:
        """One request on a new connection, as the worst client makes it; returns the body."""
        begun = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        writer.write(f"{head}{length}{lines}\r\n\r\n".encode() + body)
        answer = await reader.read()
        writer.close()
        self.seconds[what].append(time.perf_counter() - begun)
        self.statuses[what, int(answer[9:12])] += 1
        return answer.partition(b"\r\n\r\n")[2]

    async def hand_in(self) -> None:
        name = random.choice(list(self.tokens))  # noqa: S311
        key = secrets.token_hex(16)
        lines = f"Authorization: Bearer {self.tokens[name]}\r\nIdempotency-Key: {key}"
        answer = await self.ask("hand in", "POST", "/api/labs/fake_sum/submissions", lines, _text())
        found = answer.partition(b'"id":"')[2][:26].decode()
        if len(found) == 26:
            self.submissions.append((name, found))

    async def look(self) -> None:
        what, name, path = self._page()
        await self.ask(what, "GET", path, f"Cookie: session={self.cookies[name]}")

    def _page(self) -> tuple[str, str, str]:
        chance = random.random()  # noqa: S311
        if chance < 0.6 and self.submissions:
            name, found = random.choice(self.submissions)  # noqa: S311
            return "submission", name, f"/submissions/{found}"
        name = random.choice(list(self.cookies))  # noqa: S311
        what, path = ("lab", "/labs/fake_sum") if chance < 0.8 else ("labs", "/")
        return what, name, path

    async def watch(self, name: str, submission: str, opened: asyncio.Semaphore) -> None:
        """A live page of one submission after another of a student."""
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(
                f"GET /api/submissions/{submission}/events HTTP/1.1\r\n"
                f"Host: 127.0.0.1:{self.port}\r\n"
                f"Authorization: Bearer {self.tokens[name]}\r\n\r\n".encode()
            )
            try:
                while (line := await reader.readline()) not in (b"", b"0\r\n"):
                    if line.startswith(b"data: "):
                        self.events += 1
                        opened.release()
            finally:
                writer.close()
            await asyncio.sleep(1)
            submission = next((own for who, own in self.submissions if who == name), submission)


async def _at_rate(per_s: float, seconds: float, do: Callable[[], _Call]) -> None:
    """Calls at random moments, whether or not earlier calls have ended."""
    ends, calls = time.monotonic() + seconds, set()
    while time.monotonic() < ends:
        await asyncio.sleep(random.expovariate(per_s))
        call = asyncio.create_task(do())
        calls.add(call)
        call.add_done_callback(calls.discard)
    await asyncio.gather(*calls)


async def _live(students: Class, seconds: float, streams: int) -> None:
    opened = asyncio.Semaphore(0)
    watched = students.submissions[:streams]
    watches = [asyncio.create_task(students.watch(*each, opened)) for each in watched]
    for _ in watched:
        await opened.acquire()
    students.seconds.clear()
    await asyncio.gather(
        _at_rate(_PER_S, seconds, students.hand_in), _at_rate(_PAGES_PER_S, seconds, students.look)
    )
    for watch in watches:
        watch.cancel()
    await asyncio.gather(*watches, return_exceptions=True)


@contextmanager
def _served(folder: Path, count: int, streams: int, jobs: int) -> Iterator[Class]:
    """A class of a service that is reached."""
    kit = make_kit(folder)
    names = [f"student{number:03d}" for number in range(count)]
    course, data = folder / "course.toml", folder / "data"
    course.write_text(_COURSE.format(students=", ".join(f'"{name}"' for name in names)))
    service = Service(load_course(course), course, data, {"fake_sum": load_kit(kit).lab})
    people.enrol(service)
    tokens = {name: people.new_token(service, name, "bench") for name in names}
    cookies = {name: people.open_session(service, name)[0] for name in names}
    waiting = [
        (name, desk.hand_in(service, name, "fake_sum", _text(), "sum.cc", secrets.token_hex(16)).id)
        for name in names[:streams]
    ]
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    where = [f"--course={course}", f"--data={data}", f"--kit={kit}", f"--jobs={jobs}"]
    command = [sys.executable, str(places.workspace() / "grader" / "main.py"), "serve", *where]
    with subprocess.Popen([*command, f"--address=127.0.0.1:{port}"]) as server:
        try:
            _wait_for(port)
            yield Class(port, tokens, cookies, waiting)
            row = service.connect().execute(
                "SELECT COUNT(*), SUM(state = 'graded'), SUM(state = 'waiting') FROM submissions"
            )
            click.echo("{} handed in, {} graded, {} waiting".format(*row.fetchone()))
            click.echo(f"{_cpu_seconds(server.pid):.1f} s of processor time for the service")
        finally:
            server.terminate()


def _cpu_seconds(process: int) -> float:
    """Of all its threads, without its children."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _wait_for(port: int) -> None:
    for _ in range(300):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.1)
    raise click.ClickException("the service did not start")


def _print(students: Class) -> None:
    row = "{:<12} {:>6} {:>9} {:>9} {:>9}  {}"
    click.echo(row.format("what", "count", "p50 ms", "p99 ms", "max ms", "statuses"))
    for what, seconds in sorted(students.seconds.items()):
        cuts = statistics.quantiles(seconds, n=100, method="inclusive")
        figures = [f"{1000 * value:.0f}" for value in (cuts[49], cuts[98], max(seconds))]
        of_what = {status: n for (asked, status), n in students.statuses.items() if asked == what}
        click.echo(row.format(what, len(seconds), *figures, of_what))
    click.echo(f"{students.events} events to open streams")


@click.command(help=__doc__)
@click.option("--seconds", type=float, default=60)
@click.option("--students", "count", type=int, default=500)
@click.option("--streams", type=int, default=100, help="At most as many as students.")
@click.option("--busy", type=int, default=2)
@click.option("--jobs", type=int, default=2)
def main(seconds: float, count: int, streams: int, busy: int, jobs: int) -> None:
    burn = ["nice", "-n", str(NICENESS), sys.executable, "-c", "while True: pass"]
    with (
        tempfile.TemporaryDirectory() as folder,
        _served(Path(folder), count, streams, jobs) as students,
    ):
        burners = [subprocess.Popen(burn) for _ in range(busy)]
        try:
            asyncio.run(_live(students, seconds, streams))
        finally:
            for burner in burners:
                burner.kill()
                burner.wait()
        _print(students)


if __name__ == "__main__":
    main()
