"""Calibration files: what is derived from them, and what is wrong with bad ones."""

from collections.abc import Callable
from pathlib import Path

import pytest

from common.cudasim.predict.calibration import H100, CalibrationError, load


def changed(folder: Path, change: Callable[[str], str]) -> Path:
    path = folder / "gpu.csv"
    path.write_text(change(H100.read_text(encoding="utf-8")))
    return path


def test_derives_rates_from_the_rows_that_were_measured() -> None:
    c = load()
    assert c.device == "NVIDIA H100 80GB HBM3"
    assert c.multiprocessors == 132
    # Copies of 512 and 1024 MiB of 16 bytes a thread: 180.384 and 356.192 us.
    slope = (1 << 29) / (356.192 - 180.384)
    assert (1 << 29) / (c.stream(2.0**30) - c.stream(2.0**29)) == pytest.approx(slope)
    assert c.stream(0) == 0
    assert c.blocks_per_us == pytest.approx((270336 - 67584) / (165.472 - 43.584))
    assert c.cycles_per_wavefront == pytest.approx(1, abs=0.02)
    assert c.l2_fits_bytes == 24 * 2**20
    # Additions to one address and to 256, 32 sectors: 3165.25 and 1112.7 us.
    assert c.sectors_per_slice == pytest.approx(32 * 1608.61 / 3165.38, rel=0.01)
    assert c.events_us == 1.28


def message(path: Path) -> str:
    with pytest.raises(CalibrationError) as caught:
        load(path)
    text = str(caught.value)
    assert str(path) in text
    assert "\n  next: " in text
    return text


def test_names_a_file_that_is_missing(tmp_path: Path) -> None:
    assert "cannot be read: No such file" in message(tmp_path / "none.csv")


def test_names_a_file_with_another_head(tmp_path: Path) -> None:
    assert "line 1 is not benchmark,x,y" in message(changed(tmp_path, lambda text: "a,b\n" + text))


def test_names_a_line_that_is_no_row(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda text: text.replace("launch_empty,1,1,", "launch_empty,1,"))
    assert "is not a row: launch_empty,1,2.976,us" in message(path)


@pytest.mark.parametrize("value", ["nan", "inf", "0", "-3"])
def test_names_a_value_that_is_no_measurement(tmp_path: Path, value: str) -> None:
    path = changed(
        tmp_path, lambda text: text.replace("launch_empty,1,1,2.976", f"launch_empty,1,1,{value}")
    )
    assert "limit above 0 and finite" in message(path)


def test_names_a_benchmark_that_is_missing(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda text: text.replace("chase_shared", "chase_other"))
    assert "benchmark chase_shared is missing" in message(path)


def test_names_a_file_without_a_device(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda text: text.replace("# NVIDIA H100 80GB HBM3\n", ""))
    assert "names the device" in message(path)
