"""Copies are found however they were disguised, and what students were given is not."""

import re
from itertools import combinations
from pathlib import Path
from typing import cast

import pytest

from grader.model.lab import Lab, parse_lab
from grader.people.similar.given import given_lines, without
from grader.people.similar.page import Facts, lines, write_page
from grader.people.similar.pairs import Pair, group, most_alike
from grader.people.similar.sim import PROGRAM, Run, Share, Sim
from grader.proof.fakes.fake_kit import LAB
from grader.sandbox.folders import work_folder

_JAIL = Path("grader/sandbox/jail/jail")
needs_sim = pytest.mark.skipif(
    not PROGRAM.exists() or not _JAIL.exists(),
    reason=f"no {PROGRAM} (similarity-tester), or no jail: run by bazel test",
)
_LOOP = """
double Total(const std::vector<double>& values, int count) {
  // Adds every block by itself.
  double total = 0;
  for (int block = 0; block < count; ++block) {
    const int first = block * 64;
    for (int i = first; i < first + 64 && i < static_cast<int>(values.size()); ++i) {
      if (values[i] > 0) total += values[i] * 2; else total -= values[i];
    }
  }
  return total;
}
"""
_SEARCH = """
int Find(const std::vector<int>& sorted, int wanted) {
  int low = 0, high = static_cast<int>(sorted.size());
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (sorted[middle] < wanted) low = middle + 1; else high = middle;
  }
  return low < static_cast<int>(sorted.size()) && sorted[low] == wanted ? low : -1;
}
"""
_OTHER = """
struct Counter {
  void Add(const std::string& word) { ++counts[word.empty() ? std::string("-") : word]; }
  std::map<std::string, unsigned long> counts;
};
std::string Longest(const Counter& counter) {
  std::string best;
  for (const auto& [word, count] : counter.counts) best = word.size() > best.size() ? word : best;
  return best + std::to_string(counter.counts.size()) + std::string(3, '!');
}
bool Same(const Counter& a, const Counter& b) { return a.counts == b.counts; }
"""
_NAMES = {"Total": "Sum", "values": "v", "total": "s", "block": "q", "first": "start", "i": "k"}


def _renamed(text: str) -> str:
    return re.sub(r"\b[A-Za-z]+\b", lambda word: _NAMES.get(word[0], word[0]), text)


def _reformatted(text: str) -> str:
    return "// my own work\n" + text.replace(" {", "\n{").replace("; ", ";\n").replace("  ", "\t")


COPIES = {
    "renamed": _renamed(_LOOP + _SEARCH),
    "reordered": _SEARCH + _LOOP,
    "reformatted": _reformatted(_LOOP + _SEARCH),
    "comments_changed": (_LOOP + _SEARCH).replace("Adds every block by itself", "see the book"),
    "all_of_it": _reformatted(_renamed(_SEARCH + _LOOP)),
}


def _compared(texts: dict[str, str], at_least: int = 80) -> list[Pair]:
    with work_folder() as folder:
        return most_alike(
            Sim(_JAIL, folder, list(texts.values())), group(texts, texts), at_least, 50
        )


@needs_sim
@pytest.mark.parametrize("copy", sorted(COPIES))
def test_finds_a_copy(copy: str) -> None:
    (pair,) = _compared({"ann": _LOOP + _SEARCH, "ben": COPIES[copy], "cat": _OTHER})
    assert (pair.left, pair.right) == (("ann",), ("ben",))
    assert pair.percent >= 95
    assert pair.runs


@needs_sim
def test_does_not_show_texts_that_share_little() -> None:
    assert _compared({"ann": _LOOP + _SEARCH, "ben": _OTHER}) == []


@needs_sim
def test_ranks_a_copy_above_a_text_that_shares_a_function() -> None:
    pairs = _compared(
        {"ann": _LOOP + _SEARCH, "ben": COPIES["all_of_it"], "cat": _SEARCH + _OTHER}, at_least=20
    )
    assert (pairs[0].left, pairs[0].right) == (("ann",), ("ben",))
    assert {pair.right for pair in pairs[1:]} == {("cat",)}
    assert all(pair.percent < 60 for pair in pairs[1:])


@needs_sim
def test_ignores_texts_that_are_too_short_to_tell() -> None:
    assert (
        _compared({"ann": "int Two() { return 2; }\n", "ben": "int Zwei() { return 2; }\n"}) == []
    )


@needs_sim
def test_shows_all_pairs_of_a_group_of_copies() -> None:
    texts = {f"student{n}": text for n, text in enumerate(COPIES.values())}
    pairs = _compared({**texts, "zoe": _OTHER})
    assert len(pairs) == 5 * 4 // 2


class _Shares:
    """Stands for sim: texts 0 to 3 are copies, of which it names two pairs; 4 is another text."""

    def tokens(self) -> dict[int, int]:
        return dict.fromkeys(range(5), 100)

    def candidates(self, _at_least: int) -> list[Share]:
        return [Share(2, 3, 90), Share(0, 1, 90), Share(1, 0, 90), Share(4, 3, 40)]

    def shares(self, left: int, right: int) -> tuple[int, int]:
        return (20, 20) if 4 in (left, right) else (90, 85)

    def runs(self, _left: int, _right: int) -> list[Run]:
        return []


def _of_stand_in(*earlier: str) -> set[tuple[str, str]]:
    texts = {name: name for name in "abcde"}
    grouped = group(texts, texts, earlier)
    pairs = most_alike(cast("Sim", _Shares()), grouped, 80, 50)
    assert len(pairs) == len({frozenset((pair.left, pair.right)) for pair in pairs})
    return {(pair.left[0], pair.right[0]) for pair in pairs}


def test_compares_all_of_those_that_hang_together() -> None:
    assert _of_stand_in() == set(combinations("abcd", 2))


def test_does_not_compare_earlier_terms_among_themselves() -> None:
    assert _of_stand_in("a", "b") == set(combinations("abcd", 2)) - {("a", "b")}


def test_students_with_one_text_are_one_entry() -> None:
    grouped = group({"cat": "b", "ann": "a", "ben": "a"}, {"ann": "x", "ben": "x", "cat": "y"})
    assert grouped.students == [("ann", "ben"), ("cat",)]
    assert (grouped.whole, grouped.own) == (["a", "b"], ["x", "y"])


def test_given_lines_are_left_out_whatever_their_spacing_and_others_keep_their_numbers() -> None:
    given = given_lines(["void Sum(float* values, int n) {\n  // TODO\n}\n"])
    text = "void  Sum( float* values, int n ) {\n  return own;\n}\n"
    assert without(given, text) == "\n  return own;\n}\n"


def _lab() -> Lab:
    return parse_lab(LAB.encode(), Path("lab.toml"))


def _pair(text: str) -> Pair:
    return Pair(("ann",), ("ben",), 90, 80, text, text, (Run((2, 3), (1, 2), 40),))


def test_a_line_belongs_to_the_longest_part_that_it_is_in() -> None:
    pair = Pair(
        *(("ann",), ("ben",), 90, 80, "a\nb\nc\nd\n", "x\n"),
        (Run((2, 3), (1, 1), 40), Run((3, 4), (1, 1), 30)),
    )
    assert [line.part for line in lines(pair, frozenset(), 0)] == [0, 1, 1, 2]
    assert [line.part for line in lines(pair, frozenset(), 1)] == [1]


def test_the_page_escapes_what_students_wrote(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script>\n</td><b>\n"
    page = write_page([_pair(hostile)], _lab(), Facts(2, 2, 80), frozenset(), tmp_path / "p.html")
    html = page.read_text(encoding="utf-8")
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert "<b>" not in html


def test_the_page_says_that_it_accuses_nobody(tmp_path: Path) -> None:
    page = write_page([], _lab(), Facts(2, 2, 80), frozenset(), tmp_path / "p.html")
    html = page.read_text(encoding="utf-8")
    assert "Nothing here was counted against anyone" in html
    assert "No two texts share that much" in html
