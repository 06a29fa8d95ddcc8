"""./submit against the service itself, whose gradings are made up."""

import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.model.verdict import Verdict
from grader.service import desk, people
from grader.service.client import submit
from grader.service.service import Service
from grader.service.tests.made_up import LABS, RIGHT, STAFF, grade_next, make_service
from grader.service.web.tests.running import Running, running


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return make_service(tmp_path)


@pytest.fixture
def site(service: Service) -> Iterator[Running]:
    with running(service) as started:
        yield started


@pytest.fixture
def file(service: Service, site: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """cleo's file, her token and the address in the environment."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("LABS_TOKEN", people.new_token(service, "cleo", STAFF))
    monkeypatch.setenv("LABS_ADDRESS", site.address)
    place = tmp_path / LABS["fake_sum"].file
    place.write_bytes(RIGHT)
    return str(place)


@contextlib.contextmanager
def grading(service: Service, second: Verdict) -> Iterator[None]:
    """Grades what comes, until the block ends."""
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(0.05):
            grade_next(service, Verdict.ACCEPTED, second)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def test_a_racy_file_gets_its_verdict_and_the_line(
    service: Service, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with grading(service, Verdict.DATA_RACE):
        assert submit.main(["fake_sum", file]) == submit.NOT_ACCEPTED
    said = capsys.readouterr()
    (submission,) = desk.submissions_of(service, "cleo")
    assert said.err == ""
    assert f"handed in: fake_sum, {submission.file_name}, {len(RIGHT)} bytes\n" in said.out
    assert f"receipt:   {submission.id}, " in said.out
    assert "points: data race\n" in said.out
    assert f"/submissions/{submission.id}\n" in said.out
    assert "next: " in said.out


def test_the_same_file_is_one_submission_and_again_makes_two(service: Service, file: str) -> None:
    words = ["fake_sum", file, "--wait", "no", "--json"]
    for more, count in (([], 1), ([], 1), (["--again"], 2), ([], 2)):
        assert submit.main([*words, *more]) == 0
        assert len(desk.submissions_of(service, "cleo")) == count


def test_an_accepted_file_ends_with_0_also_when_watched_later(
    service: Service, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert submit.main(["fake_sum", file, "--wait", "no", "--json"]) == 0
    receipt = json.loads(capsys.readouterr().out)["receipt"]
    with grading(service, Verdict.ACCEPTED):
        assert submit.main(["--watch", receipt["id"]]) == 0
    # Whether it is seen in the queue before depends on who comes first.
    assert "of 100 points: accepted" in capsys.readouterr().out


def test_refusals_are_told_with_their_next_step(
    file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert submit.main(["no_lab", file]) == submit.REFUSED
    assert capsys.readouterr().err == (
        "error: This course has no lab 'no_lab'\n  next: Choose one of fake_sum, fake_scan\n"
    )
    assert submit.main(["--watch", "a" * 26]) == submit.REFUSED
    said = capsys.readouterr().err
    assert "There is no such submission" in said
    assert "look again" not in said
    monkeypatch.setenv("LABS_TOKEN", "wrong")
    assert submit.main(["fake_sum", file]) == submit.REFUSED
    assert "\n  next: " in capsys.readouterr().err


def test_lists_what_is_left(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert file
    assert submit.main(["--list"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == ["lab", "fake_sum", "fake_scan"]
    assert rows[1].endswith(f"no limit       - of {LABS['fake_sum'].max_points:g}")
