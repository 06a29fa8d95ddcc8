"""Every reader of a student's bytes returns a result or refuses them, whatever the bytes are.

Hypothesis changes the files of a format's corpus. FUZZ_EXAMPLES=100000 tries so many, which differ
from run to run.
"""

import contextlib
import os
import resource
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from grader.proof.fuzz.target import Target
from grader.proof.fuzz.targets import TARGETS
from grader.proof.fuzz.words import WORDS

# Names in archives may be equal.
pytestmark = pytest.mark.filterwarnings("ignore:Duplicate name")

_HERE = Path(__file__).parent
_ASKED = os.environ.get("FUZZ_EXAMPLES")
_EXAMPLES = int(_ASKED or 200)
_EXAMPLES_PER_HUGE = 20
_CPU_S = 5.0
_ADDRESS_SPACE = 3 << 30
"""Bytes. An allocation beyond it raises MemoryError, which is a finding."""

Edit = tuple[int, int, bytes, int]
"""Where, how many bytes are erased, what is inserted, and how often."""


@pytest.fixture(scope="module", autouse=True)
def _limit_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Limits this process's memory; Hypothesis's own files go to a temporary folder."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, before[1]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HYPOTHESIS_STORAGE_DIRECTORY", str(tmp_path_factory.mktemp("hypothesis")))
        yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def corpus(target: Target) -> list[bytes]:
    """The files that are changed."""
    folder = _HERE / "corpus" / (target.format or target.name)
    return [path.read_bytes() for path in sorted(folder.iterdir())]


def changed(
    seeds: Sequence[bytes], words: Sequence[bytes], longest: int
) -> st.SearchStrategy[bytes]:
    """Seeds with up to eight edits each; at most `longest` bytes."""
    places = st.integers(0, longest)
    pieces = (
        st.sampled_from([*words, b""])
        | st.binary(max_size=8)
        | st.integers(0, 1 << 64).map(lambda number: str(number).encode())
        | st.builds(lambda seed, at: seed[at % len(seed) :], st.sampled_from(seeds), places)
    )
    erased, times = st.sampled_from((0, 0, 1, 8, 64)), st.sampled_from((1, 1, 1, 2, 40))
    edits = st.lists(st.tuples(places, erased, pieces, times), max_size=8)

    def edited(data: bytes, edits: list[Edit]) -> bytes:
        for place, size, piece, count in edits:
            at = place % (len(data) + 1)
            data = data[:at] + piece * count + data[at + size :]
        return data[:longest]

    return st.builds(edited, st.sampled_from(seeds), edits)


def repeated(seeds: Sequence[bytes], size: int) -> st.SearchStrategy[bytes]:
    """Seeds in which one short piece is repeated until there are `size` bytes."""

    def blown_up(data: bytes, place: int, length: int) -> bytes:
        at = place % len(data)
        piece = data[at : at + length]
        return (data[:at] + piece * (size // len(piece)) + data[at:])[:size]

    return st.builds(blown_up, st.sampled_from(seeds), st.integers(0, 4096), st.integers(1, 16))


def survives(target: Target, data: st.SearchStrategy[bytes], *also: bytes, count: int) -> None:
    """Fails with the shortest data that the reader neither reads nor refuses."""

    def check(data: bytes) -> None:
        start = time.process_time()
        with contextlib.suppress(*target.refusals):
            target.check(data)
        assert time.process_time() - start < _CPU_S

    for seed in also:
        check = example(data=seed)(check)
    chosen = settings(
        max_examples=count,
        derandomize=not _ASKED,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    chosen(given(data=data)(check))()


each_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)


@each_target
def test_reads_or_refuses_whatever_its_corpus_is_changed_into(target: Target) -> None:
    seeds = corpus(target)
    data = changed(seeds, WORDS[target.format or target.name], target.longest)
    survives(target, data, b"", *seeds, count=_EXAMPLES)


@each_target
def test_reads_or_refuses_one_piece_many_times_over(target: Target) -> None:
    data = repeated(corpus(target), target.huge)
    survives(target, data, count=_EXAMPLES // _EXAMPLES_PER_HUGE + 1)


def test_finds_what_a_reader_does_not_survive() -> None:
    def check(data: bytes) -> None:
        assert b"bang" not in data

    with pytest.raises(AssertionError):
        survives(Target("", check), changed([b"seed"], [b"bang"], 64), count=_EXAMPLES)


def test_makes_no_file_through_a_link_that_leads_out_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("as it was", encoding="utf-8")
    target = next(entry for entry in TARGETS if entry.name == "submission_folder")
    lines = [f"link\t->{tmp_path}", "link/new\tx", "link/sub/new\tx"]
    lines += [f"file\t->{tmp_path}/kept", "file\tgone"]
    target.check("\n".join(lines).encode())
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept").read_text(encoding="utf-8") == "as it was"
