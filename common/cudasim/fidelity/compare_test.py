"""Parsing and arithmetic of the comparison, without a GPU."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from common.cudasim.fidelity import compare


def csv_of(kernel: str, values: dict[str, str]) -> str:
    names = ["ID", "Kernel Name", *compare.metrics()]
    units = ["", "", *("sector" for _ in compare.metrics())]
    row = ["0", kernel, *(values.get(metric, "0") for metric in compare.metrics())]
    lines = [",".join(f'"{field}"' for field in line) for line in (names, units, row)]
    return "\n".join(["==PROF== Connected to process 1", *lines])


def profile_of(kernel: str, **counters: int) -> str:
    all_counters = dict.fromkeys(compare.COUNTERS, 0) | counters
    return json.dumps({"kernels": [{"kernel": kernel, "counters": all_counters}]})


LOAD = compare.COUNTERS["global_load_sectors"][0]
RED, ATOM = compare.COUNTERS["global_atomic_requests"]


def run(tmp_path: Path, profile: str, ncu: str) -> int:
    (tmp_path / "profile.json").write_text(profile)
    (tmp_path / "ncu.csv").write_text(ncu)
    files = ["--profile", str(tmp_path / "profile.json"), "--ncu", str(tmp_path / "ncu.csv")]
    return compare.main(files)


def test_equal_counts_are_exact(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ncu = csv_of("K(Memory)", {LOAD: "1,024", RED: "3", ATOM: "4"})
    profile = profile_of("K", global_load_sectors=1024, global_atomic_requests=7)
    assert run(tmp_path, profile, ncu) == 0
    assert capsys.readouterr().out == "1 kernels, 12 counters exact, 0 different\n"


def test_a_difference_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, profile_of("K", global_load_sectors=8), csv_of("K", {LOAD: "9"})) == 1
    assert "  K: global_load_sectors: simulated 8, measured 9\n" in capsys.readouterr().out


def test_a_kernel_that_only_one_side_has_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="kernels in one of the files only: J, K"):
        run(tmp_path, profile_of("J"), csv_of("K", {}))
