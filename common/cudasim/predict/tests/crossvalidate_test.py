"""Cross-validation on the textbook kernels: kinds, factors, quantile."""

from __future__ import annotations

import math

import pytest

from common.cudasim.predict.calibration import load
from common.cudasim.predict.crossvalidate import LeftOut, beyond, kind_of, left_out
from common.cudasim.predict.fit import measured
from common.cudasim.predict.kernel import Interval


def test_kernels_whose_names_begin_with_the_same_word_are_of_one_kind() -> None:
    assert kind_of("AddChunks16_14") == kind_of("Add_22") == "Add"
    assert kind_of("SumByTree_14") == "Sum"


def kernel(us: float) -> LeftOut:
    return LeftOut("Add_1", us, 10.0, Interval(4.0, 6.0, 8.0))


def test_the_factor_is_what_the_interval_must_be_wider_by() -> None:
    assert kernel(12 + 8 * 1.5).factor == pytest.approx(1.5)  # beyond a slow launch
    assert kernel(8 + 4 / 1.5).factor == pytest.approx(1.5)  # beyond a fast one
    assert kernel(16).factor < 1


def test_each_kind_counts_the_same_however_many_kernels_it_has() -> None:
    kinds = {str(kind): [1.0] for kind in range(18)}
    assert beyond(kinds | {"many": [3.0] * 1000}) == 1.0
    assert beyond(kinds | {"two": [1.0, 2.0], "many": [3.0] * 1000}) == 2.0


def test_few_kinds_say_nothing_of_the_next_one() -> None:
    assert beyond({str(kind): [1.0] for kind in range(8)}) == math.inf
    assert beyond({str(kind): [1.0] for kind in range(9)}) == 1.0
    assert beyond({str(kind): [1.0] for kind in range(8)}, more=0) == 1.0


def test_numbers_are_not_fitted_to_the_kind_that_they_predict() -> None:
    data = [row for row in measured() if row[0] in ("Add_14", "Search_14", "SumByTree_14")]
    honest = {row.label: row.beyond for row in left_out(data, load(), 30)}
    # Wrong times of one kind change what is predicted for the others, and not for itself.
    wrong = [(label, k, 1.5 * us if label == "Add_14" else us) for label, k, us in data]
    changed = {row.label: row.beyond for row in left_out(wrong, load(), 30)}
    assert changed["Add_14"] == honest["Add_14"]
    assert changed["Search_14"] != honest["Search_14"]
