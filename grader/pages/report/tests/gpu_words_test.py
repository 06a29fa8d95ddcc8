"""Speed of a call on a GPU as a sentence, in every report."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from grader.model.result import GpuTiming, Result
from grader.pages.presentation.feedback import write_feedback
from grader.pages.presentation.gpu_words import gpu_words, rate_text, share_text, timing_lines
from grader.pages.presentation.tests.made_up_class import H100, gpu_lab, gpu_result
from grader.pages.report.html import write_report
from grader.pages.report.terminal import print_student

MEMORY = (
    "On the NVIDIA H100 80GB HBM3: 1.5 TB/s, 50 % of the rate of a copy (the reference: 2.4 TB/s)."
)


def words_of(ms: float = 8, **changed: float | str | None) -> str | None:
    timing = gpu_result("s", H100.model_copy(update=changed), None, ms=ms).parts[0].timing
    assert timing
    return gpu_words(timing)


def reports(result: Result, folder: Path) -> tuple[str, str, str]:
    page = write_report([result], gpu_lab(), folder).read_text(encoding="utf-8")
    out = io.StringIO()
    print_student(result, gpu_lab(), Console(file=out, width=600))
    feedback = write_feedback(result, gpu_lab(), folder).read_text(encoding="utf-8")
    return page, out.getvalue(), feedback


@pytest.mark.parametrize(
    ("giga", "text"),
    [
        (0.0123, "12.3 MB/s"),
        (0.9996, "1 GB/s"),
        (57.34, "57.3 GB/s"),
        (999.4, "999 GB/s"),
        (999.6, "1 TB/s"),
        (2981, "2.98 TB/s"),
        (0, "0 MB/s"),
    ],
)
def test_a_rate_has_three_digits_and_the_unit_that_fits(giga: float, text: str) -> None:
    assert rate_text(giga, "B/s") == text


@pytest.mark.parametrize(
    ("share", "text"), [(0.004, "less than 1 %"), (0.574, "57 %"), (1.04, "104 %")]
)
def test_a_share_is_in_whole_percent(share: float, text: str) -> None:
    assert share_text(share) == text


def test_below_the_ridge_and_at_it_the_words_are_about_a_copy() -> None:
    assert words_of() == MEMORY
    assert words_of(operations=240e9) == MEMORY


def test_above_the_ridge_the_words_are_about_the_cores() -> None:
    assert words_of(bytes=1e9, operations=40e9) == (
        "On the NVIDIA H100 80GB HBM3: 5 TFLOP/s, 8 % of the peak rate of its cores "
        "(the reference: 8 TFLOP/s)."
    )


@pytest.mark.parametrize("operations", [0, 1e9, 1e15])
def test_where_no_peak_or_no_operation_is_known_the_words_are_about_a_copy(
    operations: float,
) -> None:
    assert words_of(fp32_gflop_s=None, operations=operations) == MEMORY


def test_a_call_without_a_gpu_has_only_the_timing_sentence() -> None:
    timing = gpu_result("s", None, None).parts[0].timing
    assert timing
    assert gpu_words(timing) is None
    (line,) = timing_lines(timing)
    assert "times the reference" in line


def test_feedback_page_and_terminal_use_the_same_sentence(tmp_path: Path) -> None:
    page, terminal, feedback = reports(gpu_result("s", H100, None), tmp_path)
    escaped = MEMORY.replace("(", r"\(").replace(")", r"\)")
    for text, words in ((page, MEMORY), (terminal, MEMORY), (feedback, escaped)):
        assert text.count(words) == 1
    assert page.count('class="curve"') == 1


def test_reports_of_a_class_without_a_gpu_do_not_mention_one(tmp_path: Path) -> None:
    for text in reports(gpu_result("s", None, None), tmp_path):
        for word in ("On the", "FLOP", "Roofline", 'class="curve"', 'class="key"'):
            assert word not in text


def test_a_devices_name_is_text_in_every_report(tmp_path: Path) -> None:
    name = "<b>[x](y)\n# $a$\x1b[31m"
    gpu = GpuTiming.model_validate(H100.model_dump() | {"device": name})
    page, terminal, feedback = reports(gpu_result("s", gpu, gpu), tmp_path)
    assert "<b>[x]" not in page
    assert "&lt;b&gt;[x](y) # $a$" in page
    assert "<b>[x](y) # $a$: 1.5 TB/s" in terminal
    assert r"\<b\>\[x\]\(y\) \# $a$: 1.5 TB/s" in feedback
