"""A real `serve` with a fake kit, and students who hand in over HTTP until they have receipts."""

import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import grader
from grader.model.manifest import load_kit
from grader.people.course.course import load_course
from grader.proof.fakes.fake_kit import make_kit
from grader.proof.faults.tree import command, descendants
from grader.service import people
from grader.service.service import Service

COURSE = """
name = "Parallel programming"
time_zone = "Europe/Berlin"
students = ["ada", "ben", "cleo", "dan"]
staff = ["tess"]
[[labs]]
name = "fake_sum"
"""
STUDENTS = ("ada", "ben", "cleo", "dan")
PATIENCE_S = 90.0


class Served:
    """One data folder, and the service that runs on it. `said` is the service's log so far."""

    def __init__(self, folder: Path, *options: str) -> None:
        folder.chmod(0o755)
        self.folder = folder
        self.data = folder / "data"
        self.kit = make_kit(folder)
        self.course = folder / "course.toml"
        self.course.write_text(COURSE, encoding="utf-8")
        self._options = options
        self.service = self.open()
        people.enrol(self.service)
        self.tokens = {name: people.new_token(self.service, name, "test") for name in STUDENTS}
        self.port = _free_port()
        self.tls: ssl.SSLContext | None = None
        self.process: subprocess.Popen[bytes] | None = None

    def open(self) -> Service:
        """The folder as it is now."""
        labs = {"fake_sum": load_kit(self.kit).lab}
        return Service(load_course(self.course), self.course, self.data, labs)

    def command(self, *options: str) -> list[str]:
        main = Path(grader.__file__).parent / "main.py"
        return [sys.executable, str(main), "serve", "--data", str(self.data), *options]

    def environment(self) -> dict[str, str]:
        locks = str(self.folder)
        paths = os.pathsep.join(sys.path)
        return {**os.environ, "PYTHONPATH": paths, "GRADER_LOCKS": locks, "TMPDIR": locks}

    def start(self) -> None:
        """Returns when it answers."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(
                    *("--course", str(self.course), "--kit", str(self.kit), "--jobs", "2"),
                    *("--address", f"127.0.0.1:{self.port}", *self._options),
                ),
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.wait_for(lambda: self.is_up() or not self.is_alive)
        assert self.is_alive, self.said

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def said(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")

    def is_up(self) -> bool:
        try:
            return self.ask("GET", "/health")[0] == 200
        except OSError:
            return False

    def stop(self) -> int:
        """Ends it in order; returns its exit code."""
        assert self.process
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)

    def kill(self) -> None:
        """Ends all that is left of it, at the end of a test."""
        if self.process and self.is_alive:
            for pid in self.tree():
                _kill(pid)
            self.process.wait(PATIENCE_S)

    def tree(self) -> list[int]:
        """The service, and all that it started."""
        return [self.process.pid, *descendants(self.process.pid)] if self.process else []

    def grading_process(self) -> int | None:
        found = (pid for pid in self.tree() if " grading-process " in command(pid))
        return next(found, None)

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, Any]:
        """The answer's status and JSON; OSError if nobody answers."""
        connection = (
            http.client.HTTPSConnection("127.0.0.1", self.port, timeout=15, context=self.tls)
            if self.tls
            else http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
        )
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (http.client.HTTPException, ValueError) as error:
            raise OSError(f"no whole answer: {error}") from error
        finally:
            connection.close()

    def hand_in(self, person: str, text: str, key: str) -> dict[str, Any]:
        """The receipt, asked for until it comes: as ./submit does."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                status, answer = self.ask(
                    "POST",
                    "/api/labs/fake_sum/submissions",
                    text.encode(),
                    Authorization=f"Bearer {self.tokens[person]}",
                    Idempotency_Key=key,
                    X_File_Name="sum.cc",
                )
                if status in (200, 201):
                    return dict(answer)
                assert status in (429, 503), answer
            except OSError:
                pass
            assert time.monotonic() < end, f"no receipt\n{self.said}"
            time.sleep(0.1)

    def rows(self, query: str, *values: object) -> Sequence[Any]:
        return self.service.connect().execute(query, values).fetchall()

    def wait_until_graded(self) -> None:
        """As long as another one is graded from time to time."""
        while left := self._left():
            self.wait_for(partial(self._are_less_than, left))

    def _are_less_than(self, left: int) -> bool:
        return self._left() < left

    def _left(self) -> int:
        return len(self.rows("SELECT 1 FROM submissions WHERE state IN ('waiting', 'grading')"))

    def wait_for(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < end, f"waited in vain\n{self.said}"
            time.sleep(0.05)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])
