"""Tests of the fuzzer itself: it finds crashes, hangs and memory use, each once."""

from __future__ import annotations

import ast
import random
import time
from pathlib import Path

import pytest

from grader.fuzz.loop import Fuzzer, Outcome, save
from grader.fuzz.mutate import Mutator
from grader.fuzz.target import Target
from grader.fuzz.targets.submissions import TARGETS as SUBMISSIONS

SECONDS = 20


class RefusedError(Exception):
    """An expected one."""


def fuzz(target: Target, seconds: float = SECONDS, words: tuple[bytes, ...] = ()) -> Outcome:
    return Fuzzer(target, seed=1, words=words).run([b"seed"], seconds)


def nested(data: bytes) -> None:
    """Fails only for data that no single mutation makes."""
    if data[:1] == b"F":
        if data[1:2] == b"U":
            if data[2:3] == b"Z":
                raise IndexError
            raise RefusedError
        raise RefusedError
    raise RefusedError


@pytest.fixture(autouse=True)
def _count_this_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.fuzz.loop._OURS", Path(__file__).parent)


def test_climbs_to_a_crash_behind_several_conditions() -> None:
    fuzzer = Fuzzer(Target("nested", nested, (RefusedError,), longest=8), seed=1)
    deadline = time.monotonic() + SECONDS
    while not fuzzer.outcome.findings and time.monotonic() < deadline:
        fuzzer.run([], 0.2)
    assert fuzzer.outcome.findings[0].data[:3] == b"FUZ"
    assert fuzzer.outcome.findings[0].where.startswith("IndexError at loop_test.py:")


def test_takes_an_expected_exception_for_an_answer() -> None:
    def refuse(_: bytes) -> None:
        raise RefusedError

    assert not fuzz(Target("refuses", refuse, (RefusedError,)), 0.2).findings


def test_tells_of_each_place_once_however_much_data_leads_there() -> None:
    def fail(data: bytes) -> None:
        ast.literal_eval("{}"[len(data) % 3])

    wheres = [finding.where for finding in fuzz(Target("fails", fail), 0.5).findings]
    assert len(wheres) == len(set(wheres)) == 2


def test_ends_an_execution_that_uses_too_much_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.fuzz.loop.CPU_LIMIT_S", 0.2)

    def hang(data: bytes) -> None:
        while data:
            pass

    assert [finding.kind for finding in fuzz(Target("hangs", hang), 0.1).findings] == ["hang"]


def test_finds_data_that_takes_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.fuzz.loop.MEMORY_LIMIT_MB", 16)

    def grow(data: bytes) -> None:
        bytearray(data * (8 << 20))

    assert "memory" in fuzz(Target("grows", grow), 0.1).findings[0].where


def test_keeps_data_that_shows_new_features_where_lines_tell_nothing() -> None:
    outcome = fuzz(Target("features", lambda data: [len(data)]), 0.5)
    assert outcome.kept > 4


def test_now_and_then_tries_data_far_beyond_the_usual_length() -> None:
    lengths: list[int] = []
    target = Target("long", lambda data: lengths.append(len(data)), longest=10, huge=5000)
    fuzz(target, 0.5)
    assert max(lengths) > 4000
    assert sum(length <= 10 for length in lengths) > 0.9 * len(lengths)


def test_makes_the_same_changes_of_the_same_random_stream() -> None:
    def changes() -> list[bytes]:
        mutator = Mutator(random.Random(3), [b"word"], 64)  # noqa: S311 (no secret)
        return [mutator.mutate(b"some data", b"other") for _ in range(50)]

    assert changes() == changes()
    assert any(b"word" in data for data in changes())
    assert all(len(data) <= 64 for data in changes())


def test_saves_the_data_of_a_finding_in_a_file_named_by_its_kind(tmp_path: Path) -> None:
    def fail(data: bytes) -> None:
        raise ValueError(data)

    paths = save(fuzz(Target("fails", fail), 0.1).findings, tmp_path / "findings")
    assert [path.name[:6] for path in paths] == ["crash-"]
    assert paths[0].read_bytes() == b""


def test_makes_no_file_through_a_link_that_leads_out_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("as it was", encoding="utf-8")
    target = next(entry for entry in SUBMISSIONS if entry.name == "submission_folder")
    lines = [f"link\t->{tmp_path}", "link/new\tx", "link/sub/new\tx"]
    lines += [f"file\t->{tmp_path}/kept", "file\tgone"]
    target.check("\n".join(lines).encode())
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept").read_text(encoding="utf-8") == "as it was"
