"""Cross-validation on sets of measured kernels: kinds, factors, quantile, order."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from common.cudasim.predict.calibration import load
from common.cudasim.predict.crossvalidate import (
    LeftOut,
    beyond,
    beyond_of,
    kind_of,
    left_out,
    order,
)
from common.cudasim.predict.fit import measured_sets
from common.cudasim.predict.kernel import Interval


def test_kernels_whose_names_begin_with_the_same_word_are_of_one_kind() -> None:
    assert kind_of("AddChunks16_14") == kind_of("Add_22") == "Add"
    assert kind_of("SumByTree_14") == "Sum"


def kernel(us: float, label: str = "Add_1", of_set: str = "textbook") -> LeftOut:
    return LeftOut(of_set, label, us, 10.0, Interval(4.0, 6.0, 8.0))


def test_the_factor_is_what_the_interval_must_be_wider_by() -> None:
    assert kernel(12 + 8 * 1.5).factor == pytest.approx(1.5)  # beyond a slow launch
    assert kernel(8 + 4 / 1.5).factor == pytest.approx(1.5)  # beyond a fast one
    assert kernel(16).factor < 1


def test_each_kind_counts_the_same_however_many_kernels_it_has() -> None:
    kinds = {str(kind): [1.0] for kind in range(38)}
    assert beyond(kinds | {"many": [3.0] * 1000}) == 1.0
    assert beyond(kinds | {"two": [1.0, 2.0], "many": [3.0] * 1000}) == 2.0


def test_few_kinds_say_nothing_of_the_next_one() -> None:
    assert beyond({str(kind): [1.0] for kind in range(18)}) == math.inf
    assert beyond({str(kind): [1.0] for kind in range(19)}) == 1.0
    assert beyond({str(kind): [1.0] for kind in range(18)}, more=0) == 1.0


def test_the_factor_is_that_of_the_most_different_sets() -> None:
    def kernels(of_set: str, factor: float) -> list[LeftOut]:
        labels = [f"{chr(65 + kind)}_1" for kind in range(20)]
        return [kernel(12 + 8 * factor, label, of_set) for label in labels]

    alike = kernels("one", 1.5) + kernels("two", 1.5)
    assert beyond_of(alike, False) == pytest.approx(1.5)
    # Without the second set all of the rest are missed by 3.
    assert beyond_of(kernels("one", 3.0) + kernels("two", 1.5), False) == pytest.approx(3)


def test_kernels_with_atomics_have_a_factor_of_their_own_and_count_the_same() -> None:
    def kernels(count: int, factor: float) -> list[LeftOut]:
        one = replace(kernel(12 + 8 * factor), has_atomics=True)
        return [replace(one, of_set=of_set) for of_set in ("one", "two") for _ in range(count)]

    assert beyond_of(kernels(96, 1.5) + kernels(4, 9.0), True) == pytest.approx(1.5)
    assert beyond_of(kernels(94, 1.5) + kernels(6, 9.0), True) == pytest.approx(9)
    assert beyond_of(kernels(96, 1.5), False) == math.inf


def version(name: str, us: float, predicted: float, problem: str = "Sort") -> LeftOut:
    rest = predicted - 10
    return LeftOut("judged", f"{problem}.{name}_64", us, 10.0, Interval(rest, rest, rest))


def test_versions_are_in_order_if_the_faster_one_is_predicted_to_be() -> None:
    fast, slow = version("fast", 20, 30), version("slow", 40, 31)
    assert order([fast, slow]) == [True]
    assert order([fast, version("slow", 40, 29)]) == [False]


def test_a_versions_kernels_are_added_and_other_problems_are_not_compared() -> None:
    halves = [version("two", 20, 20), version("two", 20, 20)]
    assert order([*halves, version("one", 30, 30)]) == [True]
    assert order([version("one", 30, 30), version("one", 60, 20, "Scan")]) == []
    assert order([version("one", 30, 30), version("two", 35, 20)]) == []  # nearly the same


def test_numbers_are_not_fitted_to_the_set_that_they_predict() -> None:
    sets = {name: rows[:5] for name, rows in measured_sets().items()}
    honest = {row.label: row.beyond for row in left_out(sets, load(), 30)}
    # Wrong times of one set change what is predicted for the others, and not for itself.
    wrong = sets | {"textbook": [(label, k, 3 * us) for label, k, us in sets["textbook"]]}
    changed = {row.label: row.beyond for row in left_out(wrong, load(), 30)}
    for label, _, _ in sets["textbook"]:
        assert changed[label] == honest[label]
    assert any(changed[label] != honest[label] for label, _, _ in sets["judged"])
