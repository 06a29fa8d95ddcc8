"""A receipt is a promise: through kills, a full disk, a locked database, many writers."""

import os
import random
import resource
import signal
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from grader.service import database, desk, people, queue
from grader.service.refused import Refused
from grader.service.service import Service
from grader.service.tests.made_up import (
    LABS,
    RIGHT,
    STUDENTS,
    Clock,
    hand_in,
    make_service,
    new_key,
    result_of,
)


def in_child(action: Callable[[int], None]) -> tuple[int, int]:
    """Runs an action in a fork, with a pipe to write to; returns its process and the other end.

    SQLite's connections do not survive that: no service may be alive here.
    """
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            action(writer)
        finally:
            os._exit(0)
    os.close(writer)
    return process, reader


def lines_of(reader: int) -> list[str]:
    with os.fdopen(reader) as opened:
        return [line.rstrip("\n") for line in opened if line.endswith("\n")]


def whole(data: Path) -> dict[str, str]:
    """Digest by id of all submissions, with their texts, of a database that is not damaged."""
    with closing(database.connect(data)) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert opened.execute("PRAGMA foreign_key_check").fetchone() is None
        rows = opened.execute("SELECT id, digest FROM submissions JOIN texts USING (digest)")
        return {row["id"]: row["digest"] for row in rows}


def test_every_commit_is_synced(tmp_path: Path) -> None:
    connection = make_service(tmp_path).connect()
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2


def test_forty_kills_while_students_hand_in_lose_no_receipt_and_double_none(
    tmp_path: Path,
) -> None:
    given: dict[str, str] = {}
    chance = random.Random(59)  # noqa: S311
    asked: list[str] = []

    def hand_in_until_killed(writer: int) -> None:
        service = make_service(tmp_path)
        keys = asked[-1:] + [f"{number}-{len(asked)}" for number in range(10_000)]
        for number, key in enumerate(keys):
            person = STUDENTS[int(key.split("-")[0]) % 5]
            os.write(writer, f"asks {key}\n".encode())
            receipt = desk.hand_in(service, person, "fake_scan", key.encode(), "scan.cc", key)
            os.write(writer, f"{receipt.id} {receipt.digest}\n".encode())
            if number % 3 == 2 and (claimed := queue.claim(service, 0)):
                queue.finish(service, claimed.number, result_of(claimed.lab))

    for _ in range(40):
        process, reader = in_child(hand_in_until_killed)
        with os.fdopen(reader) as opened:
            lines = [opened.readline() for _ in range(chance.randrange(2, 12))]
            time.sleep(chance.uniform(0, 0.01))
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            lines += [line for line in opened if line.endswith("\n")]
        for line in lines:
            first, second = line.split()
            if first == "asks":
                asked.append(second)
            else:
                given[first] = second
    kept = whole(tmp_path / "data")
    assert given.items() <= kept.items()
    assert len(given) > 100
    assert len(kept) - len(given) <= 40  # written, but killed before the receipt was read
    with closing(database.connect(tmp_path / "data")) as database_of:
        graded = database_of.execute(
            "SELECT about FROM log WHERE what = 'graded' GROUP BY about HAVING COUNT(*) > 1"
        ).fetchall()
    assert graded == []


def test_two_thousand_hand_ins_from_eight_threads_are_all_kept_in_order(tmp_path: Path) -> None:
    service = make_service(tmp_path)

    def hand_in_many(thread: int) -> set[str]:
        person = STUDENTS[thread % 5]
        return {hand_in(service, person, "fake_scan", key=f"{thread}-{n}").id for n in range(250)}

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(8) as pool:
        patch.setattr(desk, "_MOST_WAITING", 2000)
        receipts = list(pool.map(hand_in_many, range(8)))
    kept = whole(service.data)
    assert set.union(*receipts) == set(kept)
    assert len(kept) == 2000
    rounds = service.connect().execute(
        "SELECT COUNT(*), COUNT(DISTINCT round) FROM submissions GROUP BY team"
    )
    assert all(count == different for count, different in rounds)


def test_processes_that_write_at_once_wait_for_each_other(tmp_path: Path) -> None:
    course = make_service(tmp_path).course

    def hand_in_many(writer: int) -> None:
        service = Service(course, tmp_path / "course.toml", tmp_path / "data", LABS, Clock())
        name = os.getpid()
        for number in range(60):
            try:
                receipt = hand_in(service, "cleo", "fake_scan", key=f"{name}-{number}")
                os.write(writer, f"{receipt.id}\n".encode())
            except Refused as refused:
                os.write(writer, f"{refused}\n".encode())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk, "_MOST_WAITING", 1000)
        children = [in_child(hand_in_many) for _ in range(3)]
        given = [line for _, reader in children for line in lines_of(reader)]
    for process, _ in children:
        os.waitpid(process, 0)
    assert len(given) == 180
    assert set(given) == set(whole(tmp_path / "data"))


def test_one_request_that_comes_sixteen_times_at_once_hands_in_once(tmp_path: Path) -> None:
    service = make_service(tmp_path, hand_in="pause_s = 60\nattempts_per_day = 1")
    key = new_key()
    with ThreadPoolExecutor(16) as pool:
        receipts = list(pool.map(lambda _: hand_in(service, text=RIGHT, key=key), range(16)))
    assert len({receipt.id for receipt in receipts}) == 1
    assert sum(receipt.is_new for receipt in receipts) == 1


def test_two_requests_at_once_use_one_attempt_each(tmp_path: Path) -> None:
    service = make_service(tmp_path, hand_in="attempts_per_day = 3")

    def attempt(_: int) -> bool:
        try:
            return bool(hand_in(service))
        except Refused:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(16))) == 3


def test_graders_in_many_threads_never_take_the_same_submission(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    for number in range(60):
        hand_in(service, STUDENTS[number % 5], "fake_scan")

    def grade(slot: int) -> list[int]:
        taken = []
        while claimed := queue.claim(service, slot):
            taken.append(claimed.number)
            assert queue.finish(service, claimed.number, result_of(claimed.lab))
        return taken

    with ThreadPoolExecutor(6) as pool:
        taken = [number for numbers in pool.map(grade, range(6)) for number in numbers]
    assert sorted(taken) == list(range(1, 61))


def refused_hand_in(service: Service) -> Refused:
    before = whole(service.data)
    with pytest.raises(Refused) as refused:
        hand_in(service, text=os.urandom(30_000).hex())
    assert whole(service.data) == before
    return refused.value


def test_a_full_disk_refuses_with_a_time_and_keeps_nothing_of_it(tmp_path: Path) -> None:
    clock = Clock()
    service = make_service(tmp_path, clock=clock)
    receipt, token = hand_in(service), people.new_token(service, "cleo", "tess")
    connection = service.connect()
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    refused = refused_hand_in(service)
    assert (refused.status, refused.retry_after) == (503, 60)
    assert "disk" in refused.error
    assert people.person_by_token(service, token) is not None
    connection.execute("PRAGMA max_page_count = 1000000")
    hand_in(service)
    assert receipt.id in whole(service.data)


def test_a_file_that_may_not_grow_refuses_too(tmp_path: Path) -> None:
    make_service(tmp_path)

    def hand_in_large_ones(writer: int) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
        service = make_service(tmp_path)
        for _ in range(20):
            try:
                receipt = hand_in(service, text=os.urandom(30_000).hex())
                os.write(writer, f"given {receipt.id}\n".encode())
            except Refused as refused:
                os.write(writer, f"refused {refused.status} {refused.retry_after}\n".encode())

    process, reader = in_child(hand_in_large_ones)
    lines = lines_of(reader)
    os.waitpid(process, 0)
    given = {line.split()[1] for line in lines if line.startswith("given")}
    assert len(lines) == 20
    assert 0 < len(given) < 20
    assert {line for line in lines if line.startswith("refused")} == {"refused 503 60"}
    assert given == set(whole(tmp_path / "data"))


def test_a_database_that_others_write_to_for_long_refuses_with_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_S", 0.2)
    service = make_service(tmp_path)
    with closing(sqlite3.connect(service.data / database.FILE_NAME)) as other:
        other.execute("BEGIN IMMEDIATE")
        refused = refused_hand_in(service)
        assert (refused.status, refused.retry_after) == (503, 5)
        assert "twice" in refused.next
        other.execute("ROLLBACK")
    hand_in(service)


def test_a_thread_that_waits_for_another_for_long_is_refused_with_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_S", 0.2)
    service = make_service(tmp_path)
    with ThreadPoolExecutor(1) as pool, service.change():
        waits = pool.submit(hand_in, service)
        with pytest.raises(Refused) as refused:
            waits.result()
    assert (refused.value.status, refused.value.retry_after) == (503, 5)
    hand_in(service)
