"""Pictures of wrong results show the elements that the phrase names, and lose none."""

import json
import random
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from common.lab.failure_pictures.errors import errors_in, errors_of
from common.lab.failure_pictures.failure_page import failure_page
from common.lab.failure_pictures.pictures import pictures_of
from common.lab.failure_pictures.positions import grid_in, positions_in
from common.lab.failure_pictures.report import Source
from common.pictures.picture import Picture

_LINE = "element {first} of {size}: expected 3, got 4; 9 more are wrong: {phrase}"


def _drawn(line: str) -> ElementTree.Element:
    (picture,) = pictures_of(line, Source())
    return _parsed(picture)


def _parsed(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(picture.figure())  # noqa: S314  # our own


def _value(drawn: ElementTree.Element, name: str) -> str:
    found = [mark.get(f"data-{name}", "") for mark in drawn.iter() if mark.get(f"data-{name}")]
    return found[0] if found else ""


@pytest.mark.parametrize(
    ("phrase", "wrong"),
    [
        ("all", range(100)),
        ("from 40 to the end", range(40, 100)),
        ("from 40 to 60 but for 2", range(40, 61)),
        ("every 32nd from 31 to the end", (31, 63, 95)),
        ("every 3rd from 1 to 7", (1, 4, 7)),
        ("1 to 3 of each 8", [i for i in range(100) if i % 8 in (1, 2, 3)]),
        ("0 and 7 of each 8 from 16 to the end", [i for i in range(16, 100) if i % 8 in (0, 7)]),
        ("all but 0 of each 10 from 10 to 39", [i for i in range(10, 40) if i % 10]),
    ],
)
def test_a_phrase_names_exactly_its_elements(phrase: str, wrong: list[int]) -> None:
    positions = positions_in(phrase, 100)
    assert positions
    assert [i for i in range(100) if positions.share(i, i + 1) == 1] == list(wrong)


def test_a_part_of_the_array_has_a_share_wherever_an_element_of_it_is_wrong() -> None:
    draw = random.Random(7)  # noqa: S311  # a test's
    for _ in range(300):
        period, low = draw.randint(2, 40), draw.randint(0, 90)
        positions = positions_in(f"every {period}th from {low} to the end", 200)
        begin, end = sorted((draw.randint(0, 200), draw.randint(0, 200)))
        expected = any(i >= low and i % period == low % period for i in range(begin, end))
        assert positions
        assert (positions.share(begin, end) > 0) == expected


def test_one_element_of_millions_is_not_lost() -> None:
    drawn = _drawn("element 5000001 of 16777216: expected 3, got 4")
    assert _value(drawn, "strip").count("1") == 1


def test_every_32nd_is_a_line_in_rows_of_32() -> None:
    phrase = "every 32nd from 31 to the end"
    drawn = _drawn(_LINE.format(first=31, size=1000, phrase=phrase))
    assert _value(drawn, "map") == "8*" + "0" * 31 + "1"
    assert "every 32nd from 31 to the end" in (drawn.findtext("figcaption") or "") + "".join(
        drawn.itertext()
    )


def test_a_scan_that_breaks_at_the_second_block_is_right_before_it() -> None:
    drawn = _drawn(_LINE.format(first=256, size=2000, phrase="from 256 to the end"))
    strip = _value(drawn, "strip")
    assert re.fullmatch("0+1+", strip)
    assert abs(strip.index("1") - 256 / 2000 * len(strip)) <= 1


def test_a_wrong_border_is_a_frame() -> None:
    phrase = "rows 0 and 3 or columns 0 and 5 in 4 rows of 6"
    drawn = _drawn(_LINE.format(first=0, size=24, phrase=phrase))
    assert _value(drawn, "map") == "1*111111/2*100001/1*111111"


@pytest.mark.parametrize(
    ("phrase", "map_"),
    [
        ("column 5 in 2 rows of 6", "000001/000001"),
        ("columns 1 to 2 of rows 1 to 2 in 4 rows of 4", "0000/0110/0110/0000"),
        ("row 1 or every 2nd column from 0 to the end in 2 rows of 4", "1010/1111"),
        ("columns 0 and 3 of each 4 in 1 rows of 8", "10011001"),
        (
            "row 2 or column 1 inside the border in 5 rows of 4 but for 1",
            "0000/0100/0110/0100/0000",
        ),
        ("row 0 of slice 7 in 8 slices of 2 rows of 4", "1111/0000"),
    ],
)
def test_a_grid_has_its_rows_and_columns(phrase: str, map_: str) -> None:
    grid = grid_in(phrase)
    assert grid
    assert "/".join(grid.wrong(grid.rows, grid.columns)) == map_


@pytest.mark.parametrize(("rows", "columns"), [(60, 84), (60, 390), (119, 771)])
def test_a_grid_of_many_pieces_is_a_small_picture(rows: int, columns: int) -> None:
    odd = "from 1 to the end"
    phrase = f"every 2nd column {odd} of every 2nd row {odd} in {rows} rows of {columns}"
    (picture,) = pictures_of(_LINE.format(first=5, size=rows * columns, phrase=phrase), Source())
    assert "data-map" in picture.figure()
    assert len(picture.figure()) < 50_000


def test_elements_without_a_rule_have_no_strip_where_only_the_sentence_is_known() -> None:
    drawn = _drawn(_LINE.format(first=5, size=100, phrase="between 5 and 91"))
    assert _value(drawn, "strip") == ""
    assert "between 5 and 91" in "".join(drawn.itertext())


def test_what_a_comparison_wrote_at_home_has_neighbours_writers_and_every_part() -> None:
    near = [[30, "1", "1", False, "block 0"], [31, "2", "<b>", True, "block 1"]]
    line = _LINE.format(first=31, size=1000, phrase="between 31 and 900")
    written = {"message": line, "near": near, "cells": [0, 0.5, 0, 1], "grid": ["010", "000"]}
    errors = errors_of(written)
    assert errors
    drawn = _parsed(errors.picture())
    assert _value(drawn, "strip") == "0101"
    assert _value(drawn, "map") == "1*010/1*000"
    cells = [cell.text for cell in drawn.iter("td")]
    assert cells == ["30", "1", "1", "block 0", "31", "2", "<b>", "block 1"]


def test_the_tolerance_and_what_was_never_written_belong_to_no_other_field() -> None:
    (errors,) = errors_in(
        "x.cc:3: element 4096 of 9000: expected 3.25, got nan (never written), tolerance 1e-06; "
        "4903 more are wrong: from 4096 to the end"
    )
    assert (errors.first, errors.size, errors.more) == (4096, 9000, 4903)
    assert errors.near[0].expected == "3.25"
    assert errors.near[0].got == "nan (never written)"


@pytest.mark.parametrize(
    "line",
    [
        "element 9 of 9: expected 1, got 2",
        "element 0 of 9: expected 1",
        _LINE.format(first=0, size=9, phrase="0 of each 0"),
        _LINE.format(first=0, size=9, phrase="every 0th from 0 to the end"),
        _LINE.format(first=0, size=9, phrase="0 of each 99999999999"),
        _LINE.format(first=0, size=9, phrase="0 to 99999999999 of each 3"),
        _LINE.format(first=0, size=9, phrase="rows 0 to 9999999999 in 9999999999 rows of 9999999"),
        _LINE.format(first=0, size=9, phrase="column 0 in 0 rows of 0"),
    ],
)
def test_a_line_that_makes_no_sense_is_harmless(line: str) -> None:
    for picture in pictures_of(line, Source()):
        assert len(picture.figure()) < 20_000


def test_long_fractions_are_as_short_as_tells_them_apart() -> None:
    (errors,) = errors_in("element 1 of 9: expected 16.35738079238859, got 16.35738179238859")
    words = "\n".join("".join(mark.itertext()) for mark in [_parsed(errors.picture())])
    assert "16.357381" in words
    assert "16.357382" in words
    assert "16.3574" not in words


def test_the_page_of_a_test_has_a_section_for_each_failure_and_none_without(tmp_path: Path) -> None:
    assert failure_page(tmp_path, Source()) == ""
    line = _LINE.format(first=31, size=1000, phrase="every 32nd from 31 to the end")
    written = {"test": "Sum.Adds", "message": line, "near": [[31, "3", "4", True, ""]]}
    text = json.dumps(written | {"cells": [1], "grid": []})
    cut = text[: len(text) // 2]  # by the end of the program
    (tmp_path / "errors").write_text(f"{text}\n{text}\n{cut}", encoding="utf-8")
    finding = {"kind": "data_race", "message": "kernel K, a.cu:2: …", "details": _DETAILS}
    found = json.dumps({"findings": [finding]})
    (tmp_path / "findings.json").write_text(found, encoding="utf-8")
    html = failure_page(tmp_path, Source({"a.cu": ["", "x = y;"]}), lab="labs/a")
    assert re.findall("<h2>(.*?)</h2>", html) == ["What is not ordered", "Sum.Adds", "Sum.Adds"]
    assert "x = y;" in html
    assert "labs/" not in html
    assert len(html) < 40_000


_DETAILS = [
    "thread (1, 0, 0) of block (7, 0, 0): read of 4 bytes at labs/a/a.cu:2",
    "thread (0, 2, 0) of block (7, 0, 0): write at a.cu:1",
]
