"""The action for workflows: its steps, run as GitHub does."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ACTION = Path("common/cudasim/action").absolute()
RACY = """
__global__ void Reverse(int* d) {
  __shared__ int tile[64];
  tile[threadIdx.x] = d[threadIdx.x];
  d[threadIdx.x] = tile[63 - threadIdx.x];
}
int main(int, char**) {
  int* d;
  cudaMalloc(&d, 64 * sizeof(int));
  cudaMemset(d, 0, 64 * sizeof(int));
  Reverse<<<1, 64>>>(d);
  cudaFree(d);
}
"""
FAILING = "int main(int argc, char**) { return argc; }\n"
ENDLESS = "int main(int, char**) { for (volatile int i = 0;;) i = i; }\n"


def steps() -> dict[str, dict[str, Any]]:
    action = yaml.safe_load((ACTION / "action.yml").read_text())
    return {step["name"]: step for step in action["runs"]["steps"] if "name" in step}


def check(
    driver: Path, folder: Path, programs: str, **more: str
) -> "subprocess.CompletedProcess[str]":
    (folder / "temp").mkdir(exist_ok=True)
    if not (folder / "temp/cudasim").exists():
        (folder / "temp/cudasim").symlink_to(driver.parent.parent)
    own = {"GITHUB_ACTION_PATH": str(ACTION), "RUNNER_TEMP": str(folder / "temp")}
    own |= {"GITHUB_STEP_SUMMARY": str(folder / "summary")}
    given = {"PROGRAMS": programs, "ARGUMENTS": "", "TIME_LIMIT_S": "60"} | more
    command = ["bash", "-e", "-o", "pipefail", "-c", steps()["Check"]["run"]]
    environment = os.environ | own | given
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_a_race_is_an_annotation_of_its_line(driver: Path, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a b.cu").write_text(RACY)
    done = check(driver, tmp_path, "\n'src/a b.cu' -O2\n")
    assert done.returncode == 1
    shown = [line for line in done.stdout.splitlines() if line.startswith("::error")]
    finding, count, whole = shown[0], len(shown) - 1, shown[-1]
    assert finding.startswith("::error file=src/a b.cu,line=4,title=data_race::kernel Reverse, ")
    assert finding.endswith("%0Ano __syncthreads() lies between the two")
    assert whole == f"::error title=cudasim-cc -check::'src/a b.cu' -O2: {count} findings"
    assert (tmp_path / "summary").read_text() == f"* `'src/a b.cu' -O2`: {count} findings\n"


def test_each_program_has_its_own_verdict(driver: Path, tmp_path: Path) -> None:
    right = RACY.replace("  d[", "  __syncthreads();\n  d[")
    texts = {"right": right, "failing": FAILING, "broken": "int main( {\n", "endless": ENDLESS}
    for name, text in texts.items():
        (tmp_path / f"{name}.cu").write_text(text)
    programs = "\n".join(f"{name}.cu" for name in texts)
    done = check(driver, tmp_path, programs, ARGUMENTS="one 'and two'", TIME_LIMIT_S="2")
    assert done.returncode == 1
    assert (tmp_path / "summary").read_text().splitlines() == [
        "* `right.cu`: no findings",
        "* `failing.cu`: exit code 3",
        "* `broken.cu`: does not build",
        "* `endless.cu`: did not end within 2 s",
    ]
    assert check(driver, tmp_path, "right.cu").returncode == 0


@pytest.mark.parametrize("name", ["Identify the simulator", "Build the simulator"])
def test_the_simulator_is_where_the_other_steps_look(name: str) -> None:
    assert '"$GITHUB_ACTION_PATH/../../.."' in steps()[name]["run"]
    assert "$RUNNER_TEMP/cudasim" in steps()[name]["run"]
