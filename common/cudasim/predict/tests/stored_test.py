"""The labs' files of predicted and measured times."""

from __future__ import annotations

from pathlib import Path

from common.cudasim.predict.compare import Kernel, SpeedOfLight
from common.cudasim.predict.stored import NAME, write_stored

KEY = ("lab", "accepted/one", "Call_10", "Kernel", "2x1x1", "32x1x1")
LIGHT = SpeedOfLight(9.0, {"DRAM": 1.2, "L2": 64.0, "L1/shared": 19.6, "issue": 9.4})


def test_a_kernel_has_a_row_in_its_labs_file_with_what_ncu_saw(tmp_path: Path) -> None:
    (tmp_path / "lab/bench").mkdir(parents=True)
    inside = Kernel(KEY, 5.0, 10.0, 20.0, 12.0, "L2", False, "a", 4)
    outside = Kernel(("lab", "reference", *KEY[2:]), 5.0, 10.0, 20.0, 40.0, "L2", False, "a", 4)
    write_stored(tmp_path, [inside, outside], {KEY: LIGHT})
    assert (tmp_path / "lab" / NAME).read_text().splitlines()[1:] == [
        "accepted/one,Call_10,Kernel,2x1x1,32x1x1,4,5.00,10.00,20.00,12.00,yes,L2,"
        "DRAM=1% L2=64% L1/shared=20% issue=9%",
        "reference,Call_10,Kernel,2x1x1,32x1x1,4,5.00,10.00,20.00,40.00,no,L2,",
    ]
