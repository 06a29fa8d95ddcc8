"""Rates of a timed call on a GPU, in every export."""

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grader.model.lab import Lab
from grader.model.result import GpuTiming, Result
from grader.pages.export import write
from grader.pages.export.gradescope import document
from grader.pages.presentation.tests.made_up_class import H100, LAB, gpu_lab, gpu_result

WORDS = "On the NVIDIA H100 80GB HBM3: 1.5 TB/s, 50 % of the rate of a copy"


def row_of(result: Result, lab: Lab, folder: Path) -> dict[str, str]:
    (path,) = write("csv", [result], lab, folder / "out.csv")
    (row,) = csv.DictReader(path.read_text(encoding="utf-8").splitlines(), strict=True)
    return row


def test_csv_has_the_device_both_rates_and_the_share(tmp_path: Path) -> None:
    row = row_of(gpu_result("s", H100, None), gpu_lab(), tmp_path)
    columns = [f"SumPartial_{name}" for name in ("gpu", "gb_s", "gflop_s", "limit_share")]
    assert [row[name] for name in columns] == ["NVIDIA H100 80GB HBM3", "1500", "125", "0.5"]
    assert [row[name.replace("Partial", "Queue")] for name in columns] == [""] * 4
    assert (row["SumPartial_ratio"], row["seed"]) == ("1.6", "7")


def test_csv_of_a_cpu_lab_has_no_gpu_columns(tmp_path: Path) -> None:
    row = row_of(gpu_result("s", None, None), LAB, tmp_path)
    assert not [name for name in row if name.endswith(("_gpu", "_gb_s", "_limit_share"))]


def test_csv_never_takes_a_device_for_a_formula(tmp_path: Path) -> None:
    gpu = H100.model_copy(update={"device": "=1+1"})
    assert row_of(gpu_result("s", gpu, gpu), gpu_lab(), tmp_path)["SumPartial_gpu"] == "'=1+1"


@pytest.mark.parametrize("gpu", [H100, None], ids=["gpu", "none"])
def test_gradescope_and_junit_give_rates_below_the_timing_only_on_a_gpu(
    gpu: GpuTiming | None, tmp_path: Path
) -> None:
    result = gpu_result("s", gpu, None)
    tests = {test["number"]: test["output"] for test in document(result, gpu_lab())["tests"]}
    (path,) = write("junit", [result], gpu_lab(), tmp_path / "junit.xml")
    root = ElementTree.parse(path).getroot()  # noqa: S314
    cases = {case.get("name"): "".join(case.itertext()) for case in root.iter("testcase")}
    for text in (tests["1.1"], cases["Partial sums: timing"]):
        assert "times the reference" in text
        assert (f"\n{WORDS}" in text) is (gpu is not None)
    for text in (tests["2.1"], cases["Work queue: timing"]):
        assert "On the" not in text


def test_junit_gives_rates_also_where_no_points_are_earned(tmp_path: Path) -> None:
    result = gpu_result("s", H100, None, ms=40)
    (path,) = write("junit", [result], gpu_lab(), tmp_path / "junit.xml")
    failure = ElementTree.parse(path).getroot().find(".//failure")  # noqa: S314
    assert failure is not None
    assert "300 GB/s, 10 % of the rate of a copy" in (failure.text or "")


def test_json_gives_back_what_was_measured(tmp_path: Path) -> None:
    (path,) = write("json", [gpu_result("s", H100, None)], gpu_lab(), tmp_path / "out.json")
    (entry,) = json.loads(path.read_text(encoding="utf-8"))["results"]
    first, second = (part["timing"]["gpu"] for part in entry["parts"])
    assert GpuTiming.model_validate(first) == H100
    assert second is None


def test_feedback_gives_rates(tmp_path: Path) -> None:
    (path,) = write("feedback", [gpu_result("s", H100, None)], gpu_lab(), tmp_path)
    assert path.read_text(encoding="utf-8").count(WORDS) == 1
