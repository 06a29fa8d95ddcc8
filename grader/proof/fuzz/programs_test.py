"""libFuzzer finds nothing in two seconds of each C++ target, from its corpus."""

import os
import subprocess
from pathlib import Path

import pytest

_HERE = Path(__file__).parent
_LIMITS = ("-max_total_time=2", "-seed=1", "-timeout=5", "-rss_limit_mb=1024", "-max_len=4096")


@pytest.mark.parametrize("name", os.environ["FUZZ_PROGRAMS"].split())
def test_survives_its_corpus_and_what_libfuzzer_makes_of_it(name: str, tmp_path: Path) -> None:
    command = [str(_HERE / name), *_LIMITS, f"-dict={_HERE}/words/{name}.dict"]
    command += [f"-artifact_prefix={tmp_path}/", str(tmp_path), f"{_HERE}/corpus/{name}"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.stdout.startswith("SKIPPED: "):
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stderr[-5000:]
    assert " cov: " in done.stderr
