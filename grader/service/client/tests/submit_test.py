"""./submit against a service that breaks off, refuses and stalls at every stage."""

import hashlib
import json
import os
import pty
import shutil
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.service.client import submit
from grader.service.client.tests.fake_service import (
    ACCEPTED,
    GRADING,
    ID,
    RACY,
    TOKEN,
    WAITING,
    Act,
    FakeService,
    drop_after_keeping,
    drop_before_reading,
    drop_within_the_receipt,
    event,
    refuse,
    running,
    say_nothing,
    show_page,
    talk_nonsense,
)

STUB = "int stub;\n"
MINE = "int first;\nint total = 0;  // mine\n"


@pytest.fixture
def service() -> Iterator[FakeService]:
    with running(FakeService()) as fake:
        yield fake


@pytest.fixture
def copy(tmp_path: Path, service: FakeService, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A students' copy with one lab, whose file is written, and a home with a token."""
    folder = tmp_path / "copy"
    (folder / "labs/sum").mkdir(parents=True)
    (folder / "labs/sum/sum.cc").write_text(MINE)
    released = {"labs/sum/sum.cc": hashlib.sha256(STUB.encode()).hexdigest()}
    manifest = {"address": service.address, "stubs": list(released), "files": released}
    (folder / ".release.json").write_text(json.dumps(manifest))
    monkeypatch.setattr(submit, "HERE", folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("LABS_TOKEN", raising=False)
    monkeypatch.setattr(submit, "backoff", lambda _: 0.0)
    monkeypatch.setattr(submit, "TIMEOUT_S", 0.4)
    monkeypatch.setattr(submit, "QUIET_S", 0.4)
    token_file(service).parent.mkdir(parents=True)
    token_file(service).write_text(TOKEN + "\n")
    token_file(service).chmod(0o600)
    return folder


def token_file(service: FakeService) -> Path:
    return submit.own_folder(service.address) / "token"


Said = tuple[int, str, str]
Run = Callable[..., Said]


@pytest.fixture
def run(copy: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """The program in the copy, with these words: its exit code, output and errors."""
    assert copy == submit.HERE

    def run(*words: str) -> Said:
        code = submit.main(list(words))
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_hands_in_and_lives_through_it_to_the_verdict(run: Run, service: FakeService) -> None:
    service.states = [WAITING, GRADING, ACCEPTED]
    code, out, err = run("sum")
    assert (code, err) == (0, "")
    (path, headers, body) = service.posts[0]
    assert (path, body) == ("/api/labs/sum/submissions", MINE.encode())
    assert (headers["X-File-Name"], headers["Content-Length"]) == ("sum.cc", str(len(MINE)))
    assert out.splitlines()[1] == f"handed in: sum, sum.cc, {len(MINE)} bytes"
    assert f"receipt:   {ID}, 2026-11-30" in out
    shown = ["Waiting: number 3 in the queue", "Being graded: races", "100 of 100 points: accepted"]
    assert out.splitlines()[4:] == [*shown, f"page: {service.address}/submissions/{ID}"]


def test_shows_the_points_of_each_part_and_the_first_failure_with_ones_own_line(
    run: Run, service: FakeService
) -> None:
    service.states = [RACY]
    code, out, _ = run("sum")
    assert code == submit.NOT_ACCEPTED
    assert "40 of 100 points: data race" in out
    assert [line.split() for line in out.splitlines() if line.startswith("  S")] == [
        ["Sum", "40", "of", "40", "right"],
        ["Scan", "0", "of", "60", "race"],
    ]
    assert "Scan: two threads write total\n  sum.cc:2: int total = 0;  // mine\n" in out
    assert "next: Guard total with a mutex\n" in out


def test_a_judge_error_is_no_verdict(run: Run, service: FakeService) -> None:
    service.states = [{"id": ID, "state": "judge_error", "headline": "not judged"}]
    code, out, _ = run("sum")
    assert code == submit.REFUSED
    assert "not judged\n" in out


LOST = [drop_before_reading, drop_after_keeping, drop_within_the_receipt, say_nothing]


@pytest.mark.parametrize("act", [*LOST, talk_nonsense, refuse(500), refuse(408), show_page(503)])
def test_a_broken_connection_neither_loses_nor_doubles(
    run: Run, service: FakeService, act: Act
) -> None:
    service.acts = [act, act, act]
    code, out, _ = run("sum", "--wait", "no")
    assert code == 0
    assert out.count("trying again in") >= 1
    assert "handed in: sum, sum.cc" in out
    assert list(service.kept.values()) == [MINE.encode()]
    assert len(service.posts) == 4


def test_gives_up_in_the_end_and_asking_again_does_not_hand_in_twice(
    run: Run, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submit, "PATIENCE_S", 0.0)
    service.acts = [drop_after_keeping] * 2
    code, _, err = run("sum")
    assert code == submit.REFUSED
    assert err.startswith(f"error: no answer from {service.address}: ")
    assert "run the same command again: nothing is handed in twice" in err
    service.acts = []
    code, out, _ = run("sum")
    assert (code, len(service.kept)) == (0, 1)
    assert f"receipt:   {ID}" in out


def test_the_same_file_is_handed_in_once_more_only_by_intention(
    run: Run, service: FakeService
) -> None:
    assert "handed in: sum" in run("sum")[1]
    code, out, _ = run("labs/sum/")
    assert code == 0
    assert "you have handed in this very file before; it was not handed in again" in out
    assert len(service.kept) == 1
    assert "handed in: sum" in run("sum", "--again")[1]
    assert len(service.kept) == 2
    assert "this very file before" in run("sum")[1]
    assert len(service.kept) == 2


def test_a_second_hand_in_whose_receipt_was_lost_is_not_a_third(
    run: Run, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("sum")
    monkeypatch.setattr(submit, "PATIENCE_S", 0.0)
    service.acts = [drop_after_keeping] * 2
    assert run("sum", "--again")[0] == submit.REFUSED
    service.acts = []
    run("sum", "--again")
    assert len(service.kept) == 2
    run("sum", "--again")
    assert len(service.kept) == 3


def test_waits_as_long_as_it_is_told(
    run: Run, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    service.acts = [refuse(429, Retry_After="30"), refuse(503, Retry_After="5")]
    code, out, _ = run("sum", "--wait", "no")
    assert (code, slept) == (0, [30.0, 5.0])
    assert "Refused with 429: trying again in 30 s" in out


def test_does_not_wait_for_tomorrow(run: Run, service: FakeService) -> None:
    service.acts = [refuse(429, Retry_After="40000")]
    code, _, err = run("sum")
    assert code == submit.REFUSED
    assert err.startswith("error: Refused with 429\n  next: Do something else (from ")
    assert len(service.posts) == 1


@pytest.mark.parametrize("status", [400, 403, 404, 405, 409, 411, 413, 415])
def test_a_refusal_is_told_in_the_services_words(
    run: Run, service: FakeService, status: int
) -> None:
    service.acts = [refuse(status)]
    code, _, err = run("sum")
    assert code == submit.REFUSED
    assert err == f"error: Refused with {status}\n  next: Do something else\n"
    assert len(service.posts) == 1


@pytest.mark.parametrize("act", [show_page(), show_page(404)])
def test_a_page_is_no_service(run: Run, service: FakeService, act: Act) -> None:
    service.acts = [act]
    code, _, err = run("sum")
    assert code == submit.REFUSED
    assert "not as the labs' service\n  next: check the address; where a network has" in err


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_the_token_follows_no_redirect(run: Run, service: FakeService, status: int) -> None:
    with running(FakeService()) as other:
        service.acts = [show_page(status, Location=f"{other.address}/api/labs/sum/submissions")]
        code, _, err = run("sum")
        assert other.requests == []
    assert code == submit.REFUSED
    assert f"sends us on to {other.address}/api/labs/sum/submissions, where your token" in err


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://labs.example.edu", "is not encrypted: others could read your token"),
        ("ftp://labs.example.edu", "is no address of a service"),
        ("labs.example.edu", "is no address of a service"),
        ("https://me@labs.example.edu", "is no address of a service"),
        ("https://labs.example.edu:x", "is no address of a service"),
        ("https://[::1", "is no address of a service"),
    ],
)
def test_sends_no_token_to_a_wrong_address(run: Run, address: str, said: str) -> None:
    code, _, err = run("sum", "--address", address)
    assert code == submit.BAD_INPUT
    assert said in err


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_a_certificate_that_nobody_vouches_for_ends_it_at_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    own = "-keyout key -out certificate -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    subprocess.run(f"{make} {own}".split(), cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate", tmp_path / "key")
    monkeypatch.setenv("LABS_TOKEN", TOKEN)
    with running(FakeService(), context) as secure:
        code, _, err = run("sum", "--address", secure.address)
        assert (code, secure.requests) == (submit.REFUSED, [])
        assert f"error: no secure connection to {secure.address}: self" in err
        assert "then tell your instructor" in err
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate"))
        assert run("sum", "--address", secure.address)[0] == 0


def test_an_address_without_tls_is_told(
    run: Run, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LABS_TOKEN", TOKEN)
    code, _, err = run("sum", "--address", service.address.replace("http:", "https:"))
    assert (code, service.requests) == (submit.REFUSED, [])
    assert "error: no secure connection to https://127.0.0.1:" in err


def test_goes_around_the_proxy_on_this_machine_alone(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(FakeService()) as proxy:
        monkeypatch.setenv("http_proxy", proxy.address)
        monkeypatch.setenv("https_proxy", proxy.address)
        monkeypatch.delenv("no_proxy", raising=False)
        assert run("sum")[0] == 0
        assert proxy.requests == []
        monkeypatch.setenv("LABS_TOKEN", TOKEN)
        monkeypatch.setattr(submit, "PATIENCE_S", 0.0)
        code, _, err = run("sum", "--address", "https://labs.example.edu")
    assert code == submit.REFUSED
    assert "no answer from https://labs.example.edu: Tunnel connection failed" in err
    assert TOKEN not in str(proxy.requests)


# Watching


def test_follows_events_that_come_in_pieces(run: Run, service: FakeService) -> None:
    text = event(WAITING) + b": keep-alive\r\n\r\n" + event(GRADING) + event(ACCEPTED)
    cut = [text[at : at + 7] for at in range(0, len(text), 7)]
    pieces: list[bytes | float] = [part for piece in cut for part in (piece, 0.001)]
    service.states, service.streams = [WAITING], [pieces]
    code, out, _ = run("sum")
    assert code == 0
    assert [line.partition(":")[0] for line in out.splitlines() if ":" in line][3:] == [
        "page",
        "Waiting",
        "Being graded",
        "100 of 100 points",
        "page",
    ]
    assert len(service.requests) == 3


def test_takes_up_a_stream_that_broke(run: Run, service: FakeService) -> None:
    service.states = [WAITING]
    service.streams = [[event(WAITING), event(GRADING)[:20]], [event(GRADING)], [event(ACCEPTED)]]
    code, out, _ = run("sum")
    assert code == 0
    assert "Being graded: races" in out


@pytest.mark.parametrize("stream", [[0.6], [b"data: nonsense\n\n"], [b"\0" * 100]])
def test_asks_where_no_events_come_through(
    run: Run, service: FakeService, stream: list[bytes | float]
) -> None:
    service.states = [WAITING, WAITING, GRADING, GRADING, RACY]
    service.streams = [list(stream) for _ in range(9)]
    assert run("sum")[0] == submit.NOT_ACCEPTED
    assert len([path for _, path, _, _ in service.requests if path.endswith("events")]) == 2


def test_watching_outlasts_a_restart_and_says_that_the_submission_is_kept(
    run: Run, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.acts = [lambda _: True, drop_before_reading, refuse(503), refuse(502)]
    assert run("sum")[0] == 0
    monkeypatch.setattr(submit, "WATCHING_PATIENCE_S", 0.001)
    service.acts = [lambda _: True] + [drop_before_reading] * 9
    code, _, err = run("sum")
    assert code == submit.REFUSED
    assert f"--watch {ID}\n" in err


def test_looks_again_at_what_was_handed_in(run: Run, service: FakeService) -> None:
    service.states = [RACY]
    code, out, _ = run("--watch", ID)
    assert code == submit.NOT_ACCEPTED
    assert "40 of 100 points: data race" in out
    assert service.posts == []


def test_lists_the_labs_with_what_is_left(run: Run, service: FakeService) -> None:
    lab = {"lab": "sum", "deadline": "2026-12-01T22:59:59+00:00", "time_left_s": 7300.0}
    lab |= {"attempts_left": 3, "best_points": 40, "max_points": 100}
    free = {"lab": "scan", "attempts_left": None, "best_points": None, "max_points": 100}
    service.labs = [lab, free]
    code, out, _ = run("--list")
    assert code == 0
    rows = out.splitlines()
    assert rows[1].startswith("sum ")
    assert rows[1].endswith("2 h        3              40 of 100")
    assert rows[2].split() == ["scan", "none", "no", "limit", "-", "of", "100"]


def test_json_is_one_document_whatever_happens(run: Run, service: FakeService) -> None:
    service.states = [WAITING, RACY]
    code, out, err = run("sum", "--json")
    document = json.loads(out)
    assert (code, err) == (submit.NOT_ACCEPTED, "")
    assert document["receipt"]["id"] == ID
    assert document["submission"] == RACY
    service.acts = [refuse(403)]
    document = json.loads(run("sum", "--json")[1])
    assert document["error"] == "Refused with 403"


def test_control_characters_do_not_reach_the_terminal(run: Run, service: FakeService) -> None:
    service.states = [{**RACY, "headline": "x\x1b]0;owned\x07", "next": "a\x9b31mb"}]
    _, out, _ = run("sum")
    assert "\x1b" not in out
    assert "\x9b" not in out


# The file


@pytest.mark.parametrize(
    "lab", ["sum", "labs/sum", "labs/sum/", "//labs/sum", "//labs/sum:sum_test"]
)
def test_a_lab_may_be_named_as_for_bazel(run: Run, lab: str) -> None:
    assert run(lab, "--wait", "no")[0] == 0


def test_says_before_handing_in_that_the_file_is_still_the_stub(
    run: Run, copy: Path, service: FakeService
) -> None:
    (copy / "labs/sum/sum.cc").write_text(STUB)
    code, _, err = run("sum")
    assert (code, service.requests) == (submit.BAD_INPUT, [])
    assert "still as it was released" in err
    assert run("sum", "--anyway")[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sums"], "no lab is named sums\n  next: did you mean sum?"),
        (["else"], "no lab is named else\n  next: use one of sum"),
        ([], "which lab?\n"),
        (["sum-tests"], "labs/sum/my_test.cc: No such file"),
        (["sum-hunt"], "labs/sum/hunt.zip: No such file"),
        (["sum", "no_such.cc"], "cannot read no_such.cc: No such file"),
        (["sum", "/dev/null"], "/dev/null is empty"),
        (["sum", "/"], "cannot read /: Is a directory"),
    ],
)
def test_wrong_input_is_told_before_anything_is_sent(
    run: Run, service: FakeService, words: list[str], said: str
) -> None:
    code, _, err = run(*words)
    assert (code, service.requests) == (submit.BAD_INPUT, [])
    assert said in err


def test_refuses_what_is_no_source_file(run: Run, copy: Path, service: FakeService) -> None:
    (copy / "labs/sum/sum.cc").write_bytes(b"\0" * (submit.MAX_FILE + 1))
    assert run("sum")[0] == submit.BAD_INPUT
    assert service.requests == []


def test_works_alone_with_file_and_address(run: Run, copy: Path, service: FakeService) -> None:
    (copy / ".release.json").unlink()
    code, _, err = run("sum")
    assert "is not a copy of the labs" in err
    code, _, err = run("sum", str(copy / "labs/sum/sum.cc"))
    assert (code, "does not say where to hand in" in err) == (submit.BAD_INPUT, True)
    file = str(copy / "labs/sum/sum.cc")
    assert run("sum", file, "--address", service.address + "/")[0] == 0


def test_a_damaged_copy_is_named(run: Run, copy: Path) -> None:
    (copy / ".release.json").write_text("<<<<<<< HEAD\n")
    code, _, err = run("sum")
    assert code == submit.BAD_INPUT
    assert "git checkout .release.json" in err


# The token


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o602])
def test_refuses_a_token_that_others_may_read(run: Run, service: FakeService, mode: int) -> None:
    token_file(service).chmod(mode)
    code, _, err = run("sum")
    assert (code, service.requests) == (submit.BAD_INPUT, [])
    assert f"others may read your token: {token_file(service)} has mode {mode:o}" in err
    assert f"next: chmod 600 '{token_file(service)}'" in err


def test_a_token_that_is_not_known_says_which_file_to_delete(
    run: Run, service: FakeService
) -> None:
    token_file(service).write_text("another-token")
    code, _, err = run("sum")
    assert code == submit.REFUSED
    assert err == (
        "error: This token is not known\n"
        f"  next: Get a new one; then delete {token_file(service)} and run this again\n"
    )


@pytest.mark.parametrize("text", ["", "two words", "line\nline", "tökén", "https://x/sign-in/"])
def test_a_token_cannot_change_the_request(run: Run, service: FakeService, text: str) -> None:
    token_file(service).write_text(text)
    assert run("sum")[0] == submit.BAD_INPUT
    assert service.requests == []


def test_asks_once_for_the_token_and_keeps_it_for_oneself(
    run: Run, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    token_file(service).unlink()
    assert "neither LABS_TOKEN is set nor is there" in run("sum")[2]
    typed = ["wrong", f"https://labs.example.edu/sign-in/{TOKEN} "]
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda _: typed.pop(0))
    os.umask(0o022)
    assert run("sum")[0] == submit.REFUSED
    assert not token_file(service).exists()
    assert run("sum")[0] == 0
    assert token_file(service).read_text() == TOKEN + "\n"
    assert token_file(service).stat().st_mode & 0o777 == 0o600
    assert run("--list")[0] == 0
    assert typed == []


def test_a_variable_goes_before_the_file(
    run: Run, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    token_file(service).chmod(0o644)
    monkeypatch.setenv("LABS_TOKEN", TOKEN)
    assert run("sum")[0] == 0


# The program


def program(copy: Path, *words: str) -> tuple[list[str], dict[str, str]]:
    """The command of the program as students have it, and its environment."""
    place = copy / "submit"
    place.write_text(Path(submit.__file__).read_text())
    config = os.environ["XDG_CONFIG_HOME"]
    environment = {"PATH": os.environ["PATH"], "XDG_CONFIG_HOME": config, "HOME": str(copy)}
    return [sys.executable, str(place), *words], environment


def on_terminal(copy: Path, *words: str, **environment: str) -> str:
    command, own = program(copy, *words)
    ours, theirs = pty.openpty()
    done = subprocess.run(command, env={**own, **environment}, stdout=theirs, stdin=theirs)
    assert done.returncode == submit.NOT_ACCEPTED
    os.close(theirs)
    said = b""
    while piece := _read(ours):
        said += piece
    os.close(ours)
    return said.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # Linux: the other end is closed
        return b""


def test_one_line_changes_on_a_terminal(copy: Path, service: FakeService) -> None:
    def states() -> list[dict[str, Any]]:
        return [WAITING, GRADING, RACY]

    service.states = states()
    said = on_terminal(copy, "sum", TERM="xterm")
    assert "\r\x1b[KWaiting: number 3" in said
    assert "\r\x1b[KBeing graded: races\r\x1b[K\x1b[31m40 of 100 points: data race\x1b[0m" in said
    service.states = states()
    said = on_terminal(copy, "sum", TERM="xterm", NO_COLOR="1")
    assert "\r\x1b[K40 of 100 points: data race\r\n" in said
    service.states = states()
    assert "\x1b" not in on_terminal(copy, "sum", TERM="dumb")


def test_ctrl_c_says_that_the_submission_is_kept(copy: Path, service: FakeService) -> None:
    service.states = [WAITING]
    command, environment = program(copy, "sum")
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        assert started.stdout
        while not started.stdout.readline().startswith("Waiting"):
            pass
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=10)
    assert started.returncode == submit.INTERRUPTED
    assert err == (
        "error: interrupted; the submission is kept and will be graded\n"
        f"  next: look again with ./submit --watch {ID}\n"
    )


def test_ctrl_c_before_the_receipt_says_to_run_it_again(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(submit.Service, "once", interrupt)
    code, _, err = run("sum")
    assert code == submit.INTERRUPTED
    assert "next: run the same command again: nothing is handed in twice" in err
