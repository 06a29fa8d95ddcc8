#!/usr/bin/env python3
"""Hands in a lab's file and shows what becomes of it: queue, grading, verdict, points.

  ./submit LAB             hand in the lab's file and wait for the verdict
  ./submit LAB FILE        hand in another file for the lab
  ./submit LAB-tests       hand in labs/LAB/my_test.cc: labs/EXERCISES.md
  ./submit LAB-hunt        hand in labs/LAB/hunt.zip
  ./submit --watch ID      look again at what was handed in
  ./submit --list          the labs: deadlines, attempts, points

exit codes: 0 accepted (or handed in, with --wait no), 1 refused or no answer,
2 wrong usage or input, 3 judged but not accepted, 130 interrupted
"""

from __future__ import annotations  # Python 3.9 is the oldest that students have

import argparse
import contextlib
import difflib
import getpass
import hashlib
import http.client
import json
import os
import random
import re
import secrets
import shutil
import ssl
import stat
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn
from urllib.parse import quote, unquote, urlsplit

ACCEPTED, REFUSED, BAD_INPUT, NOT_ACCEPTED, INTERRUPTED = 0, 1, 2, 3, 130
HERE = Path(__file__).resolve().parent
MANIFEST = ".release.json"
ENDED = ("graded", "judge_error")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
# LAB-tests and LAB-hunt are handed in as these files of the lab's folder.
EXERCISES = {"tests": "my_test.cc", "hunt": "hunt.zip"}
CUT_SHORT = (ssl.SSLEOFError, ssl.SSLZeroReturnError)

TIMEOUT_S = 30.0
QUIET_S = 40.0  # the service sends a line at least every 15 s
PATIENCE_S = 120.0  # with a service that does not answer
WATCHING_PATIENCE_S = 900.0  # once there is a receipt: the service may be restarting
LONGEST_WAIT_S = 300.0  # a later time is told instead
LONGEST_PAUSE_S = 15.0
MAX_FILE = 1 << 20
MAX_ANSWER = 4 << 20


class StopError(Exception):
    """Ends the program: what is wrong, what to do next, and the exit code."""

    def __init__(self, problem: str, step: str, code: int = REFUSED) -> None:
        super().__init__(problem)
        self.problem, self.step, self.code = problem, step, code
        self.is_missing = False


class InputError(StopError):
    """What the user gave cannot be used."""

    def __init__(self, problem: str, step: str) -> None:
        super().__init__(problem, step, BAD_INPUT)


class NoAnswerError(Exception):
    """The service cannot be reached at the moment, or the connection broke."""


class LaterError(Exception):
    """The service says when to come back."""

    def __init__(self, stop: StopError, seconds: float) -> None:
        super().__init__(stop.problem)
        self.stop, self.seconds = stop, seconds


# ---- What is printed -----------------------------------------------------------------------------


def clean(value: object) -> str:
    """Text of the service as a terminal may show it: no control characters but line ends."""
    text = str(value).replace("\t", "    ")
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def number(value: object) -> str:
    return f"{value:g}" if isinstance(value, (int, float)) else "?"


def local_time(text: object) -> str:
    """A time of the service (UTC) in this machine's zone."""
    try:
        at = datetime.fromisoformat(str(text).replace("Z", "+00:00")).astimezone()
    except ValueError:
        return clean(text)
    return at.strftime("%Y-%m-%d %H:%M:%S %Z")


def duration(seconds: object) -> str:
    if not isinstance(seconds, (int, float)):
        return "unknown"
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(seconds, 0):.0f} s"


class Screen:
    """One line that changes on a terminal, elsewhere a line for each change; none with --json."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.live = not quiet and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self.colours = self.live and "NO_COLOR" not in os.environ
        self.status = ""

    def say(self, text: str, colour: int = 0) -> None:
        """Prints lines that stay."""
        self.clear()
        if not self.quiet:
            print(f"\x1b[{colour}m{text}\x1b[0m" if colour and self.colours else text, flush=True)

    def show(self, text: str) -> None:
        """Shows what goes on at the moment."""
        if self.quiet or text == self.status:
            return
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\x1b[K{text[:width]}", end="", flush=True)
        else:
            print(text, flush=True)
        self.status = text

    def clear(self) -> None:
        if self.live and self.status:
            print("\r\x1b[K", end="", flush=True)
        self.status = ""


def headline(state: dict[str, Any]) -> str:
    """Where a submission is, in the service's words."""
    return clean(state.get("headline") or state.get("state")).rstrip(".")


def show_receipt(screen: Screen, receipt: dict[str, Any]) -> None:
    screen.say(f"receipt:   {clean(receipt['id'])}, {local_time(receipt.get('received_at'))}")
    if receipt.get("late"):
        screen.say("late:      this is after the deadline", 33)


def show_verdict(screen: Screen, state: dict[str, Any], source: list[str]) -> None:
    """Verdict, points of each part, the first failure with the student's own line, what to do."""
    screen.say(headline(state), 32 if state.get("verdict") == "accepted" else 31)
    rows = [
        (
            f"  {clean(part.get('name'))}",
            f"{number(part.get('points'))} of {number(part.get('max_points'))}",
            clean(part.get("summary")),
        )
        for part in state.get("parts") or []
    ]
    show_table(screen, rows)
    failure = state.get("first_failure")
    if failure:
        screen.say("\n" + clean(failure.get("text", "")))
        line, file = failure.get("line"), clean(failure.get("file") or "line")
        if isinstance(line, int) and 0 < line <= len(source):
            screen.say(f"  {file}:{line}: {clean(source[line - 1].strip())}")
        screen.say("")
    if state.get("next"):
        screen.say(f"next: {clean(state['next']).rstrip('.')}")


def show_labs(screen: Screen, labs: list[dict[str, Any]]) -> None:
    rows = [("lab", "deadline", "time left", "attempts left", "best points")]
    for lab in labs:
        left, attempts, best = (lab.get(k) for k in ("time_left_s", "attempts_left", "best_points"))
        rows.append(
            (
                clean(lab.get("lab")),
                local_time(lab["deadline"]) if lab.get("deadline") else "none",
                "" if left is None else duration(left) if left > 0 else "over",
                "no limit" if attempts is None else number(attempts),
                f"{'-' if best is None else number(best)} of {number(lab.get('max_points'))}",
            )
        )
    show_table(screen, rows)


def show_table(screen: Screen, rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        screen.say("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def command() -> str:
    return f".{os.sep}{Path(sys.argv[0]).name}"


# ---- The students' copy --------------------------------------------------------------------------


def read_copy() -> dict[str, Any]:
    """What the copy around this program knows of itself; nothing if there is none."""
    try:
        copy = json.loads((HERE / MANIFEST).read_text(encoding="utf-8"))
        return copy if isinstance(copy, dict) else {}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot read {HERE / MANIFEST}: {error}", f"restore it: git checkout {MANIFEST}"
        ) from error


def stubs(copy: dict[str, Any]) -> dict[str, str]:
    """The one file of each lab."""
    return {PurePosixPath(stub).parent.name: stub for stub in copy.get("stubs", [])}


def find_file(copy: dict[str, Any], lab: str, named: str | None) -> Path:
    known = stubs(copy)
    folder, _, kind = lab.rpartition("-")
    if folder in known and kind in EXERCISES:
        return Path(named) if named is not None else HERE / "labs" / folder / EXERCISES[kind]
    if known and lab not in known:
        close = difflib.get_close_matches(lab, known, 1)
        step = f"did you mean {close[0]}?" if close else f"use one of {', '.join(known)}"
        raise InputError(f"no lab is named {lab}", step)
    if named is None and lab not in known:
        raise InputError(
            f"{HERE} is not a copy of the labs, so the file of {lab} is not known",
            f"name it: {command()} {lab} FILE",
        )
    return Path(named) if named is not None else HERE / known[lab]


def read_file(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_FILE + 1)
    except OSError as error:
        raise InputError(
            f"cannot read {file}: {error.strerror}", "check the file's name"
        ) from error
    if len(content) > MAX_FILE:
        raise InputError(
            f"{file} has more than {MAX_FILE >> 20} MiB", "hand in the lab's source file"
        )
    if not content:
        raise InputError(f"{file} is empty", "save your work, then hand in again")
    return content


def require_written(copy: dict[str, Any], lab: str, content: bytes) -> None:
    released = copy.get("files", {}).get(stubs(copy).get(lab, ""), "")
    if hashlib.sha256(content).hexdigest() in released.split():
        raise InputError(
            f"the file of {lab} is still as it was released: nothing of it is yours",
            f"edit it first; to hand it in as it is: {command()} {lab} --anyway",
        )


# ---- What is kept on this machine ----------------------------------------------------------------


def own_folder(address: str) -> Path:
    """Where this program keeps the token and the keys of one service."""
    config = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    parts = urlsplit(address)
    return Path(config) / "parallel-labs" / quote(parts.netloc + parts.path, safe="")


def keep(file: Path, text: str) -> None:
    """Writes a file that only its owner may read, whole or not at all."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=file.parent)  # with mode 600
        with os.fdopen(descriptor, "w") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        Path(name).replace(file)
    except OSError as error:
        raise InputError(
            f"cannot write {file}: {error.strerror}", "make its folder writable"
        ) from error


def checked_token(text: str, source: str) -> str:
    """The token in a text, which may be the personal link."""
    token = unquote(text.strip().rstrip("/").rpartition("/sign-in/")[2])
    if not re.fullmatch(r"[\w.~+=-]+", token, re.ASCII):
        raise InputError(f"{source} holds no token", "copy it again from your page")
    return token


def kept_token(file: Path) -> str | None:
    """The token of $LABS_TOKEN or of the file, which nobody else may be able to read."""
    if os.environ.get("LABS_TOKEN"):
        return checked_token(os.environ["LABS_TOKEN"], "LABS_TOKEN")
    try:
        mode = file.stat().st_mode
        if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise InputError(
                f"others may read your token: {file} has mode {stat.S_IMODE(mode):o}",
                f"chmod 600 '{file}'",
            )
        return checked_token(file.read_text(encoding="utf-8"), str(file))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read {file}: {error}", "make it readable for you alone"
        ) from error


def ask_token(file: Path, address: str) -> str:
    if not sys.stdin.isatty():
        raise InputError(
            f"no token for {address}: neither LABS_TOKEN is set nor is there {file}",
            "run this in a terminal, which asks for it once",
        )
    print(
        f"Your token for {address}, or your personal link.\nIt will be kept in {file}.",
        file=sys.stderr,
    )
    return checked_token(getpass.getpass("token (not shown): "), "what you typed")


def key_of(folder: Path, lab: str, digest: str, *, again: bool) -> tuple[str, Path]:
    """The key by which the service recognises a submission that it has already.

    It follows from lab and text, so that no broken connection, killed program or second machine
    hands in twice. --again takes another, which is on disk before it is sent, and stays the same
    until its receipt came.
    """
    file = folder / "again" / f"{lab}-{digest}"
    try:
        key, _, came = file.read_text(encoding="ascii").partition(" ")
    except (OSError, ValueError):
        key, came = "", "receipt"
    if again and came:
        key = secrets.token_hex(16)
        keep(file, key)
    derived = hashlib.sha256(f"{lab}\0{digest}".encode()).hexdigest()[:32]
    return (key if len(key) == 32 else derived), file


# ---- The service ---------------------------------------------------------------------------------


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token to another host."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


def checked_address(address: str) -> str:
    """The service's address, if a token may be sent there."""
    try:
        parts = urlsplit(address.strip().rstrip("/"))
        is_usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable or "@" in parts.netloc or not parts.geturl().isprintable():
        raise InputError(
            f"{address[:200]!r} is no address of a service", "ask your instructor for the address"
        )
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise InputError(
            f"{clean(address)} is not encrypted: others could read your token",
            "ask your instructor for an address that begins with https://",
        )
    return parts.geturl()


class Service:
    """The course's service, by its address."""

    def __init__(self, address: str, token: str, screen: Screen) -> None:
        self.address, self.token, self.screen = address, token, screen
        none: dict[str, str] = {}
        proxies = none if urlsplit(address).hostname in LOOPBACK else None  # None: the machine's
        self.opener = urllib.request.build_opener(NoRedirects, urllib.request.ProxyHandler(proxies))

    def open(
        self, path: str, body: bytes | None, headers: dict[str, str], timeout: float
    ) -> http.client.HTTPResponse:
        """The answer to one request; StopError, LaterError or NoAnswerError if it is none."""
        headers = {"Authorization": f"Bearer {self.token}", "User-Agent": "submit", **headers}
        request = urllib.request.Request(self.address + path, body, headers)  # noqa: S310 (checked)
        try:
            answer: http.client.HTTPResponse = self.opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                self.refused(error)
        except urllib.error.URLError as error:
            if isinstance(error.reason, ssl.SSLError) and not isinstance(error.reason, CUT_SHORT):
                raise self.untrusted(error.reason) from error
            why = getattr(error.reason, "strerror", None) or error.reason
            raise NoAnswerError(clean(why)) from error
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswerError(clean(error) or type(error).__name__) from error
        return answer

    def untrusted(self, error: ssl.SSLError) -> StopError:
        why = clean(getattr(error, "verify_message", "") or error)
        step = "check the address, this machine's clock and network; then tell your instructor"
        if sys.platform == "darwin":
            step = "run 'Install Certificates.command' of your Python; or " + step
        return StopError(f"no secure connection to {self.address}: {why}; nothing was sent", step)

    def refused(self, error: urllib.error.HTTPError) -> NoReturn:
        try:
            said = json.loads(error.read(MAX_ANSWER))
            stop = StopError(clean(said["error"]).rstrip("."), clean(said["next"]).rstrip("."))
        except (OSError, http.client.HTTPException, ValueError, TypeError, KeyError):
            stop = self.foreign(error)
        if error.code == 401 and not os.environ.get("LABS_TOKEN"):
            stop.step += f"; then delete {own_folder(self.address) / 'token'} and run this again"
        stop.is_missing = error.code == http.client.NOT_FOUND
        wait = error.headers.get("Retry-After", "")
        if error.code == 429 or (error.code == 503 and wait.isdigit()):
            raise LaterError(stop, float(wait if wait.isdigit() else LONGEST_PAUSE_S)) from error
        if error.code >= 500 or error.code == http.client.REQUEST_TIMEOUT:
            raise NoAnswerError(f"it answers with status {error.code}") from error
        raise stop from error

    def foreign(self, error: urllib.error.HTTPError) -> StopError:
        to = error.headers.get("Location")
        if to and 300 <= error.code < 400:
            return StopError(
                f"{self.address} sends us on to {clean(to)}, where your token does not go",
                "update this copy (git pull), or ask your instructor for the address",
            )
        return self.not_the_service(f"status {error.code}")

    def not_the_service(self, what: str) -> StopError:
        return StopError(
            f"{self.address} answers with {what}, not as the labs' service",
            "check the address; where a network has a sign-in page, sign in there first",
        )

    def once(self, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, Any]:
        """The answer's status and document."""
        with self.open(path, body, headers, TIMEOUT_S) as answer:
            try:
                text = answer.read(MAX_ANSWER)
                document = json.loads(text)
            except (OSError, http.client.HTTPException) as error:
                raise NoAnswerError(clean(error) or "the connection broke") from error
            except ValueError as error:
                if answer.headers.get_content_type() == "application/json":
                    raise NoAnswerError("the connection broke") from error
                raise self.not_the_service("a page") from error
            return answer.status, document

    def ask(
        self, path: str, body: bytes | None = None, patience: float = 0, **headers: str
    ) -> tuple[bool, Any]:
        """Whether something is new, and the document; tries again while there is no answer."""
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        started, tries = time.monotonic(), 0
        while True:
            waited = time.monotonic() - started
            try:
                status, document = self.once(path, body, names)
                return status == http.client.CREATED or tries > 0, document
            except NoAnswerError as error:
                if waited > (patience or PATIENCE_S):
                    raise StopError(
                        f"no answer from {self.address}: {error}",
                        "check your network, then run the same command again: "
                        "nothing is handed in twice",
                    ) from error
                pause, why = backoff(tries), f"no answer from {self.address} ({error})"
            except LaterError as later:
                if waited + later.seconds > max(patience, LONGEST_WAIT_S):
                    at = (datetime.now() + timedelta(seconds=later.seconds)).strftime("%a %H:%M")
                    later.stop.step += f" (from {at} on)"
                    raise later.stop from later
                pause, why = later.seconds + backoff(0), str(later)
            tries += 1
            self.screen.show(f"{why}: trying again in {pause:.0f} s")
            time.sleep(pause)

    def page(self, told: dict[str, Any]) -> str:
        """The address of a submission's page."""
        return self.address + clean(told.get("page"))

    def states(self, ident: str) -> Iterator[dict[str, Any]]:
        """What becomes of a submission: by events where they come through, otherwise by asking."""
        path, fruitless = f"/api/submissions/{quote(ident, safe='')}", 0
        while True:
            yield self.ask(path, patience=WATCHING_PATIENCE_S)[1]
            with contextlib.suppress(NoAnswerError, LaterError, StopError):
                for state in self.events(f"{path}/events") if fruitless < 2 else ():
                    fruitless = 0
                    yield state
            time.sleep(backoff(fruitless))
            fruitless += 1

    def events(self, path: str) -> Iterator[dict[str, Any]]:
        """Server-sent events, until the stream ends or breaks."""
        with self.open(path, None, {"Accept": "text/event-stream"}, QUIET_S) as stream:
            if stream.headers.get_content_type() != "text/event-stream":
                raise NoAnswerError("no events")
            data: list[str] = []
            try:
                while line := stream.readline(MAX_ANSWER).decode("utf-8", "replace"):
                    name, _, value = line.rstrip("\r\n").partition(":")
                    if name == "data":
                        data.append(value[value.startswith(" ") :])
                    elif not line.strip() and data:
                        yield json.loads("\n".join(data))
                        data = []
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise NoAnswerError(clean(error)) from error


def backoff(tries: int) -> float:
    """Seconds to wait before the next try; at random, so that a class does not come at once."""
    most: float = min(LONGEST_PAUSE_S, 0.5 * 2 ** min(tries, 10))
    return most * random.uniform(0.5, 1.5)  # noqa: S311 (no secret)


# ---- The commands --------------------------------------------------------------------------------


def connect(arguments: argparse.Namespace, copy: dict[str, Any], screen: Screen) -> Service:
    """The service, with a token; one that was asked for is kept once the service accepted it."""
    address = arguments.address or os.environ.get("LABS_ADDRESS") or copy.get("address")
    if not address:
        raise InputError(
            "this copy does not say where to hand in",
            "ask your instructor for the address, then give --address URL",
        )
    address = checked_address(address)
    file = own_folder(address) / "token"
    token = kept_token(file)
    if token is not None:
        return Service(address, token, screen)
    service = Service(address, ask_token(file, address), screen)
    service.ask("/api/labs")
    keep(file, service.token + "\n")
    return service


def hand_in(arguments: argparse.Namespace, screen: Screen) -> tuple[Service, dict[str, Any], bytes]:
    lab = PurePosixPath(arguments.lab.replace("\\", "/").partition(":")[0].rstrip("/.")).name
    copy = read_copy()
    file = find_file(copy, lab, arguments.file)
    content = read_file(file)
    if not arguments.anyway:
        require_written(copy, lab, content)
    service = connect(arguments, copy, screen)
    digest = hashlib.sha256(content).hexdigest()
    key, kept = key_of(own_folder(service.address), lab, digest, again=arguments.again)
    screen.show(f"handing in {file.name} to {service.address}")
    is_new, receipt = service.ask(
        f"/api/labs/{quote(lab, safe='')}/submissions",
        content,
        Idempotency_Key=key,
        X_File_Name=quote(file.name),
        Content_Type="application/octet-stream",
    )
    if kept.exists():
        keep(kept, f"{key} receipt")
    if is_new:
        screen.say(f"handed in: {lab}, {file.name}, {len(content)} bytes")
    else:
        screen.say(
            "you have handed in this very file before; it was not handed in again\n"
            f"  to hand it in once more: {command()} {lab} --again"
        )
    show_receipt(screen, receipt)
    screen.say(f"page:      {service.page(receipt)}")
    return service, receipt, content


def watch(service: Service, ident: str, screen: Screen, source: bytes = b"") -> dict[str, Any]:
    try:
        for state in service.states(ident):
            if state["state"] in ENDED:
                break
            screen.show(headline(state))
    except (KeyboardInterrupt, StopError) as error:
        again = f"{command()} --watch {ident}"
        if isinstance(error, KeyboardInterrupt):
            raise StopError(
                "interrupted; the submission is kept and will be graded",
                f"look again with {again}",
                INTERRUPTED,
            ) from error
        if not error.is_missing:
            error.step += f"; look again with {again}"
        raise
    show_verdict(screen, state, source.decode("utf-8", "replace").splitlines())
    screen.say(f"page: {service.page(state)}")
    return state


def exit_code(state: dict[str, Any]) -> int:
    if state.get("state") != "graded":
        return REFUSED
    return ACCEPTED if state.get("verdict") == "accepted" else NOT_ACCEPTED


def run(arguments: argparse.Namespace, screen: Screen) -> tuple[int, dict[str, Any]]:
    """Does what was asked for; the exit code, and what --json prints."""
    if arguments.list:
        _, labs = connect(arguments, read_copy(), screen).ask("/api/labs")
        show_labs(screen, labs)
        return ACCEPTED, {"labs": labs}
    if arguments.watch:
        state = watch(connect(arguments, read_copy(), screen), arguments.watch, screen)
        return exit_code(state), {"submission": state}
    if not arguments.lab:
        labs = ", ".join(stubs(read_copy())) or "your instructor knows them"
        raise InputError("which lab?", f"{command()} LAB; the labs are: {labs}")
    service, receipt, content = hand_in(arguments, screen)
    if arguments.wait == "no":
        return ACCEPTED, {"receipt": receipt}
    state = watch(service, str(receipt["id"]), screen, content)
    return exit_code(state), {"receipt": receipt, "submission": state}


def parser() -> argparse.ArgumentParser:
    usage = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        "submit",
        description=usage[0],
        epilog=usage[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("lab", nargs="?", metavar="LAB", help="the lab, a folder of labs/")
    add("file", nargs="?", metavar="FILE", help="another file than the lab's")
    add("--wait", choices=("yes", "no"), default="yes", help="wait for the verdict (yes)")
    add("--again", action="store_true", help="hand in a file once more that was handed in before")
    add("--anyway", action="store_true", help="hand in a file that is still as it was released")
    add("--watch", metavar="ID", help="wait for the verdict of what was handed in")
    add("--list", action="store_true", help="list the labs")
    add("--json", action="store_true", help="print one JSON document instead")
    add("--address", metavar="URL", help="the course's service, if this copy does not name it")
    return parser


def main(words: list[str] | None = None) -> int:
    arguments = parser().parse_args(words)
    screen = Screen(quiet=arguments.json)
    try:
        code, document = run(arguments, screen)
    except KeyboardInterrupt:
        stop = StopError(
            "interrupted before a receipt came",
            "run the same command again: nothing is handed in twice",
            INTERRUPTED,
        )
        code, document = fail(stop, screen)
    except StopError as stop:
        code, document = fail(stop, screen)
    if arguments.json:
        print(json.dumps({"schema": 1, **document}, indent=2))
    return code


def fail(stop: StopError, screen: Screen) -> tuple[int, dict[str, Any]]:
    screen.clear()
    print(f"error: {stop.problem}\n  next: {stop.step}", file=sys.stderr)
    return stop.code, {"error": stop.problem, "next": stop.step}


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    sys.exit(main())
