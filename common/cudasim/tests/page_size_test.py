"""Systems with larger pages than x86-64's, as aarch64 has them: 16 KiB, or 64 KiB."""

from pathlib import Path

import pytest

from common.cudasim.tests.simulated import FOLDER, PROFILED, start

LIBRARY = str(Path(FOLDER / "liblarge_pages.so").resolve())


@pytest.mark.parametrize("mode", ["check", "plain"])
@pytest.mark.parametrize("keeps_on", ["0", "1"])
@pytest.mark.parametrize(
    "bug",
    [
        "MissingBarrier",
        "WritePastEnd",
        "WriteFar",
        "UseAfterFree",
        "CopyTooMuch",
        "FreshMemoryAfterFree",
    ],
)
def test_reports_the_same_on_pages_of_16_kib(bug: str, keeps_on: str, mode: str) -> None:
    usual = start(f"bugs_{mode}", bug, CUDASIM_CONTINUE=keeps_on)
    done = start(f"bugs_{mode}", bug, CUDASIM_CONTINUE=keeps_on, LD_PRELOAD=LIBRARY)
    assert done.stderr == usual.stderr
    assert done.returncode == usual.returncode


def test_accounts_for_calls_on_pages_of_16_kib() -> None:
    done = start("call_account_test_check", LD_PRELOAD=LIBRARY)
    assert done.returncode == 0, done.stdout


def test_counts_the_same_on_pages_of_16_kib(tmp_path: Path) -> None:
    texts = []
    for preloaded in ("", LIBRARY):
        path = tmp_path / "profile.json"
        environment = {"CUDASIM_PROFILE": str(path), "LD_PRELOAD": preloaded}
        done = start(PROFILED, "kernels", **environment)
        assert done.returncode == 0, done.stderr
        texts.append(path.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
