"""The page of messages shows the matrix of the largest call of each function."""

import json
from pathlib import Path

import pytest

from common.mpi.messages.drawing import Traffic, matrix, sentence
from common.mpi.messages.show import largest, main

STAR = Traffic("Gather", 2, [[0, 0, 0], [2, 0, 0], [1, 0, 0]], [[0, 0, 0], [64, 0, 0], [16, 0, 0]])


def line(function: str, ranks: int, size: int) -> str:
    around = [[int((i + 1) % ranks == j) for j in range(ranks)] for i in range(ranks)]
    amounts = [[size * one for one in row] for row in around]
    return json.dumps({"function": function, "chain": 1, "messages": around, "bytes": amounts})


def test_says_how_much_is_sent_and_by_whom_most() -> None:
    assert sentence(STAR) == (
        "3 ranks send 3 messages with 80 bytes; at most 2 wait for each other. Rank 0 sends and "
        "receives 80 bytes, no rank more."
    )


def test_says_that_collectives_are_not_shown() -> None:
    assert "no messages" in sentence(Traffic("Sum", 2, [[0, 0], [0, 0]], [[0, 0], [0, 0]]))


def test_draws_a_square_for_each_pair_whose_area_is_bytes() -> None:
    figure = matrix(STAR).figure()
    assert figure.count("<rect") == 2
    assert 'width="40" height="40"' in figure
    assert 'width="20" height="20"' in figure
    assert "rank 1 to rank 0: 2 messages, 64 bytes" in figure
    assert len(matrix(STAR).table.rows) == 2


def test_shows_the_call_with_most_ranks_and_then_most_bytes() -> None:
    text = "\n".join([line("A", 2, 80), line("A", 3, 8), line("B", 3, 1), line("A", 3, 9)])
    assert [(call.function, call.ranks, call.total_bytes) for call in largest(text)] == [
        ("A", 3, 27),
        ("B", 3, 3),
    ]


def test_writes_a_page_and_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traffic, out = tmp_path / "traffic", tmp_path / "page.html"
    traffic.write_text(line("Broadcast", 2, 8), encoding="utf-8")
    assert main([str(traffic), f"--out={out}", "--title=Messages"]) == 0
    assert "Who sends to whom in Broadcast" in out.read_text(encoding="utf-8")
    assert f"Pictures: file://{out}" in capsys.readouterr().out
    assert main([str(traffic), f"--out={tmp_path}/none/page.html", "--title=Messages"]) == 1
