"""The charts of a class that was timed on GPUs."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from grader.model.result import GpuTiming, Result
from grader.pages.presentation.tests.made_up_class import (
    H100,
    gpu_class,
    gpu_lab,
    gpu_result,
    made_up_class,
)
from grader.pages.report.gpu_figures import GpuFigure, gpu_figures
from grader.pages.report.html import write_report
from grader.pages.report.summary import ClassSummary

A100 = GpuTiming(
    device="NVIDIA A100", copy_gb_s=1300, fp32_gflop_s=19_500, bytes=12e9, operations=1e9
)
MOVES = H100.model_copy(update={"operations": 0})


def figures_of(results: Iterable[Result]) -> list[GpuFigure]:
    summary = ClassSummary(gpu_lab())
    for result in results:
        summary.add(result)
    return gpu_figures(summary.parts.values())


def test_a_class_without_a_gpu_gets_no_chart() -> None:
    assert figures_of(made_up_class(20)) == []


def test_one_picture_has_every_part_with_its_name_share_and_place() -> None:
    (figure,) = figures_of([gpu_result("a", H100, H100), gpu_result("b", H100, H100, ms=40)])
    assert figure.title == "Roofline: NVIDIA H100 80GB HBM3"
    words = "(0.0833 operations per byte): median 30 % of the limit, reference 80 %"
    assert figure.key == [(1, f"Partial sums {words}"), (2, f"Work queue {words}")]


def test_two_devices_have_a_picture_each_with_the_roof_of_their_own() -> None:
    results = [gpu_result("a", H100, H100), gpu_result("b", A100, A100, ms=20)]
    ampere, hopper = figures_of(results)
    assert [ampere.title, hopper.title] == [
        "Roofline: NVIDIA A100",
        "Roofline: NVIDIA H100 80GB HBM3",
    ]
    assert "a copy: 1.3 TB/s" in ampere.svg
    assert "a copy: 3 TB/s" in hopper.svg
    assert "46 % of the limit" in ampere.key[0][1]
    assert "50 % of the limit" in hopper.key[0][1]


def test_the_roof_is_the_median_of_what_was_measured() -> None:
    measured = (2900, 2950, 100)
    gpus = [H100.model_copy(update={"copy_gb_s": speed}) for speed in measured]
    (figure,) = figures_of(gpu_result(f"{gpu.copy_gb_s}", gpu, gpu) for gpu in gpus)
    assert "a copy: 2.9 TB/s" in figure.svg


def test_a_part_without_operations_has_a_picture_of_its_own_and_keeps_its_number() -> None:
    roofline, memory = figures_of([gpu_result("a", H100, MOVES)])
    assert [number for number, _ in roofline.key] == [1]
    assert memory.title == "Memory: NVIDIA H100 80GB HBM3"
    assert memory.key == [(2, "Work queue: median 50 % of the limit, reference 80 %")]
    (alone,) = figures_of([gpu_result("a", MOVES, MOVES)])
    assert alone.title == memory.title


def test_a_part_whose_operations_were_counted_for_some_students_only_has_both_forms() -> None:
    results = [gpu_result("a", H100, None), *(gpu_result(n, MOVES, None) for n in "bc")]
    roofline, memory = figures_of(results)
    assert [figure.key[0][0] for figure in (roofline, memory)] == [1, 1]
    assert "(0.0833 operations per byte)" in roofline.key[0][1]


def test_a_part_that_nobody_had_timed_on_a_gpu_is_left_out() -> None:
    (figure,) = figures_of([gpu_result("a", None, H100), gpu_result("b", None, H100)])
    assert [number for number, _ in figure.key] == [2]


@pytest.mark.parametrize(("students", "words"), [(200, "Each dot"), (201, "Each bar")])
def test_the_note_tells_what_is_drawn(students: int, words: str) -> None:
    (figure,) = figures_of(gpu_class(students, H100, H100))
    assert figure.note.startswith(words)
    assert "a call near the line is near the limit of the GPU" in figure.note
    assert "the peak rate of the cores on the flat part" in figure.note


def test_the_note_tells_of_dots_and_bars_where_both_are_drawn() -> None:
    few = [gpu_result(f"student{n}", H100, None) for n in range(150)]
    (figure,) = figures_of([*few, *gpu_class(100, H100, H100)])
    assert figure.note.startswith("Each dot is a student's call, each bar is a whole class")


def test_the_note_says_that_a_peak_is_not_known() -> None:
    gpu = H100.model_copy(update={"fp32_gflop_s": None})
    (figure,) = figures_of([gpu_result("a", gpu, gpu)])
    assert "the peak rate of the cores is not known here" in figure.note
    assert "flat part" not in figure.note


def test_the_page_shows_each_picture_with_its_words(tmp_path: Path) -> None:
    results = [gpu_result("a", H100, MOVES), gpu_result("b", A100, MOVES)]
    page = write_report(results, gpu_lab(), tmp_path).read_text(encoding="utf-8")
    figures = figures_of(results)
    assert len(figures) == 3
    for figure in figures:
        assert page.count(f"<figcaption>{figure.title}</figcaption>") == 1
        assert figure.svg in page
        assert figure.note.split("'")[0] in page
        for number, words in figure.key:
            assert f'<li value="{number}">{words}</li>' in page


def test_a_thousand_students_make_a_small_page(tmp_path: Path) -> None:
    def size(*gpus: GpuTiming | None) -> int:
        results = (gpu_result(f"student{n}", *gpus, ms=4 + n / 50) for n in range(1000))
        return write_report(results, gpu_lab(), tmp_path).stat().st_size

    assert size(H100, H100) - size(None, None) < 1000 * 2 * 1300 + 20_000
