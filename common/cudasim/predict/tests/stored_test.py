"""The labs' files of measured times: what is written is read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from common.cudasim.predict.compare import Kernel, SpeedOfLight, joined
from common.cudasim.predict.stored import NAME, read_stored, write_stored

KEY = ("lab", "accepted/one", "Call_10", "Kernel", "2x1x1", "32x1x1")
LIGHT = SpeedOfLight(9.0, {"DRAM": 1.2, "L2": 64.0, "L1/shared": 19.6, "issue": 9.4})
NCU = "DRAM=1% L2=64% L1/shared=20% issue=9%"


def kernel(predicted: float) -> Kernel:
    return Kernel(KEY, predicted / 2, predicted, predicted * 2, 40.0, "L2", False, "a", 4)


def prediction(predicted: float) -> dict[str, str]:
    times = {"low_us": "1", "us": f"{predicted}", "high_us": "99", "ceilings": "atomics=0"}
    names = ("lab", "sample", "label", "kernel", "grid", "block")
    row = dict(zip(names, KEY, strict=True)) | times
    return row | {"bound": "latency", "fingerprint": "a", "launches": "4"}


def test_new_predictions_replace_the_old_and_leave_what_was_measured(tmp_path: Path) -> None:
    (tmp_path / "lab/bench").mkdir(parents=True)
    write_stored(tmp_path, [kernel(10)], {KEY: LIGHT})
    assert (tmp_path / "lab" / NAME).read_text().splitlines()[1] == (
        "accepted/one,Call_10,Kernel,2x1x1,32x1x1,4,5.00,10.00,20.00,40.00,no,L2," + NCU
    )
    stored = read_stored(tmp_path, 1.0)
    kernels = joined([prediction(30)], stored.times)
    write_stored(tmp_path, kernels, stored.lights)
    assert (tmp_path / "lab" / NAME).read_text().splitlines()[1] == (
        "accepted/one,Call_10,Kernel,2x1x1,32x1x1,4,1.00,30.00,99.00,40.00,yes,latency," + NCU
    )


def test_a_launch_seen_by_ncu_takes_what_events_measured_less_their_own_time(
    tmp_path: Path,
) -> None:
    (tmp_path / "lab/bench").mkdir(parents=True)
    write_stored(tmp_path, [kernel(10)], {KEY: LIGHT})
    light = read_stored(tmp_path, 1.0).lights[KEY]
    assert light.microseconds == pytest.approx(40 / 4 - 1)
    assert light.percent["L2"] == 64
