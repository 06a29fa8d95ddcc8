"""Libraries that would do a CUDA lab's work are refused, but in labs that are about them."""

from pathlib import Path

import pytest

from common.lab.text_policy.policy import check_source
from grader.judging.compile.kit_rules import rules_of
from grader.model.lab import Lab, Policy, load_lab
from grader.model.manifest import Kit, load_kit
from grader.proof.fakes.fake_kit import make_kit

LABS = sorted(Path("labs").glob("cuda_*/lab.toml"))
_OF_LIBRARIES = [path for path in LABS if '"thrust/*"' in path.read_text()]


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return load_kit(make_kit(tmp_path))


def problems(header: str, lab: Lab, kit: Kit) -> list[str]:
    source = f"#include <cuda_runtime.h>\n#include <{header}>\n"
    manifest = kit.manifest.model_copy(update={"model": lab.model})
    kit = kit.model_copy(update={"lab": lab, "manifest": manifest})
    return check_source(source.encode(), rules_of(kit))


def test_sees_every_cuda_lab() -> None:
    assert len(LABS) >= 10


@pytest.mark.parametrize("header", ["thrust/sort.h", "thrust/pair.h", "cub/cub.cuh"])
@pytest.mark.parametrize(
    "path", sorted(set(LABS) - set(_OF_LIBRARIES)), ids=lambda path: path.parent.name
)
def test_every_other_cuda_lab_refuses_thrust_and_cub(kit: Kit, path: Path, header: str) -> None:
    (problem,) = problems(header, load_lab(path), kit)
    assert problem.startswith(f"sum.cc:2: #include <{header}> is not allowed in this lab; these ")


@pytest.mark.parametrize("model", ["cuda", "cpu"])
def test_a_cuda_lab_without_a_list_of_headers_refuses_them_too(kit: Kit, model: str) -> None:
    lab = kit.lab.model_copy(update={"policy": Policy(), "model": model})
    refused = (
        "sum.cc:2: #include <cub/device/device_scan.cuh> is not allowed: "
        "the lab's kernels are to be your own"
    )
    expected = [refused] if model == "cuda" else []
    assert problems("cub/device/device_scan.cuh", lab, kit) == expected
    assert problems("thread", lab, kit) == []
